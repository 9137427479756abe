#include "contexts.hpp"

#include <qkcert/core/errors.hpp>
#include <qkcert/io/contexts.hpp>
#include <qkcert/verify/certificate.hpp>
#include <qkcert/verify/contexts.hpp>

namespace qkcert::cli {

namespace {

Contexts contexts_from(const std::string& bytes, const std::string& source, std::size_t vertices) {
  try {
    return parse_contexts(bytes, source, vertices);
  } catch (const FormatError& error) {
    throw UsageError(error.what());  // not the certificate is malformed, but an option's file
  }
}

}  // namespace

Verdict check_in_contexts(const Claim& claim, const std::string& bytes, const std::string& source,
                          Report& report, unsigned threads, const Progress& progress) {
  return std::visit(
      [&](const auto& each) -> Verdict {
        if constexpr (requires { decide_in_contexts(each, Contexts{}, threads, progress); }) {
          const std::size_t m = each.graph.vertices();
          const Contexts contexts = contexts_from(bytes, source, m);
          report.coverage = Coverage{contexts.size(), covered_pairs(contexts, m)};
          return decide_in_contexts(each, contexts, threads, progress);
        } else {
          throw UsageError("--contexts: expected a certificate of a channel, found the claim " +
                           std::string(claim_name(claim)));
        }
      },
      claim);
}

}  // namespace qkcert::cli
