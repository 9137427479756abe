#pragma once
/// `onehot-trigonometric`: one head of width twice the out-degree, on the one-hot embedding. It is
/// the form of `onehot-neighborly` that is narrower by one.
///
/// Points. Let n be the least number with at least m integer points on the circle x² + y² = n.
/// Every vertex v gets one of them, ζ_v = x_v + i·y_v; they are distinct. The keys lie on the
/// trigonometric moment curve: row v of W_K is (Re ζ_v, Im ζ_v, Re ζ_v², Im ζ_v², …, Im ζ_v^Δ),
/// where Δ is the largest out-degree.
///
/// Rows. Let u have r >= 1 neighbours. For a point ζ of the circle,
///
///   P_u(ζ) = Π_{w∈N(u)} |ζ - ζ_w|² = Π_{w∈N(u)} (2n - ζ·conj(ζ_w) - conj(ζ)·ζ_w).
///
/// As ζ·conj(ζ) = n, it is C_u + Σ_{1<=j<=r} 2·Re(c_j·ζ^j) with Gaussian integers c_j and an
/// integer C_u: to multiply by one more factor is to replace
///
///   C_u by 2n·C_u - 2n·Re(ζ_w·c_1)    and    c_j by 2n·c_j - conj(ζ_w)·c_{j-1} - n·ζ_w·c_{j+1}
///
/// where c_0 = C_u, starting from C_u = 1 and c_j = 0, by ζ^j·ζ = ζ^{j+1}, ζ^j·conj(ζ) = n·ζ^{j-1}.
///
/// Row u of W_Q is g_u·(-2·Re c_1, 2·Im c_1, …, -2·Re c_r, 2·Im c_r), then zeros, with a factor g_u
/// below; it is zero when u has no edge. On the one-hot embedding
///
///   S_uv = g_u·(C_u - P_u(ζ_v)).
///
///   Claim  C_u > 0. With C the largest C_u, L the lcm of all C_u, T = min(L, C²) and
///          g_u = ⌊T/C_u⌋: every edge scores more than every non-edge. If T = L, edges score
///          exactly L and non-edges L - 1 or less; else edges score more than C² - C and non-edges
///          C² - C or less.
///   Proof  C_u is the mean of P_u over the circle, as that of Re(c_j·ζ^j) is 0 for j >= 1, and
///          P_u >= 0 vanishes at r points only. P_u(ζ_v) is an integer, 0 if v ∈ N(u), else at
///          least 1, for the points are distinct. If T = L, then g_u·C_u = L and g_u >= 1. If T =
///          C², C² - C <= C² - C_u < g_u·C_u <= C² and g_u >= C, so an edge scores more than C² -
///          C, and a non-edge at most C² - g_u. In the row of a vertex without an edge all scores
///          are 0, which is at most L - 1 and at most C² - C.  (end)
///
/// At last all queries are divided by the greatest common divisor of their entries; this keeps the
/// order of the scores. For Δ = 1 what remains is q_u = ζ_w, with edges that score n, unless the
/// coordinates of the targets have a common divisor: width two serves all functional graphs.
/// Example (a test computes it): m = 3 and the edges 0→2, 2→0 give n = 1, the points 1, i, -1, W_Q
/// = (-1 0; 0 0; 1 0) and W_K = (1 0; 0 1; -1 0).

#include <qkcert/constructions/method.hpp>

namespace qkcert {

/// Integer points on one circle about the origin.
struct CirclePoints {
  Integer n;  ///< x² + y² for all of them
  std::vector<Integer> x;
  std::vector<Integer> y;
};

/// `count` distinct integer points on the smallest circle that has as many.
///
/// A circle x² + y² = n has the most points for its size when n has only primes p = 1 mod 4, and
/// then 4·Π(e_i+1) of them, e_i the exponents: with p_i = π_i·conj(π_i) they are the Gaussian
/// integers i^k·Π π_i^{a_i}·conj(π_i)^{e_i-a_i}, 0 <= a_i <= e_i. So n is the least such product
/// with 4·Π(e_i+1) >= count, with exponents that do not increase over the primes 5, 13, 17, ….
///
/// Require  1 <= count <= 2^16 (then n < 2^77). Errors: ShapeError.
CirclePoints circle_points(std::size_t count);

/// Parameters  none; not seeded.
/// Require     the one-hot embedding, d_model = m. Every graph is served: loops, none or all edges.
/// Ensure      heads = 1, head_dim = D_K = max(1, 2Δ); the extremes of the claim, but for the
///             common divisor. |keys| <= n^{Δ/2}; |queries| <= 2T, for |c_j|·n^{j/2}, a Fourier
///             coefficient of P_u >= 0, is at most the mean C_u; T <= C² and C <= (4n)^Δ.
/// Cost        O(m·Δ²) multiplications of integers of 2Δ·log₂(4n) bits; m gcds.
/// Errors      MethodError for another embedding; SizeError beyond the limits of
///             constructions/storage.hpp.
/// Source      theory.md, section 3, `onehot-neighborly`, its width 2Δ; the integer points instead
///             of rational ones, the factors and the common scale are derived above.
Method onehot_trigonometric_method();

}  // namespace qkcert
