#pragma once
/// How many heads does this graph need at least? (theory.md, B3′)

#include <qkcert/bounds/refute.hpp>

namespace qkcert {

/// A clique of edges that need a head each. It is a lower bound on the number of heads only: more
/// may be needed, also because the pairs counted as undecided or untried may clash too.
struct HeadsClique {
  std::optional<HeadsCliqueBound> bound;  ///< absent when no two edges were found to clash
  std::size_t clashing = 0, held = 0, undecided = 0, untried = 0;  ///< pairs of edges
};

/// Asks refute for every pair of edges, then for the largest clique by branch and bound, which
/// keeps the best so far after 10^6 nodes.
///
/// Require  one embedding row per vertex.
/// Errors   ShapeError.
HeadsClique heads_clique(const Graph& graph, const Matrix& embedding,
                         const RefuteOptions& options = {});

/// A clique of the graph of `size` vertices with these undirected edges; the largest unless the
/// search is cut off. Increasing.
std::vector<std::size_t> large_clique(
    std::size_t size, const std::vector<std::pair<std::size_t, std::size_t>>& edges);

}  // namespace qkcert
