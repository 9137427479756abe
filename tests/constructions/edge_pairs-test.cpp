#include <algorithm>
#include <qkcert/constructions/good_pairs.hpp>

#include "constructions/proposals.hpp"

namespace qkcert {
namespace {

const Method& pairs_method() { return find_method("edge-pairs"); }

/// The size of a largest matching, by trying everything.
std::size_t largest_matching(const std::vector<std::vector<bool>>& joined, std::vector<bool>& used,
                             std::size_t first = 0) {
  while (first < used.size() && used[first]) ++first;
  if (first == used.size()) return 0;
  used[first] = true;
  std::size_t most = largest_matching(joined, used, first + 1);
  for (std::size_t other = first + 1; other < used.size(); ++other) {
    if (used[other] || !joined[first][other]) continue;
    used[other] = true;
    most = std::max(most, 1 + largest_matching(joined, used, first + 1));
    used[other] = false;
  }
  used[first] = false;
  return most;
}

std::size_t fewest_heads(const Graph& graph, const Matrix& rows) {
  const GoodVectors vectors(rows);
  const auto& edges = graph.edges();
  std::vector<std::vector<bool>> joined(edges.size(), std::vector<bool>(edges.size(), false));
  for (std::size_t e = 0; e < edges.size(); ++e)
    for (std::size_t f = 0; f < edges.size(); ++f)
      joined[e][f] = edges[e].source != edges[f].source && edges[e].target != edges[f].target &&
                     vectors.pair(edges[e].source, edges[f].source) &&
                     vectors.pair(edges[e].target, edges[f].target);
  std::vector<bool> used(edges.size(), false);
  return edges.size() - largest_matching(joined, used);
}

TEST_CASE("edge-pairs recovers every graph that it serves, by as few heads as its pairs allow") {
  std::size_t served = 0, refused = 0, fewer = 0;
  test::repeat(150, [&](Random& random) {
    const std::size_t m = 1 + random.below(7);
    const Graph graph = test::any_graph(random, m, 3 + random.below(5));
    if (graph.edges().empty() || graph.edges().size() > 12) return;
    const Embedding embedding{
        test::random_matrix(random, m, 2 + random.below(5), 2 + unsigned(random.below(20))), 0};
    const Request request{graph, embedding};
    try {
      const Architecture planned = plan(pairs_method(), request);
      ++served;
      const Extremes extremes = test::judged(request, "edge-pairs");
      CHECK(extremes.separated());
      CHECK(planned.head_dim == 1);
      CHECK(planned.heads == fewest_heads(graph, embedding.rows));
      fewer += planned.heads < graph.edges().size();
    } catch (const MethodError& error) {
      ++refused;
      CHECK_THAT(error.what(), Catch::StartsWith("edge-pairs: the edge ("));
      CHECK_THROWS_AS(propose(pairs_method(), request), MethodError);
    }
  });
  CHECK(served > 30);
  CHECK(refused > 10);
  CHECK(fewer > 20);
}

TEST_CASE("edge-pairs: half as many heads as edges in many dimensions, for every family") {
  test::repeat(3, [](Random& random) {
    const std::uint64_t m = 8 + random.below(6);
    const std::uint64_t seed = random.below(1U << 30);
    const Embedding gaussian = gaussian_embedding(m, 30, 10, seed);
    const Embedding hot = one_hot(m);
    std::vector<std::uint64_t> degrees = {m};
    for (std::uint64_t u = 0; u < m; ++u) degrees.push_back(1 + random.below(3));
    for (const Family& family :
         {Family("permutation", {m}), Family("derangement", {m}), Family("out-regular", {m, 3}),
          Family("digraph", {m, 3 * m}), Family("digraph-loops", {m, 3 * m + 1}),
          Family("matching", {m, m / 2}), Family("out-degrees", degrees)}) {
      const Graph graph = random_graph(family, seed);
      INFO(family.to_string());
      for (const Embedding* embedding : {&gaussian, &hot}) {
        CHECK(test::judged({graph, *embedding}, "edge-pairs").separated());
        CHECK(plan(pairs_method(), {graph, *embedding}).heads == (graph.edges().size() + 1) / 2);
      }
    }
    // Edges into one vertex never share a head.
    const Graph star(m, [m] {
      std::vector<Edge> edges;
      for (std::size_t u = 0; u < m; ++u) edges.push_back({u, 0});
      return edges;
    }());
    CHECK(plan(pairs_method(), {star, hot}).heads == m);
    CHECK(test::judged({star, hot}, "edge-pairs").separated());
  });
}

TEST_CASE("edge-pairs: 64 vertices in 16 dimensions take 32 heads, the least there can be") {
  const Embedding embedding = gaussian_embedding(64, 16, 20, 1);
  test::repeat(3, [&](Random& random) {
    const Graph graph = random_graph(Family("permutation", {64}), random.below(1U << 30));
    CHECK(test::judged({graph, embedding}, "edge-pairs").separated());
    CHECK(plan(pairs_method(), {graph, embedding}).heads == 32);
  });
}

TEST_CASE("edge-pairs says what it cannot serve") {
  const auto refusal = [](const Graph& graph, const Matrix& rows) {
    const Embedding embedding{rows, 0};
    return test::message_of<MethodError>([&] { propose(pairs_method(), {graph, embedding}); });
  };
  CHECK(refusal(Graph(2, {}), identity(2)) == "edge-pairs: the graph has no edge");
  CHECK(refusal(Graph(3, {{0, 1}}), test::matrix({{1, 0}, {0, 1}, {0, 1}})) ==
        "edge-pairs: the edge (0, 1) is compatible with no edge that is left, and no vector was "
        "found that singles out row 1 of the embedding");
  CHECK_THAT(refusal(Graph(1, {{0, 0}}), Matrix(1, 2)), Catch::Contains("singles out row 0"));
  CHECK_THAT(refusal(Graph(1, {{0, 0}}), Matrix(1, 0)), Catch::Contains("singles out row 0"));
  // Rows 0 and 1 are opposite: a pair, but no singles.
  const Matrix opposite = test::matrix({{3, 1}, {-3, -1}, {1, 1}});
  CHECK(refusal(Graph(3, {{0, 0}, {1, 1}}), opposite) == "no error");
  CHECK_THAT(refusal(Graph(3, {{0, 0}}), opposite), Catch::Contains("singles out row 0"));
}

}  // namespace
}  // namespace qkcert
