#pragma once
/// Equal points on both sides: the shortest multipliers there are.

#include <optional>
#include <qkcert/core/graph.hpp>
#include <qkcert/core/matrix.hpp>
#include <utility>
#include <vector>

namespace qkcert::refutation {

/// A kept edge and a non-edge with the same x_uᵀx_v (repeated, opposite or zero rows), if there
/// are. Exact and complete: rows are compared as factor·primitive direction.
/// Cost  O(m·d) gcds, O(m² log m).
std::optional<std::pair<Edge, Edge>> coincidence(const Graph& graph, const Matrix& embedding,
                                                 const std::vector<Edge>& kept);

}  // namespace qkcert::refutation
