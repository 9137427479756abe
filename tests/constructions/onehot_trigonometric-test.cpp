#include <algorithm>
#include <qkcert/constructions/onehot_trigonometric.hpp>
#include <set>

#include "constructions/proposals.hpp"

namespace qkcert {
namespace {

TEST_CASE("circle_points are distinct and on one circle, the smallest with so many") {
  // How many integer points each circle has, by counting them.
  constexpr std::int64_t side = 181;
  std::vector<std::size_t> on(side * side, 0);
  for (std::int64_t x = -side; x <= side; ++x)
    for (std::int64_t y = -side; y <= side; ++y)
      if (x * x + y * y < side * side) ++on[static_cast<std::size_t>(x * x + y * y)];
  for (std::size_t count = 1; count <= 64; ++count) {
    INFO("count = " << count);
    const CirclePoints points = circle_points(count);
    REQUIRE(points.x.size() == count);
    REQUIRE(points.y.size() == count);
    std::set<std::pair<Integer, Integer>> distinct;
    for (std::size_t v = 0; v < count; ++v) {
      CHECK(points.x[v] * points.x[v] + points.y[v] * points.y[v] == points.n);
      distinct.insert({points.x[v], points.y[v]});
    }
    CHECK(distinct.size() == count);
    std::size_t n = 1;
    while (n < on.size() && on[n] < count) ++n;
    REQUIRE(n < on.size());
    CHECK(points.n == n);
  }
  const CirclePoints many = circle_points(std::size_t{1} << 16);
  CHECK(bit_length(many.n) <= 77);
  std::set<std::pair<Integer, Integer>> distinct;
  for (std::size_t v = 0; v < many.x.size(); ++v) distinct.insert({many.x[v], many.y[v]});
  CHECK(distinct.size() == many.x.size());
  for (const std::size_t count : {std::size_t{0}, (std::size_t{1} << 16) + 1})
    CHECK_THROWS_AS(circle_points(count), ShapeError);
}

/// Π |ζ_v - ζ_w|² over the neighbours w of u.
Integer squared_distance(const Graph& graph, const CirclePoints& points, std::size_t u,
                         std::size_t v) {
  Integer product = 1;
  for (const Edge& edge : graph.edges_from(u)) {
    const Integer x = points.x[v] - points.x[edge.target], y = points.y[v] - points.y[edge.target];
    product *= x * x + y * y;
  }
  return product;
}

/// Scores of a row must be a constant minus a multiple of the squared distances, edges on top.
void check_trigonometric(const Graph& graph) {
  const std::size_t m = graph.vertices();
  const Embedding embedding = one_hot(m);
  const Request request{graph, embedding};
  const Method& method = find_method("onehot-trigonometric");
  const std::size_t width = std::max<std::size_t>(2 * graph.max_out_degree(), 1);
  CHECK(plan(method, request) == Architecture{1, width});
  CHECK(test::judged(request, "onehot-trigonometric").separated());
  const Channel channel = propose(method, request);
  if (m == 0 || graph.edges().empty()) return;
  const CirclePoints points = circle_points(m);
  const Head& head = channel.heads[0];
  const Integer four_n = 4 * points.n;
  CHECK(head.key.max_abs() * head.key.max_abs() <= power(points.n, width / 2));
  CHECK(head.query.max_abs() <= 2 * power(four_n, width));
  const auto score = [&](std::size_t u, std::size_t v) {
    Integer sum = 0;
    for (std::size_t j = 0; j < width; ++j) sum += head.query.at(u, j) * head.key.at(v, j);
    return sum;
  };
  for (std::size_t u = 0; u < m; ++u) {
    if (graph.out_degree(u) == 0) {
      for (std::size_t v = 0; v < m; ++v) CHECK(score(u, v) == 0);
      continue;
    }
    const Integer edge = score(u, graph.edges_from(u)[0].target);
    CHECK(edge > 0);
    std::optional<Rational> slope;
    for (std::size_t v = 0; v < m; ++v) {
      const Integer distance = squared_distance(graph, points, u, v);
      if (distance == 0) {
        CHECK(graph.contains({u, v}));
        CHECK(score(u, v) == edge);
        continue;
      }
      const Rational ratio = Rational(edge - score(u, v), distance);
      CHECK(ratio > 0);
      if (slope) CHECK(ratio == *slope);
      slope = ratio;
    }
  }
}

TEST_CASE("onehot-trigonometric recovers every graph with the predicted scores") {
  test::repeat(10, [](Random& random) {
    const std::uint64_t m = 2 + random.below(14);
    const std::uint64_t seed = random.below(1U << 30);
    for (const Family& family : {Family("permutation", {m}), Family("functional", {m}),
                                 Family("out-regular", {m, random.below(m)}),
                                 Family("digraph-loops", {m, random.below(m * m + 1)})})
      check_trigonometric(random_graph(family, seed));
    check_trigonometric(test::any_graph(random, m, random.below(6)));
  });
}

TEST_CASE("onehot-trigonometric with few vertices, without edges and with all of them") {
  for (std::size_t m = 0; m <= 5; ++m) {
    check_trigonometric(Graph(m, {}));
    Random random(1);
    check_trigonometric(test::any_graph(random, m, 0));
  }
}

TEST_CASE(
    "onehot-trigonometric, edges of one score when the constant terms have a small multiple") {
  Random random(test::seed());
  const Graph graph = random_graph(Family("functional", {30}), random.below(1000));
  const Embedding embedding = one_hot(30);
  const Extremes extremes = test::judged({graph, embedding}, "onehot-trigonometric");
  const Channel channel = propose(find_method("onehot-trigonometric"), {graph, embedding});
  CHECK(channel.weight_max() * channel.weight_max() <= circle_points(30).n);
  CHECK(extremes.least_edge->score == circle_points(30).n);
  CHECK(extremes.greatest_nonedge->score < extremes.least_edge->score);
}

TEST_CASE("onehot-trigonometric, the header's example") {
  const Graph graph(3, {{0, 2}, {2, 0}});
  const Embedding embedding = one_hot(3);
  const Channel channel = propose(find_method("onehot-trigonometric"), {graph, embedding});
  REQUIRE(channel.heads.size() == 1);
  CHECK(channel.heads[0].query == test::matrix({{-1, 0}, {0, 0}, {1, 0}}));
  CHECK(channel.heads[0].key == test::matrix({{1, 0}, {0, 1}, {-1, 0}}));
}

TEST_CASE("onehot-trigonometric with long weights") {
  check_trigonometric(random_graph(Family("out-regular", {40, 7}), test::seed()));
}

TEST_CASE("onehot-trigonometric says what it cannot serve") {
  const Graph graph(2, {});
  const Embedding embedding{Matrix(2, 3), 0};
  CHECK(test::message_of<MethodError>([&] {
          propose(find_method("onehot-trigonometric"), {graph, embedding});
        }) == "onehot-trigonometric: the embedding is not one-hot");
}

}  // namespace
}  // namespace qkcert
