#pragma once
/// The judge: whether a claim is true. Nothing else in this project accepts anything.

#include <qkcert/core/claim.hpp>
#include <qkcert/core/parallel.hpp>
#include <string>

namespace qkcert {

struct Verdict {
  bool holds;
  /// One line: the claim restated when it holds; else the reason, with the offending pair or
  /// numbers.
  std::string text;
};

/// Decides `claim` by integer arithmetic alone.
///
/// Ensure   holds == true only if the claim is true: for a RecoveryClaim the stated extremes are
/// the
///          exact ones and separated by the threshold; for a SingleHeadImpossibility both totals
///          are equal and positive and both sums of weight·x_uᵀx_v are equal; for a CountingBound
///          both comparisons hold, and likewise for the other bounds. A claim too large to be
///          decided within max_bits does not hold.
/// Cost     that of score_extremes; O(N·d_model²) for N multipliers; one family size and, for the
///          bounds, the comparisons of core/counts.hpp.
/// Source   theory.md, Theorem 1, B1 to B3.
Verdict check(const Claim& claim, unsigned threads = 0, const Progress& progress = {});

}  // namespace qkcert
