#pragma once
/// What the command says of a claim, for people; reports/json.hpp says it for programs.

#include <optional>
#include <qkcert/core/claim.hpp>
#include <qkcert/core/embedding.hpp>
#include <qkcert/search/batch.hpp>
#include <qkcert/search/softmax.hpp>
#include <string>
#include <vector>

namespace qkcert {

/// One bound of the list that `qkcert bound` prints.
struct ListedBound {
  std::string name, weights, decoder;
  std::optional<Claim> claim;  ///< absent when the bound does not apply
  std::string reason = {};     ///< why it does not
  bool strongest = false;      ///< no D_K of the list for the same weights is higher
};

/// What a search over β or θ found, on the grid of multiples of 2^-bits.
struct SoftmaxGrid {
  std::size_t bits;
  bool of_beta;                      ///< else of θ
  std::optional<Integer> beta = {};  ///< SoftmaxSearch::find_beta
  std::optional<Integer> closed_form_beta = {};
  std::optional<ThetaGrid> theta = {};
};

/// A list of contexts that the verdict is about, instead of all.
struct Coverage {
  std::size_t contexts, pairs;
};

/// Facts about one claim; absent ones are left out of the text and are null or left out in JSON.
struct Report {
  enum class Status { holds, does_not_hold, undecided, unreadable };

  std::optional<Status> status = Status::holds;  ///< absent: nothing was decided or tried
  std::optional<Claim> claim = {};
  std::optional<std::string> method = {};
  std::optional<Claim> lower_bound = {};  ///< on D_K, for the class of a RecoveryClaim's graph
  std::optional<Extremes> extremes = {};  ///< of a proposal that became no claim
  std::optional<std::string> certificate = {};  ///< the path
  std::optional<std::string> sha256 = {};       ///< of the whole file, as sha256sum prints it
  std::optional<std::string> reason = {};       ///< why it does not hold or is undecided
  std::vector<ListedBound> bounds = {};         ///< beside a CountingBound or a universal claim
  std::vector<Tried> tried = {};                ///< by the search, in order
  std::optional<SoftmaxGrid> grid = {};         ///< beside a SoftmaxRecovery
  std::optional<Coverage> coverage = {};        ///< of a channel decided in some contexts only
};

/// Where a summary's inputs come from.
struct Sources {
  std::string graph;
  std::string embedding;
  std::int64_t embedding_scale = 0;  ///< the embedding is its integers times 2^scale
};

/// The summary of a certified channel, several lines: graph, embedding, channel, D_K, weights,
/// extremes, τ, the lower bound with the sentence that it bounds the class, the ratio D_K / bound
/// (rounded up), and the certificate with its hash.
/// Require: report.claim is a RecoveryClaim; lower_bound is present and states a D_K for a class.
std::string certified_text(const Report& report, const Sources& sources);

/// The summary of a bound: what it says, of what it speaks, the list if there is one, the
/// certificate. Require: report.claim.
std::string bound_text(const Report& report);

/// The summary of a class-level advantage, and its certificate.
/// Require: report.claim is a ClassAdvantage.
std::string advantage_text(const Report& report);

/// The summary of a universal claim: class, embedding, heads, and the bounds beside them.
/// Require: report.claim is a UniversalEdgePairs or a UniversalEdgePerHead.
std::string universal_text(const Report& report);

/// The summary of a softmax claim and of the search for its β or θ.
/// Require: report.claim is a SoftmaxRecovery.
std::string softmax_text(const Report& report);

/// The summary of refute's answer: the claim, the sentence that it proves, the certificate.
/// Require: report.claim.
std::string refuted_text(const Report& report, const std::string& verdict);

/// What a certificate claims, several lines, decided or not.
std::string claim_text(const Claim& claim);

/// `2 heads × 8` or, for heads of different widths, `3 heads of widths 8, 8, 4`.
std::string architecture_text(const Channel& channel);

/// Facts about inputs, for `qkcert info`: several lines.
std::string inputs_text(const std::optional<Graph>& graph,
                        const std::optional<Embedding>& embedding);

}  // namespace qkcert
