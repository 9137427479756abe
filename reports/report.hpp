#pragma once
/// What the command says of a claim: a readable summary and one line of JSON.

#include <optional>
#include <qkcert/core/claim.hpp>
#include <qkcert/core/embedding.hpp>
#include <qkcert/verify/extremes.hpp>
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

/// Facts about one claim; absent ones are left out of the text and are null or left out in JSON.
struct Report {
  enum class Status { holds, does_not_hold, undecided, unreadable };

  std::optional<Status> status = Status::holds;  ///< absent: nothing was decided or tried
  std::optional<Claim> claim = {};
  std::optional<std::string> method = {};
  std::optional<CountingBound> lower_bound = {};  ///< for the class of a RecoveryClaim's graph
  std::optional<Extremes> extremes = {};          ///< of a proposal that became no claim
  std::optional<std::string> certificate = {};    ///< the path
  std::optional<std::string> sha256 = {};         ///< of the whole file, as sha256sum prints it
  std::optional<std::string> reason = {};         ///< why it does not hold or is undecided
  std::vector<ListedBound> bounds = {};           ///< beside a CountingBound
};

/// One JSON object on one line, no newline. Integers beyond ±2^53 are strings.
///
/// Keys, in this order
///   always       status: "holds", "does not hold", "undecided", "unreadable" or null
///   recovery     claim, vertices, edges, d_model, heads, head_widths, key_dimension, weight_max,
///                threshold, least_edge_score, greatest_nonedge_score (null when there is none);
///                method, if known; lower_bound, lower_bound_method, lower_bound_class, if known
///   impossibility single-head
///                claim, vertices, edges, d_model, edge_multipliers, nonedge_multipliers
///   bound counting
///                claim, family, d_model, weight_max, lower_bound, lower_bound_method
///   bound counting-random, counting-columns
///                claim, family, d_model, weight_max, failure_bits, lower_bound, lower_bound_method
///   bound warren, warren-ranks
///                claim, family, d_model, failure_bits, lower_bound, lower_bound_method
///   impossibility single-head-class
///                claim, family, d_model
///   bound heads  claim, family, d_model, lower_bound_heads, lower_bound_method
///   no claim     method, if known; with extremes: least_edge_score, least_edge,
///                greatest_nonedge_score, greatest_nonedge (the pairs as arrays)
///   always       certificate, sha256 (null when there is none)
///   no success   reason
///   list         bounds: an array of objects with name, weights, decoder and either the claim's
///                keys and strongest (true or false) or reason
std::string to_json(const Report& report);

/// Where a summary's inputs come from.
struct Sources {
  std::string graph;
  std::string embedding;
  std::int64_t embedding_scale = 0;  ///< the embedding is its integers times 2^scale
};

/// The summary of a certified channel, several lines: graph, embedding, channel, D_K, weights,
/// extremes, τ, the lower bound with the sentence that it bounds the class, the ratio D_K / bound
/// (rounded up), and the certificate with its hash.
/// Require: report.claim is a RecoveryClaim and lower_bound is present.
std::string certified_text(const Report& report, const Sources& sources);

/// The summary of a bound: what it says, of what it speaks, the list if there is one, the
/// certificate. Require: report.claim is a bound for a class.
std::string bound_text(const Report& report);

/// What a certificate claims, several lines, decided or not.
std::string claim_text(const Claim& claim);

/// `2 heads × 8` or, for heads of different widths, `3 heads of widths 8, 8, 4`.
std::string architecture_text(const Channel& channel);

/// Facts about inputs, for `qkcert info`: several lines, or JSON as above with the keys vertices,
/// edges, loops, max_out_degree, max_in_degree, narrowest_family (null without vertices) of the
/// graph and rows, d_model, scale, entry_bits, one_hot of the embedding.
std::string inputs_text(const std::optional<Graph>& graph,
                        const std::optional<Embedding>& embedding);
std::string inputs_json(const std::optional<Graph>& graph,
                        const std::optional<Embedding>& embedding);

}  // namespace qkcert
