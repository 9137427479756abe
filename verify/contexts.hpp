#pragma once
/// Recovery in a list of contexts only, for both decoders.

#include <qkcert/core/claim.hpp>
#include <qkcert/verify/check.hpp>
#include <vector>

namespace qkcert {

/// Sets of vertices, each increasing.
using Contexts = std::vector<std::vector<std::size_t>>;

/// The number of ordered pairs (u, v), u = v included, that lie together in some context.
/// Errors: ShapeError for a vertex that is not below `vertices`.
std::size_t covered_pairs(const Contexts& contexts, std::size_t vertices);

/// Whether for every context C of the list and u in C the channel declares exactly N(u) ∩ C.
///
/// Threshold-max decides each pair by itself, so the pairs that some context covers are decided, once
/// each; the extremes that the claim states speak of all pairs and are not looked at.
///
/// Softmax: α^k_uv(C) = e^(βS^k_uv) / (e^(βτ) + Σ_{w∈C} e^(βS^k_uw)) is compared with θ for every
/// C, u, v, and all heads; the heads that the claim names and its context size are not looked at. Of the
/// non-edges of one C, u and k only the one of largest score is compared: the denominator is the same.
///
/// Ensure   exact, the same for any thread count.
/// Cost     m·D_K multiply-adds for each vertex that is in a context; for softmax |C| terms and
///          more for each u in C and head.
/// Errors   ShapeError; SizeError (verify/exponentials.hpp).
Verdict decide_in_contexts(const RecoveryClaim& claim, const Contexts& contexts, unsigned threads,
                           const Progress& progress = {});
Verdict decide_in_contexts(const SoftmaxRecovery& claim, const Contexts& contexts, unsigned threads,
                           const Progress& progress = {});

}  // namespace qkcert
