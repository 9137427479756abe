#pragma once
/// `projection`: linear associative memories on any embedding, at random.
///
/// The sources (vertices with an edge) are shuffled and dealt out to h blocks in turn; a source
/// takes all its edges along. The head of the block B has a matrix Π of d_model × d_k random signs
/// (fresh ones in every block) and
///
///   W_K = Π,      W_Q = Σ_{u∈B} x_uᵀ y_u Π,      y_u = Σ_{v∈N(u)} x_v,
///
/// rows as row vectors, so that W_Q maps a source to the projected sum of its targets. A pair
/// scores
///
///   S_uv = Σ_{a∈B} ⟨x_u,x_a⟩·⟨y_a Π, x_v Π⟩,      of mean d_k·Σ_{a∈B} ⟨x_u,x_a⟩·⟨y_a,x_v⟩ over Π.
///
/// On orthogonal rows the mean is d_k·|x_u|²·|x_v|² for an edge of the block and 0 else. There are
/// three kinds of interference: the projection's, which falls as 1/√d_k; other sources of the
/// block, mended by more heads; and the terms a = u, ⟨y_u,x_v⟩ for a vertex v that is no target
/// of u, which nothing mends: rows whose inner products are not small against their squared norms
/// are not served. On the one-hot embedding one head is `onehot-signature`.
///
/// Default  h = ⌈8·(sources)/d_model⌉, at most the sources; d_k = 16·⌈log₂ m⌉; both at least 1.
///          Measured on random permutations and Gaussian rows of 16 bits, recovered of 5:
///            m = d_model = 64    8 × 96: 2,  8 × 128: 4,  8 × 256: 5
///            m = d_model = 128   8 × 112: 4, 16 × 112: 5
///            m = d_model = 256   8 × 128: 5
///          With d_model well below m it seldom serves: the third kind of interference.

#include <qkcert/constructions/method.hpp>

namespace qkcert {

/// Parameters  heads, head_dim (defaults above), seed.
/// Require     any graph, any embedding; heads at most the number of sources (1 if there is none).
/// Ensure      that architecture, D_K = heads·head_dim. Keys -1 and 1; |query| <=
///             ⌈sources/heads⌉·Δ·d_model·max|x|², Δ the largest out-degree. Whether the graph is
///             recovered is open: callers try other seeds.
/// Cost        O(m'·d_model + sources·d_model·head_dim).
/// Errors      MethodError that names the greatest number of heads.
/// Source      theory.md, section 3, `projection`; T. Kohonen, IEEE Trans. Comput. C-21 (1972) 353.
Method projection_method();

}  // namespace qkcert
