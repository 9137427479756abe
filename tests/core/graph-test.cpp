#include <algorithm>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/graph.hpp>

#include "support.hpp"

namespace qkcert {
namespace {

/// A random graph as an adjacency matrix, the slow and obvious representation.
struct Adjacency {
  std::size_t m;
  std::vector<bool> has;
  bool at(std::size_t u, std::size_t v) const { return has[u * m + v]; }
};

Adjacency random_adjacency(Random& random) {
  Adjacency result{random.below(7), {}};
  const std::uint64_t density = 1 + random.below(4);
  for (std::size_t i = 0; i < result.m * result.m; ++i)
    result.has.push_back(random.below(density) == 0);
  return result;
}

std::vector<Edge> edges_of(const Adjacency& adjacency) {
  std::vector<Edge> edges;
  for (std::size_t u = 0; u < adjacency.m; ++u)
    for (std::size_t v = 0; v < adjacency.m; ++v)
      if (adjacency.at(u, v)) edges.push_back({u, v});
  return edges;
}

TEST_CASE("Graph agrees with an adjacency matrix") {
  test::repeat(300, [](Random& random) {
    const Adjacency expected = random_adjacency(random);
    const std::size_t m = expected.m;
    const Graph graph(m, edges_of(expected));
    REQUIRE(graph.vertices() == m);
    CHECK(graph.edges() == edges_of(expected));
    std::vector<std::size_t> in(m, 0), out(m, 0);
    std::size_t loops = 0;
    for (std::size_t u = 0; u < m; ++u) {
      for (std::size_t v = 0; v < m; ++v) {
        CHECK(graph.contains({u, v}) == expected.at(u, v));
        out[u] += expected.at(u, v);
        in[v] += expected.at(u, v);
        loops += u == v && expected.at(u, v);
      }
      CHECK(graph.out_degree(u) == out[u]);
      std::vector<Edge> from;
      for (const Edge& edge : graph.edges())
        if (edge.source == u) from.push_back(edge);
      const auto given = graph.edges_from(u);
      CHECK(std::equal(given.begin(), given.end(), from.begin(), from.end()));
    }
    CHECK(graph.in_degrees() == in);
    CHECK(graph.loops() == loops);
    CHECK(graph.max_in_degree() == (m == 0 ? 0 : *std::max_element(in.begin(), in.end())));
    CHECK(graph.max_out_degree() == (m == 0 ? 0 : *std::max_element(out.begin(), out.end())));
  });
}

TEST_CASE("a Graph without vertices, and vertices without edges") {
  CHECK(Graph().vertices() == 0);
  CHECK(Graph() == Graph(0, {}));
  CHECK(Graph().in_degrees().empty());
  const Graph isolated(5, {});
  CHECK(isolated.vertices() == 5);
  CHECK(isolated.edges_from(4).empty());
  CHECK_FALSE(isolated == Graph(4, {}));
}

TEST_CASE("graphs are equal when vertices and edges are") {
  const Graph graph(3, {{0, 1}, {2, 2}});
  CHECK(graph == Graph(3, {{0, 1}, {2, 2}}));
  CHECK_FALSE(graph == Graph(4, {{0, 1}, {2, 2}}));
  CHECK_FALSE(graph == Graph(3, {{0, 1}, {2, 1}}));
  CHECK_FALSE(graph == Graph(3, {{0, 1}}));
}

TEST_CASE("Graph refuses edges out of range or out of order, wherever they are") {
  const auto message = [](std::size_t vertices, std::vector<Edge> edges) -> std::string {
    try {
      Graph(vertices, std::move(edges));
    } catch (const ShapeError& error) {
      return error.what();
    }
    return "accepted";
  };
  const std::string range = "Graph: an edge names a vertex that does not exist";
  const std::string order = "Graph: the edges must be strictly increasing";
  const std::size_t none = static_cast<std::size_t>(-1);
  CHECK(message(3, {{0, 0}, {0, 2}, {1, 0}, {2, 2}}) == "accepted");
  CHECK(message(0, {{0, 0}}) == range);
  CHECK(message(3, {{0, 0}, {2, 3}}) == range);
  CHECK(message(3, {{0, 0}, {3, 0}}) == range);
  CHECK(message(3, {{0, 0}, {0, none}}) == range);
  CHECK(message(3, {{none, 0}}) == range);
  CHECK(message(none, {}) == "Graph: too many vertices");
  CHECK(message(3, {{0, 0}, {0, 0}}) == order);
  CHECK(message(3, {{0, 1}, {1, 2}, {1, 1}}) == order);
  CHECK(message(3, {{0, 1}, {2, 0}, {1, 0}}) == order);
}

TEST_CASE("edges_from refuses vertices that do not exist") {
  const Graph graph(2, {{1, 0}});
  CHECK_THROWS_MATCHES(graph.edges_from(2), ShapeError,
                       Catch::Message("Graph::edges_from: no such vertex"));
  CHECK_THROWS_AS(graph.out_degree(static_cast<std::size_t>(-1)), ShapeError);
}

TEST_CASE("contains answers for any pair") {
  const Graph graph(2, {{1, 0}});
  CHECK(graph.contains({1, 0}));
  CHECK_FALSE(graph.contains({0, 1}));
  CHECK_FALSE(graph.contains({7, 0}));
}

}  // namespace
}  // namespace qkcert
