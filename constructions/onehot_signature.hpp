#pragma once
/// `onehot-signature`: one head of width O(Δ·log m) and small weights for graphs of out-degree <= Δ
/// on the one-hot embedding, at random.
///
/// Row v of W_K is a random r_v ∈ {±1}^d, row u of W_Q the sum of r_w over the targets w of u. So
/// S_uv = Σ_{w∈N(u)} ⟨r_w, r_v⟩. Let X_n be a sum of n independent random signs. For a vertex u
/// with k edges
///
///   edge      S_uv = d + Σ_{w∈N(u), w≠v} ⟨r_w, r_v⟩, distributed as d + X_{(k-1)d};
///   non-edge  S_uv is distributed as X_{kd}:
///
/// given r_v, the products of its entries with those of the other r_w are independent signs.
///
/// The bound. Let c_k be the number of vertices with k edges, Δ the largest k with c_k > 0, and
/// L(n, j) = Σ_{i<=j} C(n, i), which is 0 for j < 0: of the 2^n equally likely outcomes, L(n, j)
/// have X_n >= n - 2j, and as many X_n <= 2j - n. For a threshold t, 0 <= t < d, let N_1 =
/// c_1·(m-1) - C(c_1, 2), N_k = c_k·(m-k) for k >= 2, and
///
///   F(d, t) = Σ_{k=1..Δ} [ c_k·k·L((k-1)d, ⌊((k-2)d + t)/2⌋)·2^{(Δ-k+1)d}
///                          + N_k·L(kd, ⌊(kd-t-1)/2⌋)·2^{(Δ-k)d} ].
///
///   Claim  If 2^s·F(d, t) < 2^{Δd} for some t, a random draw recovers the graph with a probability
///          above 1 - 2^-s. With s = 0: some signs recover it.
///   Proof  The draw recovers it if no edge scores t or less and no non-edge more than t. An edge
///          of a vertex with k edges fails iff X_{(k-1)d} <= t - d, that is 2j - (k-1)d for
///          j = ((k-2)d + t)/2: L((k-1)d, ⌊j⌋) of 2^{(k-1)d} outcomes; there are c_k·k such edges.
///          A non-edge fails iff X_{kd} >= t + 1, that is kd - 2j for j = (kd-t-1)/2: L(kd, ⌊j⌋) of
///          2^{kd} outcomes. For k >= 2 there are c_k·(m-k) of them. For k = 0 the score is 0 <= t.
///          For k = 1 the non-edge (u, v) with N(u) = {w} fails iff ⟨r_w, r_v⟩ > t: one event for
///          each unordered pair {w, v}, w one of at most c_1 targets. T targets meet T·(m-1) -
///          C(T, 2) pairs, which grows with T <= m, so at most N_1. F(d, t)/2^{Δd} is the sum of
///          all these probabilities, the union bound.  (end)
///
/// For Δ = 1 the best t is d - 1, and F = N_1 <= C(m, 2): with s = 0 and c_1 = m the bound reads
/// C(m, 2)·2^-d < 1.
///
/// It does hold somewhere: with b = bit_length(m²·2^s), every d > 8·Δ·b·ln 2 satisfies it at the
/// t = ⌊d/2⌋, by P(X_n >= x) <= e^{-x²/2n} (Hoeffding): all tails start at d/2 or beyond and n <=
/// Δd, so each of the at most m² events has a probability of e^{-d/8Δ} < 2^-b at most. As ln 2 <
/// 7/10, ⌊28·Δ·b/5⌋ + 1 is such a d.

#include <qkcert/constructions/method.hpp>

namespace qkcert {

/// Beyond this product of Δ and Hoeffding's width the exact tails are too long to be summed.
inline constexpr std::size_t max_signature_tail = std::size_t{1} << 15;

/// Whether min over t of 2^s·F(d, t) < 2^{Δd}, in integers, for a graph with these out-degrees.
///
/// Require  out_degrees: one for each vertex, at most their number; width >= 1.
/// Cost     O(K·Δ·d) operations on integers of Δ·d bits, K the number of distinct degrees.
/// Errors   ShapeError.
bool signature_width_proven(std::span<const std::size_t> out_degrees, std::size_t width,
                            unsigned failure_bits);

/// A width for which the claim holds: found by bisection between 1 and Hoeffding's width, so that
/// it holds there and not at one less. For Δ <= 1 it is the least, as N_1·2^-d falls with d. When
/// Δ times Hoeffding's width exceeds max_signature_tail, it is Hoeffding's width.
///
/// Require  out_degrees as above. Ensure: at least 1. Errors: ShapeError.
std::size_t signature_width(std::span<const std::size_t> out_degrees, unsigned failure_bits);

/// Parameters  head_dim (default signature_width for failure_bits = 1: a draw succeeds with a
///             probability above 1/2), seed.
/// Require     the one-hot embedding, d_model = m. Every graph is served.
/// Ensure      heads = 1, D_K = head_dim; keys -1 and 1, |queries| <= Δ. It draws up to 64 times,
///             from one stream of random signs, until its own scores separate: with the default
///             width it fails for less than one in 2^64 streams. A narrower head may fail.
/// Cost        O(m·d·(m + Δ)) for each draw. Stops when the request runs out of time.
/// Errors      MethodError for another embedding.
/// Source      theory.md, section 3, `onehot-signature`; the bound is derived above.
Method onehot_signature_method();

}  // namespace qkcert
