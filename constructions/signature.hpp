#pragma once
/// `signature`: heads of logarithmic width on any embedding, at random.
///
/// The targets are shuffled and the edges, ordered by target, go to h blocks whose sizes differ by
/// at most one. If no out-degree exceeds 1 they are dealt out in turn, so that up to h sources of
/// one target go to different blocks. Other graphs are coloured with h colours
/// (constructions/edge_colouring.hpp), a block each: with h at least the largest out- and
/// in-degree a block is a partial permutation; with fewer heads a source keeps up to
/// ⌈out-degree/h⌉ edges in one block, whose scores then interfere. In the block B every target t
/// gets d_k random signs r_t (fresh ones in every block), and its head is
///
///   W_Q = Σ_{(u,t)∈B} x_u r_tᵀ,      W_K = Σ_{targets t of B} x_t r_tᵀ,
///
/// so that sources of one target share its signature where they meet in a block. A pair scores
///
///   S_uv = Σ_{(a,s)∈B} Σ_t ⟨x_u,x_a⟩·⟨r_s,r_t⟩·⟨x_t,x_v⟩.
///
/// With orthogonal rows only a = u and t = v remain: in a block where (u,v) is the only edge of u
/// it scores exactly d_k·|x_u|²·|x_v|². Else two kinds of interference come on top, and the channel
/// may fail: signatures of small width that agree by chance, which another seed or a larger d_k
/// mends; and the terms s = t, which do not fall with d_k but with |B|, so that more heads mend
/// them. Rows of very different norms make edges of very different scores, which nothing here evens
/// out.
///
/// Default  h = ⌈8·m'/d_model⌉, at most m' and at least 1; d_k = max(1, 8·⌈log₂ m⌉).
///          Measured on Gaussian rows of 16 bits, recovered of tried:
///            m            64    96    128   256   512   64    256   512   1024
///            d_model      16    64    32    64    128   64    256   512   1024
///            h × d_k      32×48 12×56 32×56 32×64 32×72 8×48  8×64  8×72  8×80
///            permutation  2/10  9/10  3/10  7/10  3/3   9/10  5/5   3/3   3/3
///            functional   3/10  8/10  2/10  5/10  3/3   10/10 5/5   3/3
///          Half of the default heads still served permutations of m = d_model >= 256 in most
///          trials, a quarter of them none. With the defaults D_K < m', what `edge-per-head`
///          takes, needs d_model > 64·log₂ m: the method shows the growth m·log(m)/d_model, its
///          constants are large.

#include <qkcert/constructions/method.hpp>

namespace qkcert {

/// Parameters  heads, head_dim (defaults above), seed.
/// Require     any graph, any embedding; heads at most the number of edges (1 if there is none).
/// Ensure      that architecture, D_K = heads·head_dim; |weight| <= ⌈m'/heads⌉·max|x|. The
///             signs and blocks depend on the graph, the architecture and the seed, not on the
///             embedding. Whether the graph is recovered is open: callers try other seeds.
/// Cost        O(m'·d_model·head_dim), and the colouring where there is one.
/// Errors      MethodError that names the greatest number of heads.
/// Source      theory.md, section 3, `signature`; M. Adler, arXiv 2509.22840.
Method signature_method();

}  // namespace qkcert
