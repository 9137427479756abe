#pragma once
/// The multi-head advantage on one graph and one embedding, proved: two certificates.

#include <qkcert/bounds/refute.hpp>
#include <qkcert/search/certify.hpp>
#include <qkcert/verify/check.hpp>
#include <string_view>

namespace qkcert {

/// The two halves. `heads` was searched for only if `single` is there.
struct Advantage {
  std::optional<SingleHeadImpossibility> single;  ///< no single head recognises the graph…
  std::optional<RecoveryClaim> one_head;          ///< …or this one does
  std::string tried = {};                         ///< …or neither was decided, after this
  CertifyResult heads = {};                       ///< its best channel has at least two heads
};

/// Asks refute() about one head and, where it says impossible, certify() for several.
///
/// Require  one embedding row per vertex; at least one vertex.
/// Ensure   every claim is one that check() accepts, but it is for check_advantage() to say so.
/// Cost     that of refute() and of certify(), each within options.budget.
/// Errors   UsageError when options.heads is 1; those of certify().
Advantage find_advantage(const Graph& graph, const Embedding& embedding,
                         const CertifyOptions& options);

/// Whether two certificates prove the advantage together: both hold, the first is an `impossibility
/// single-head`, the second a `recovery` by at least two heads, and they speak of the same graph
/// and embedding.
///
/// Ensure   Verdict::text restates both claims, one a line, or gives the reason.
/// Errors   FormatError when one is not canonical; the names are those in its messages.
Verdict check_advantage(std::string_view single, const std::string& single_name,
                        std::string_view heads, const std::string& heads_name,
                        unsigned threads = 0);

}  // namespace qkcert
