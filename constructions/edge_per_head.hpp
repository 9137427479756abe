#pragma once
/// `edge-per-head`: a head of width one for every edge, on any embedding whose rows dominate.
///
/// Row x_u *dominates* when ⟨x_u,x_u⟩ > |⟨x_u,x_w⟩| for every w ≠ u, and x_u ≠ 0. Distinct rows of
/// one norm do, unless one is another's negative (Cauchy–Schwarz). Write n_u = ⟨x_u,x_u⟩ and let
///
///   G = lcm of n_a·n_b over the edges (a, b),    g_ab = G / (n_a·n_b).
///
/// The head of the edge (a, b) has W_Q = g_ab·x_a and W_K = x_b, so its score of a pair (u, v) is
/// S_uv = g_ab·⟨x_u,x_a⟩·⟨x_b,x_v⟩.
///
///   Claim  S_ab = G, and |S_uv| <= G - 1 for every other pair (u, v), edge or not, loop or not.
///   Proof  S_ab = g_ab·n_a·n_b = G. As a and b dominate, |⟨x_u,x_a⟩| <= n_a with equality only
///          for u = a, and |⟨x_b,x_v⟩| <= n_b with equality only for v = b; n_a, n_b > 0. Another
///          pair differs in u or in v (or both), so one factor is strictly smaller while the other
///          is not larger: |S_uv| < g_ab·n_a·n_b = G, and scores are integers.          (end)
///
/// A pair that is no edge differs from the edge of every head, also from those with which it
/// shares u or v: its maximum over the heads is <= G - 1. An edge scores G in its own head and at
/// most G elsewhere: its maximum is G. So the channel always recovers the graph. The embedding does
/// not depend on the graph: one whose rows all dominate serves every graph.

#include <qkcert/constructions/method.hpp>

namespace qkcert {

/// Parameters  none; not seeded.
/// Require     at least one edge; every vertex that is an end of an edge dominates (other rows may
///             be anything). Decided exactly.
/// Ensure      heads = m', head_dim = 1, D_K = m'; every edge scores exactly G, the greatest
///             non-edge score is G - 1 or less. Keys are rows of the embedding, |query| <= G: about
///             m'·log₂(greatest n) bits at worst, when many edges have ends of different norms.
///             With rows of one norm n, G = n² and the queries are rows of the embedding too.
/// Cost        O(m·(ends of edges)·d_model) multiply-adds for the check, 128-bit when they fit;
///             m' steps of the lcm; m'·d_model weights.
/// Errors      MethodError that names the first pair that violates it, and both numbers; SizeError
///             beyond the limits of constructions/storage.hpp.
/// Source      theory.md, section 3, `edge-per-head`.
Method edge_per_head_method();

}  // namespace qkcert
