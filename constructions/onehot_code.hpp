#pragma once
/// `onehot-code`: one head of logarithmic width for functional graphs on the one-hot embedding.
///
/// Let d = max(1, ⌈log₂ m⌉) and r_v ∈ {±1}^d the binary digits of v, least first, with -1 for 0.
/// Row v of W_K is r_v. Row u of W_Q is r_v for the edge (u, v), and zero for a vertex without an
/// edge. On the one-hot embedding the rows of the weights are the queries and keys, so
///
///   edge      S_uv = ⟨r_v, r_v⟩ = d                                        exactly;
///   non-edge  S_uw = ⟨r_v, r_w⟩ <= d - 2, for two distinct sign vectors differ somewhere;
///             S_uw = 0 <= d - 1 in the row of a vertex without an edge.
///
/// So the channel always recovers the graph. Two sources may share a target: nothing above asks
/// for distinct queries. Example (a test computes it): m = 3 and the edges 0→2, 1→2 give d = 2,
/// W_Q = (-1 1; -1 1; 0 0) and W_K = (-1 -1; 1 -1; -1 1).

#include <qkcert/constructions/method.hpp>

namespace qkcert {

/// Parameters  none; not seeded.
/// Require     the one-hot embedding, d_model = m; out-degree <= 1. Loops and m = 1 are served.
/// Ensure      heads = 1, head_dim = D_K = max(1, ⌈log₂ m⌉); weights -1, 0 and 1; the least edge
///             score is d; the greatest non-edge score is max(d - 2, 0) or less.
/// Cost        O(m·d).
/// Errors      MethodError that names the vertex with two edges, or the embedding.
/// Source      theory.md, section 3, `onehot-code`, there for permutations.
Method onehot_code_method();

}  // namespace qkcert
