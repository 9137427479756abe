#pragma once
/// `tuple-per-head`: a head of width w for up to 2^w edges of a partial permutation.
///
/// The edges are dealt out by source to blocks of b = min(2^w, d_model, m'). In a block every edge
/// (s, t) has code signs r ∈ {±1}^w of its own. W_Q is a map with x_s·W_Q near c·r for the block's
/// sources and all other rows short, W_K the same for its targets (constructions/minimax.hpp), both
/// rounded to integers. Were the images exact and the outsiders shorter than the codes, then by
/// Cauchy–Schwarz
///
///   edges of the block score c²·w, other pairs inside at most c²·(w-2), pairs with an outsider less;
///
/// such tuples are the *good* ones of the theory. Here a head is taken as good when its scores,
/// computed exactly over all pairs, say so: every edge of the block above every non-edge. (Edges of
/// other blocks may score anything.) Maps at 8, 16 and 24 bits are tried; a block without a good head
/// is halved. The queries are multiplied by the factors of constructions/common_threshold.hpp.
///
/// D_K is w·⌈m'/b⌉ when all blocks are good: below the m'/2 of edge-pairs from w = 3 on, where
/// d_model leaves room for so many prescribed images (about d_model >= 4·b in Gaussian embeddings).
/// A universal certificate would have to witness every target tuple of b vertices; there are
/// C(m, b), and so none is offered but that of `edge-pairs`, the case b = 2.

#include <qkcert/constructions/method.hpp>

namespace qkcert {

/// Parameters  head-dim w, 1 to 16; by default the w <= 6 of least D_K. Not seeded.
/// Require     at least one edge; out-degree and in-degree <= 1; each edge has at least a head alone.
/// Ensure      heads × w; every edge scores above some τ in its block's head, no non-edge in any.
/// Cost        O(m·d_model²) floats a step and O(m²·w) exact multiply-adds for each head tried; six
///             times that by default, and proposing plans anew.
/// Errors      MethodError that names the vertex of larger degree, or the edge that no head was found
///             for; SizeError beyond the limits of constructions/storage.hpp.
/// Source      theory.md, section 3, `tuple-per-head`.
Method tuple_per_head_method();

}  // namespace qkcert
