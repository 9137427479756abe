#pragma once
/// Exact multipliers on a proposed support.

#include <optional>
#include <qkcert/core/graph.hpp>
#include <vector>

#include <qkcert/bounds/refute_int_matrix.hpp>

namespace qkcert::refutation {

/// The pairs on which a proposal is positive, each with +1 (edge) or -1 (non-edge).
struct SignedPair {
  Edge pair;
  int sign;
};

/// Positive integers y with Σ sign·y·x_uᵀx_v = 0 and Σ sign·y = 0, without common factor; absent
/// when the support is no circuit (its columns have no one-dimensional kernel) or y is not
/// positive.
///
/// Require  x has independent columns, the support at least two pairs.
/// Cost     one system of k-1 <= d² unknowns by Dixon's p-adic lifting (FLINT): O(k³) word
///          operations times about log k + bits; 14 s at k = 1026 with 40-bit columns.
std::optional<std::vector<Integer>> exact_multipliers(const IntMatrix& x,
                                                      const std::vector<SignedPair>& support);

/// Row numbers of `a` that are a basis of its row space modulo a 62-bit prime: independent over Q,
/// and a basis over Q too unless the prime is unlucky.
std::vector<slong> independent_rows(const IntMatrix& a);

}  // namespace qkcert::refutation
