#include <algorithm>
#include <map>
#include <qkcert/constructions/edge_colouring.hpp>

#include "constructions/proposals.hpp"

namespace qkcert {
namespace {

/// Counts how often each colour leaves and enters each vertex, and the sizes, against the claim.
void check_colours(const Graph& graph, std::span<const Edge> edges, std::size_t colours) {
  INFO("m = " << graph.vertices() << ", m' = " << edges.size() << ", colours = " << colours);
  const auto colour_of = edge_colours(graph.vertices(), edges, colours);
  REQUIRE(colour_of.size() == edges.size());
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> out, in;
  std::vector<std::size_t> sizes(colours, 0);
  for (std::size_t e = 0; e < edges.size(); ++e) {
    REQUIRE(colour_of[e] < colours);
    ++sizes[colour_of[e]];
    ++out[{edges[e].source, colour_of[e]}];
    ++in[{edges[e].target, colour_of[e]}];
  }
  const auto in_degrees = graph.in_degrees();
  for (const auto& [key, count] : out)
    CHECK(count * colours < graph.out_degree(key.first) + colours);
  for (const auto& [key, count] : in) CHECK(count * colours < in_degrees[key.first] + colours);
  for (const std::size_t size : sizes) {
    CHECK(size >= edges.size() / colours);
    CHECK(size * colours < edges.size() + colours);
  }
  CHECK(edge_colours(graph.vertices(), edges, colours) == colour_of);
  const auto blocks = colour_blocks(graph.vertices(), edges, colours);
  REQUIRE(blocks.size() == colours);
  std::vector<std::size_t> next(colours, 0);
  for (std::size_t e = 0; e < edges.size(); ++e)
    CHECK(blocks[colour_of[e]].at(next[colour_of[e]]++) == edges[e]);
  for (std::size_t c = 0; c < colours; ++c) CHECK(blocks[c].size() == next[c]);
}

TEST_CASE("colours spread the edges of every vertex evenly, for any number of them") {
  test::repeat(60, [](Random& random) {
    const std::size_t m = 1 + random.below(14);
    const Graph graph = test::any_graph(random, m, random.below(8));
    std::vector<Edge> edges = graph.edges();
    for (std::size_t i = edges.size(); i > 1; --i) std::swap(edges[i - 1], edges[random.below(i)]);
    for (const std::size_t colours :
         {std::size_t{1}, std::size_t{2}, std::max<std::size_t>(matchings_needed(graph), 1),
          1 + random.below(m + 3), edges.size() + 2})
      check_colours(graph, edges, colours);
  });
}

TEST_CASE("the largest degree is enough for matchings, and needed") {
  test::repeat(60, [](Random& random) {
    const std::size_t m = 1 + random.below(14);
    const Graph graph = test::any_graph(random, m, random.below(8));
    const std::size_t colours = matchings_needed(graph);
    std::size_t largest = 0;
    for (std::size_t v = 0; v < m; ++v) {
      std::size_t in = 0;
      for (const Edge& edge : graph.edges()) in += edge.target == v;
      largest = std::max({largest, in, graph.out_degree(v)});
    }
    CHECK(colours == largest);
    if (colours == 0) return;
    for (const auto& block : colour_blocks(m, graph.edges(), colours)) {
      std::vector<bool> left(m, false), entered(m, false);
      for (const auto& [source, target] : block) {
        CHECK_FALSE(left[source]);
        CHECK_FALSE(entered[target]);
        left[source] = entered[target] = true;
      }
    }
  });
}

TEST_CASE("colours of stars, of complete graphs and of no edges") {
  std::vector<Edge> star;
  for (std::size_t v = 0; v < 3000; ++v) star.push_back({0, v});
  check_colours(Graph(3000, star), star, 3000);
  check_colours(Graph(3000, star), star, 7);
  Random random(1);
  const Graph complete = test::any_graph(random, 30, 0);
  check_colours(complete, complete.edges(), 30);
  CHECK(edge_colours(4, {}, 3).empty());
  CHECK(colour_blocks(0, {}, 2) == std::vector<std::vector<Edge>>(2));
}

TEST_CASE("colouring says what it needs") {
  const std::vector<Edge> edges = {{0, 2}, {1, 0}};
  CHECK(test::message_of<ShapeError>([&] { edge_colours(3, edges, 0); }) ==
        "edge_colours: at least one colour is required");
  CHECK(test::message_of<ShapeError>([&] { edge_colours(2, edges, 1); }) ==
        "edge_colours: an end of an edge is no vertex");
  CHECK(test::message_of<ShapeError>([&] {
          edge_colours(3, edges, static_cast<std::size_t>(-1));
        }) == "edge_colours: too many colours");
}

}  // namespace
}  // namespace qkcert
