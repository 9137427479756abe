#include "constructions/proposals.hpp"

namespace qkcert {
namespace {

/// -Π (v - w)² over the neighbours w of u: the score, computed without any weights.
Integer expected_score(const Graph& graph, std::size_t u, std::size_t v) {
  Integer score = -1;
  for (const Edge& edge : graph.edges_from(u)) {
    const Integer difference = Integer(v) - edge.target;
    score *= difference * difference;
  }
  return score;
}

/// Checks the promised architecture, bounds and exact extremes.
void check_neighborly(const Graph& graph) {
  const std::size_t m = graph.vertices();
  const Embedding embedding = one_hot(m);
  const Request request{graph, embedding};
  const std::size_t width = 2 * graph.max_out_degree() + 1;
  CHECK(plan(find_method("onehot-neighborly"), request) == Architecture{1, width});
  const Channel channel = propose(find_method("onehot-neighborly"), request);
  if (m > 0) {
    CHECK(channel.heads[0].key.max_abs() == (m == 1 ? 1 : power(m - 1, width - 1)));
    CHECK(channel.heads[0].query.max_abs() <= power(m, width - 1));
  }
  const Extremes extremes = test::judged(request, "onehot-neighborly");
  CHECK(extremes.separated());
  CHECK(extremes.least_edge.has_value() == !graph.edges().empty());
  if (extremes.least_edge) CHECK(extremes.least_edge->score == 0);
  std::optional<Integer> greatest;
  for (std::size_t u = 0; u < m; ++u)
    for (std::size_t v = 0; v < m; ++v)
      if (!graph.contains({u, v})) {
        const Integer score = expected_score(graph, u, v);
        CHECK(score <= -1);
        if (!greatest || score > *greatest) greatest = score;
      }
  REQUIRE(extremes.greatest_nonedge.has_value() == greatest.has_value());
  if (greatest) CHECK(extremes.greatest_nonedge->score == *greatest);
}

TEST_CASE("onehot-neighborly recovers every graph with the predicted extremes") {
  test::repeat(10, [](Random& random) {
    const std::uint64_t m = 2 + random.below(16);
    const std::uint64_t seed = random.below(1U << 30);
    std::vector<std::uint64_t> degrees = {m};
    for (std::uint64_t u = 0; u < m; ++u) degrees.push_back(random.below(m));
    for (const Family& family :
         {Family("permutation", {m}), Family("derangement", {m}), Family("functional", {m}),
          Family("out-regular", {m, random.below(m)}),
          Family("digraph", {m, random.below(m * (m - 1) + 1)}),
          Family("digraph-loops", {m, random.below(m * m + 1)}),
          Family("matching", {m, random.below(m / 2 + 1)}), Family("out-degrees", degrees)})
      check_neighborly(random_graph(family, seed));
    check_neighborly(test::any_graph(random, m, random.below(6)));
  });
}

TEST_CASE("onehot-neighborly with few vertices, without edges and with all of them") {
  for (std::size_t m = 0; m <= 4; ++m) {
    check_neighborly(Graph(m, {}));
    Random random(1);
    check_neighborly(test::any_graph(random, m, 0));
  }
  const Embedding embedding = one_hot(5);
  const Graph empty(5, {});
  CHECK(plan(find_method("onehot-neighborly"), {empty, embedding}) == Architecture{1, 1});
}

TEST_CASE("onehot-neighborly, the header's example") {
  const Graph graph(3, {{0, 2}, {2, 0}});
  const Embedding embedding = one_hot(3);
  const Channel channel = propose(find_method("onehot-neighborly"), {graph, embedding});
  REQUIRE(channel.heads.size() == 1);
  CHECK(channel.heads[0].query == test::matrix({{-4, 4, -1}, {-1, 0, 0}, {0, 0, -1}}));
  CHECK(channel.heads[0].key == test::matrix({{1, 0, 0}, {1, 1, 1}, {1, 2, 4}}));
}

TEST_CASE("onehot-neighborly reproduces the sample certificate") {
  const RecoveryClaim claim = test::sample("onehot-neighborly-7");
  const Embedding embedding{claim.embedding, 0};
  CHECK(propose(find_method("onehot-neighborly"), {claim.graph, embedding}) == claim.channel);
}

TEST_CASE("onehot-neighborly with weights beyond machine integers") {
  Random random(test::seed());
  const Graph graph = random_graph(Family("out-regular", {40, 12}), random.below(1000));
  const Embedding embedding = one_hot(40);
  CHECK(bit_length(propose(find_method("onehot-neighborly"), {graph, embedding}).weight_max()) >
        63);
  check_neighborly(graph);
}

TEST_CASE("onehot-neighborly says what it cannot serve") {
  const Graph graph(2, {});
  const Embedding embedding{Matrix(2, 3), 0};
  CHECK(test::message_of<MethodError>([&] {
          propose(find_method("onehot-neighborly"), {graph, embedding});
        }) == "onehot-neighborly: the embedding is not one-hot");
}

}  // namespace
}  // namespace qkcert
