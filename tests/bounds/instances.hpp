#pragma once
/// Small graphs with embeddings of many degenerate kinds.

#include <qkcert/core/claim.hpp>

#include "plain_score.hpp"
#include "support.hpp"

namespace qkcert::test {

struct Instance {
  Graph graph;
  Matrix x;
};

inline constexpr std::size_t instance_kinds = 9;

/// The graph that a head recognises at a threshold.
inline Graph graph_of(const Matrix& x, const Head& head, const Integer& threshold) {
  std::vector<Edge> edges;
  for (std::size_t u = 0; u < x.rows(); ++u)
    for (std::size_t v = 0; v < x.rows(); ++v)
      if (plain_score(x, head, u, v) > threshold) edges.push_back({u, v});
  return Graph(x.rows(), std::move(edges));
}

inline Instance random_instance(Random& random, std::size_t kind) {
  const std::size_t m = 1 + random.below(10), d = 1 + random.below(4);
  Matrix x = random_matrix(random, m, d, kind == 0 ? 1 : kind == 1 ? 2 : kind == 2 ? 120 : 8);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < d; ++j) {
      if (kind == 3 && i % 2 == 1) x.set(i, j, x.at(i - 1, j));              // repeated rows
      if (kind == 4 && i % 3 == 0) x.set(i, j, std::int64_t{0});             // zero rows
      if (kind == 5) x.set(i, j, Integer(x.at(i, 0) * (j + 1)));             // rank one
      if (kind == 6 && j == 0) x.set(i, j, std::int64_t{1});                 // a column of ones
      if (kind == 7) x.set(i, j, Integer(x.at(i, j) * power_of_two(1100)));  // beyond floats
    }
  if (kind == 8) x = identity(m);
  const std::uint64_t percents[] = {0, 10, 50, 90, 100};
  return {random_digraph(random, m, percents[random.below(5)]), std::move(x)};
}

}  // namespace qkcert::test
