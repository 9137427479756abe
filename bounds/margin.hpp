#pragma once
/// B4, the rank that a two-sided margin costs (theory.md, section 2).

#include <cstdint>
#include <qkcert/core/claim.hpp>

namespace qkcert {

/// The powers t that are tried: 1, …, this.
inline constexpr std::uint64_t max_margin_power = 64;

/// The largest R, over 1 <= t <= max_margin_power, with
/// C(R-1+t-1, t)·(ρ^2t + (m-1)ε^2t) < m, and the least t that gives it.
///
/// Require  vertices = m >= 1, edge_ratio = ρ >= 1, nonedge_ratio = ε >= 0.
/// Ensure   1 <= R <= m: for R = m + 1 the left side is at least R - 1 = m, whatever t is.
/// Cost     max_margin_power bisections of log₂ m steps, a binomial of 64·log₂ m bits each.
/// Errors   UsageError; SizeError.
/// Source   theory.md, B4: rank >= trace²/Frobenius² for the t-th entrywise power.
MarginBound margin_bound(const Integer& vertices, const Rational& edge_ratio,
                         const Rational& nonedge_ratio);

}  // namespace qkcert
