#pragma once
/// Is this graph beyond one head of small weights, though real weights may do? (theory.md, B3″)

#include <qkcert/bounds/refute.hpp>

namespace qkcert {

/// Multipliers with width·weight_max²·Σ|M_ij| < Σλ = Σμ, M = Σλ·x_uᵀx_v - Σμ·x_uᵀx_v; absent when
/// none were found, which proves nothing.
///
/// Σ|M_ij| is minimised by reweighted least squares on HullSolver, then rounded to the least of a
/// few numbers of bits that does, and checked in integers.
///
/// Require  one embedding row per vertex; width, weight_max >= 1.
/// Errors   ShapeError.
std::optional<NarrowHeadImpossibility> refute_narrow_head(const Graph& graph,
                                                          const Matrix& embedding,
                                                          const Integer& width,
                                                          const Integer& weight_max,
                                                          const RefuteOptions& options = {});

}  // namespace qkcert
