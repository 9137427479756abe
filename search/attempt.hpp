#pragma once
/// One proposal, judged: propose, compute the exact extremes, choose τ.

#include <optional>
#include <qkcert/constructions/method.hpp>
#include <qkcert/core/claim.hpp>
#include <qkcert/verify/extremes.hpp>
#include <string>

namespace qkcert {

struct Attempt {
  std::string method;
  Architecture architecture = {};
  std::uint64_t seed = 1;
  /// The exact extremes of the proposal; empty when its weights are beyond the request's
  /// weight_max.
  std::optional<Extremes> extremes = {};
  /// Present iff the proposal recovers every context's neighbours.
  std::optional<RecoveryClaim> claim = {};
  Integer weight_max = 0;  ///< the largest |weight| of the proposal
  unsigned patience = 1;   ///< that of the request
};

/// The threshold that goes with separated extremes: their midpoint rounded down, so that both
/// margins are equal up to one; next to the only extreme when the other is absent; 0 when both are.
/// Require: extremes.separated(). Ensure: least edge > τ >= greatest non-edge.
Integer choose_threshold(const Extremes& extremes);

/// The claim of a channel with these extremes. Require: extremes.separated().
RecoveryClaim recovery_claim(const Graph& graph, const Matrix& embedding, Channel channel,
                             const Extremes& extremes);

/// Runs `method` once and decides its proposal exactly.
///
/// Ensure   `claim` is present only if score_extremes separates the proposal and, when
///          `limit_weights`, no |weight| exceeds request.weight_max.
/// Errors   those of propose().
Attempt attempt(const Method& method, const Request& request, bool limit_weights,
                const Progress& progress = {});

}  // namespace qkcert
