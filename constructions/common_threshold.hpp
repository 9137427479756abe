#pragma once
/// One threshold for heads of different scales.

#include <qkcert/core/integer.hpp>
#include <vector>

namespace qkcert {

/// What one head does: its edges score at least `least`, its non-edges at most `greatest` < least.
struct HeadScores {
  Integer least;
  Integer greatest;
};

/// Factors g_k >= 1 such that some τ >= 0 has g_k·least_k > τ >= g_k·greatest_k for every head k:
///
///   τ = the largest ⌈l·o/(l-o)⌉ over the heads with o > 0, or 0;    g_k = ⌊τ/l_k⌋ + 1.
///
///   Proof  g·l > τ. For o <= 0, g·o <= 0 <= τ. For o > 0, g·o <= τ·o/l + o, and that is at most τ
///          as τ·(l-o)/l >= o.                                                             (end)
///
/// Require  least > 0 and least > greatest in every head.
/// Errors   ShapeError.
std::vector<Integer> common_threshold_factors(const std::vector<HeadScores>& heads);

}  // namespace qkcert
