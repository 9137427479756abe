#pragma once
/// `onehot-neighborly`: one head whose width depends on the out-degree alone, on the one-hot
/// embedding.
///
/// Let Δ be the largest out-degree. The keys lie on the moment curve (the vertices of a cyclic, so
/// neighborly, polytope): row v of W_K is (1, v, v², …, v^{2Δ}). Row u of W_Q holds the
/// coefficients, constant term first and padded with zeros, of
///
///   p_u(t) = -Π_{w∈N(u)} (t - w)²,      p_u = -1 when u has no edge,
///
/// a polynomial of degree 2·|N(u)| <= 2Δ. On the one-hot embedding S_uv = p_u(v), hence
///
///   edge      S_uv = 0                                                     exactly;
///   non-edge  S_uv <= -1: a negated product of non-zero squares of integers.
///
/// So the channel always recovers the graph. The width does not grow with m: the price is
/// precision. Example (a test computes it): m = 3 and the edges 0→2, 2→0 give Δ = 1,
/// W_Q = (-4 4 -1; -1 0 0; 0 0 -1) and W_K = (1 0 0; 1 1 1; 1 2 4).

#include <qkcert/constructions/method.hpp>

namespace qkcert {

/// Parameters  none; not seeded.
/// Require     the one-hot embedding, d_model = m. Every graph is served: loops, none or all edges.
/// Ensure      heads = 1, head_dim = D_K = 2Δ + 1; the least edge score is 0, the greatest non-edge
///             score -1 or less. With M = m - 1 >= 1: keys are at most M^{2Δ} and queries at most
///             (1 + M)^{2Δ} = m^{2Δ}, the sum of the |coefficients| of (t + M)^{2Δ}.
/// Cost        O(m·Δ²) multiplications of integers of 2Δ·log₂ m bits.
/// Errors      MethodError for another embedding; SizeError beyond the limits of
///             constructions/storage.hpp.
/// Source      theory.md, section 3, `onehot-neighborly`.
Method onehot_neighborly_method();

}  // namespace qkcert
