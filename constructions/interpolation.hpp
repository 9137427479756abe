#pragma once
/// `interpolation`: heads without interference inside their blocks, on any embedding whose rows are
/// independent there; `interpolation-rounded`: the same in weights of at most weight-max.
///
/// The edges, shuffled, are coloured with h colours (constructions/edge_colouring.hpp), so with h
/// at least the largest out- and in-degree every block B is a partial permutation: distinct sources
/// S and distinct targets T, at most ⌈m'/h⌉ of each. The targets of a block get distinct codes
/// r_t ∈ {±1}^w, at random, and the head solves
///
///   X_S W_Q = R,      X_T W_K = R',      R' with the row r_t for t, R with the row r_t for the
///                                        source s of the edge (s, t),
///
/// by the solutions of least norm, W_Q = X_Sᵀ(X_S X_Sᵀ)⁻¹R and W_K likewise: they are zero on what
/// is orthogonal to the block's rows, and so leak least. X_S X_Sᵀ is invertible iff the rows of S
/// are independent. For s ∈ S and t' ∈ T the score is exactly
///
///   S_st' = ⟨r_t, r_t'⟩:   w for the edge (s, t), w - 2 or less for every other pair of S × T.
///
/// Outsiders leak: a pair with u ∉ S or v ∉ T scores what the projections of x_u and x_v on the
/// block's rows make of it. On orthogonal rows it scores 0; on others the proposal may fail.
///
/// If all m rows of the embedding are independent (so m <= d_model), nobody is an outsider: S and T
/// are completed by all other vertices with zero rows in R and R', and such pairs score exactly 0.
///
///   Claim  Then `interpolation` always recovers the graph, also with w = ⌈log₂ m⌉ (at least 1) and
///          h the largest out- or in-degree: D_K = h·w.
///   Proof  2^w >= m codes are enough for every block. An edge has a block; there it scores w times
///          the scale below, and a pair that is no edge at most max(w - 2, 0) times it in all
///          heads. The scales of two heads differ by less than one part in 2^10·w.  (end)
///
/// Integers. Let f_Q·W_Q and f_K·W_K be the smallest positive integer multiples that are integers,
/// f = f_Q·f_K, and C the largest f of the heads. If all f are equal, these are the weights, and
/// edges score w·C. Else T = 2^10·w·C, and the queries are multiplied by g = ⌊T/f⌋ in addition: in
/// the head of its block an edge scores w·g·f, more than w·(T - C) = wT - T/2^10, and every other
/// pair of S × T at most max(w-2, 0)·T, which is less.
///
/// Rounding. `interpolation-rounded` multiplies W_Q by A·σ/max|W_Q| and W_K by A·σ/max|W_K| and
/// takes the nearest integers, ties upward; A is weight-max, and σ² = ρ/(largest ρ) up to 2^-39
/// with ρ = max|W_Q|·max|W_K| of the head brings all heads to one scale. Rounding errors come on
/// top of the leaks.
///
/// Default  the w and h of the claim if all rows are independent; else w = 2·⌈log₂ m⌉ and
///          h = max(⌈8m'/d_model⌉, largest degree), at most m' (h and w at least 1).
///          Measured on random permutations and Gaussian rows of 16 bits with A = 127, out of 5:
///            m = 64, d_model = 32    8 × 16: 3,  16 × 12: 5,  16 × 16: 5
///            m = 64, d_model = 16    24 × 18: 2,  32 × 8: 4,  32 × 12: 4
///            m = 256, d_model = 128  8 × 24: 5,  16 × 16: 5

#include <qkcert/constructions/method.hpp>

namespace qkcert {

/// Parameters  heads, head_dim (defaults above), seed.
/// Require     heads at least the largest out- and in-degree and at most m' (1 if there is no
///             edge); ⌈m'/heads⌉ <= d_model and <= 2^head_dim; the rows of each block's sources
///             independent, and those of its targets: decided exactly, and another seed makes other
///             blocks.
/// Ensure      that architecture, D_K = heads·head_dim; the scores above in every block; the claim,
///             and on the one-hot embedding weights -1, 0, 1. Else weights have at most about
///             3·b·(2·log₂ max|x| + log₂ d_model) bits, b the size of a block, or m.
/// Cost        two solves for each head, in FLINT, of order b with head_dim right sides.
/// Errors      MethodError that names the limit, or the block and the vertex whose row depends on
///             those before it; SizeError beyond the limits of constructions/storage.hpp.
/// Source      theory.md, section 3, `interpolation`; the common scale is derived above.
Method interpolation_method();

/// The same with |weights| <= weight-max, rounded; it needs weight-max >= 1.
Method interpolation_rounded_method();

}  // namespace qkcert
