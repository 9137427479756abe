#pragma once
/// How many graphs with one number of edges channels can serve at most, compared with a target
/// (theory.md, section 2). The target of a class F with failure bits s is ceil(|F| / 2^s).
///
/// Each count is a whole number, compared by enclosures (core/magnitude.hpp). d is d_model or, for
/// real weights, the largest rank of an embedding, min(m, d_model).
///
/// Policy  Limits are on the work and stated: beyond them SizeError `not computed: …`.

#include <cstdint>
#include <qkcert/core/magnitude.hpp>

namespace qkcert {

/// min(m, d_model), the largest rank of an embedding. Require: d_model >= 0.
inline std::uint64_t largest_rank(std::uint64_t vertices, const Integer& d_model) {
  return d_model >= vertices ? vertices : to_uint64(d_model).value();
}

inline constexpr std::uint64_t max_columns = 2048;         ///< D of least_columns
inline constexpr std::uint64_t max_rank_columns = 64;      ///< D of least_rank_columns
inline constexpr std::uint64_t max_subset_size = 1 << 20;  ///< d² of dichotomies
inline constexpr std::uint64_t exact_partitions = 1 << 16;

/// B1+. The least D with Σ_{j<=D} [t^j] Π_{w>=1} (1-t^w)^(-M_w) >= target, where L =
/// 2·weight_max+1, n = (L^d_model - 1)²/2 and M_w = C(n+w-1, w): multisets of heads, a head of
/// width w being a multiset of w of the n non-zero forms q·kᵀ.
///
/// Require  d_model >= 1, weight_max >= 1.
/// Cost     O(D²) products of enclosures. Errors: SizeError when D may exceed max_columns.
std::uint64_t least_columns(const Integer& d_model, const Integer& weight_max,
                            const Integer& target);

/// B2's hypothesis, m² >= 2·d + 1: then N = D·m² >= n = 2·d·D + 1 for every D >= 1.
bool warren_applies(std::uint64_t vertices, std::uint64_t d);

/// B2. Whether P(D)·floor((8·e·N/n)^n) >= target with N = D·m², n = 2·d·D + 1 and
/// e = 27182818285/10^10 (above Euler's number); 1 >= target at D = 0. P(D) is the number of
/// partitions of D below D = exact_partitions, from there on 2^(floor(√(137·D/10)) + 1), which is
/// more: there are fewer than e^(π·√(2D/3)) partitions, and (π·√(2/3)/ln 2)² < 13.7.
///
/// Require  warren_applies(vertices, d), d >= 1.
/// Cost     O(1) when 4·n >= bit_length(target), as 8·e·N/n >= 16; else O(log n) products and,
///          when they leave P(D) to be known, O(D^1.5) additions.
bool warren_reaches(std::uint64_t vertices, std::uint64_t d, const Integer& key_dimension,
                    const Integer& target);

/// B2+. The least D with 1 + Σ 2·Π_k C(d, w_k)·floor((8·e·N/n)^n) >= target, the sum over all
/// multisets of h >= 1 widths w_k <= d with Σ w_k <= D, N = h·m² and n = Σ w_k·(2·d - w_k).
/// N >= n for all of them, since w·(2·d - w) <= d² <= m².
///
/// Require  1 <= d <= vertices.
/// Cost     O(D^5) additions of exact coefficients, O(D^4) powers of enclosures.
/// Errors   SizeError when D exceeds max_rank_columns.
std::uint64_t least_rank_columns(std::uint64_t vertices, std::uint64_t d, const Integer& target);

/// B2', B2''. Whether (2·Σ_{i<=d²} C(m²-1, i))^heads >= target: affine dichotomies of m² points in
/// R^(d²), a choice of them for each head.
///
/// Require  d >= 1, heads >= 0.
/// Cost     O(1) when bit lengths decide; else min(d², m²) steps of enclosures.
/// Errors   SizeError when these are more than max_subset_size.
bool dichotomies_reach(std::uint64_t vertices, std::uint64_t d, const Integer& heads,
                       const Integer& target);

}  // namespace qkcert
