#include <algorithm>
#include <array>
#include <bit>
#include <qkcert/verify/extremes.hpp>

#include "support.hpp"

namespace qkcert {
namespace {

using namespace test;

/// The decoder threshold-max itself: whether u takes v for its neighbour.
bool declares(const Matrix& x, const Channel& channel, std::size_t u, std::size_t v,
              const Integer& threshold) {
  for (const Head& head : channel.heads) {
    Integer score = 0;
    for (std::size_t j = 0; j < head.width(); ++j)
      for (std::size_t a = 0; a < x.cols(); ++a)
        for (std::size_t b = 0; b < x.cols(); ++b)
          score += x.at(u, a) * head.query.at(a, j) * head.key.at(b, j) * x.at(v, b);
    if (score > threshold) return true;
  }
  return false;
}

/// Whether every vertex of every context of at most `largest` vertices gets exactly its neighbours.
bool recovers_every_context(const Graph& graph, const std::vector<std::vector<bool>>& declared,
                            int largest) {
  const std::size_t m = graph.vertices();
  for (unsigned context = 1; context < 1U << m; ++context) {
    if (std::popcount(context) > largest) continue;
    const auto inside = [&](std::size_t v) { return (context >> v & 1) != 0; };
    for (std::size_t u = 0; u < m; ++u) {
      if (!inside(u)) continue;
      std::vector<std::size_t> found, neighbours;
      for (std::size_t v = 0; v < m; ++v)
        if (inside(v) && declared[u][v]) found.push_back(v);
      for (const Edge& edge : graph.edges_from(u))
        if (inside(edge.target)) neighbours.push_back(edge.target);
      if (found != neighbours) return false;
    }
  }
  return true;
}

TEST_CASE("Theorem 1: every context is recovered iff the threshold separates the extremes") {
  std::array<std::size_t, 2> outcomes{};
  repeat(600, [&](Random& random) {
    const std::size_t m = 1 + random.below(6);
    const std::size_t d_model = 1 + random.below(3);
    const Matrix x = random_matrix(random, m, d_model, 2);
    const Channel channel = random_channel(random, d_model, 3, 2, 2);
    const Integer threshold = random_integer(random, 4);

    std::vector<std::vector<bool>> declared(m, std::vector<bool>(m));
    std::vector<Edge> edges;
    for (std::size_t u = 0; u < m; ++u)
      for (std::size_t v = 0; v < m; ++v) {
        declared[u][v] = declares(x, channel, u, v, threshold);
        if (declared[u][v]) edges.push_back({u, v});
      }
    // The graph that the channel stores, in half of the rounds with one pair changed.
    if (random.below(2) == 0) {
      const Edge pair{random.below(m), random.below(m)};
      const auto at = std::lower_bound(edges.begin(), edges.end(), pair);
      if (at != edges.end() && *at == pair)
        edges.erase(at);
      else
        edges.insert(at, pair);
    }
    const Graph graph(m, std::move(edges));

    const Extremes extremes = score_extremes(graph, x, channel, 1);
    const bool separates =
        (!extremes.least_edge || extremes.least_edge->score > threshold) &&
        (!extremes.greatest_nonedge || extremes.greatest_nonedge->score <= threshold);
    CHECK(recovers_every_context(graph, declared, static_cast<int>(m)) == separates);
    CHECK(recovers_every_context(graph, declared, 2) == separates);
    if (separates) CHECK(extremes.separated());
    ++outcomes[separates];
  });
  CHECK(outcomes[0] > 200);
  CHECK(outcomes[1] > 200);
}

}  // namespace
}  // namespace qkcert
