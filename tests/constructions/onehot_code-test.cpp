#include <algorithm>

#include "constructions/proposals.hpp"

namespace qkcert {
namespace {

/// Checks the exact extremes that the header promises.
void check_code(const Graph& graph) {
  const std::size_t m = graph.vertices();
  std::size_t digits = 1;
  while (std::size_t{1} << digits < m) ++digits;
  const Embedding embedding = one_hot(m);
  const Request request{graph, embedding};
  CHECK(plan(find_method("onehot-code"), request) == Architecture{1, digits});
  CHECK(propose(find_method("onehot-code"), request).weight_max() == (m > 0 ? 1 : 0));
  const Extremes extremes = test::judged(request, "onehot-code");
  CHECK(extremes.separated());
  const auto d = static_cast<std::int64_t>(digits);
  CHECK(extremes.least_edge.has_value() == !graph.edges().empty());
  if (extremes.least_edge) CHECK(extremes.least_edge->score == d);
  // Some vertex always differs from a given one in one digit: clear a digit, or set the first.
  const bool silent = graph.edges().size() < m;
  const bool all_edges = graph.edges().size() == m * m;
  CHECK(extremes.greatest_nonedge.has_value() == !all_edges);
  if (graph.edges().empty() && m > 0)
    CHECK(extremes.greatest_nonedge->score == 0);
  else if (!all_edges)
    CHECK(extremes.greatest_nonedge->score == (silent ? std::max<std::int64_t>(d - 2, 0) : d - 2));
}

TEST_CASE("onehot-code recovers every graph of out-degree <= 1 with the promised extremes") {
  test::repeat(20, [](Random& random) {
    const std::uint64_t m = 2 + random.below(70);
    const std::uint64_t seed = random.below(1U << 30);
    for (const char* name : {"permutation", "derangement", "functional"})
      check_code(random_graph(Family(name, {m}), seed));
    check_code(random_graph(Family("matching", {m, random.below(m / 2 + 1)}), seed));
    check_code(random_graph(Family("out-regular", {m, random.below(2)}), seed));
    for (const std::uint64_t silent : {0, 1, 5})
      check_code(test::partial_function(random, m, silent));
  });
}

TEST_CASE("onehot-code at every width step, with few vertices and without edges") {
  for (std::uint64_t m = 0; m <= 9; ++m) check_code(Graph(m, {}));
  check_code(Graph(1, {{0, 0}}));
  check_code(Graph(2, {{0, 1}}));
  check_code(Graph(2, {{1, 1}}));
  for (const std::uint64_t m : {3, 4, 5, 8, 9, 16, 17, 64, 65})
    check_code(random_graph(Family("permutation", {m}), m));
}

TEST_CASE("onehot-code, the header's example") {
  const Graph graph(3, {{0, 2}, {1, 2}});
  const Embedding embedding = one_hot(3);
  const Channel channel = propose(find_method("onehot-code"), {graph, embedding});
  REQUIRE(channel.heads.size() == 1);
  CHECK(channel.heads[0].query == test::matrix({{-1, 1}, {-1, 1}, {0, 0}}));
  CHECK(channel.heads[0].key == test::matrix({{-1, -1}, {1, -1}, {-1, 1}}));
}

TEST_CASE("onehot-code reproduces the sample certificate") {
  const RecoveryClaim claim = test::sample("onehot-code-8");
  const Embedding embedding{claim.embedding, 0};
  CHECK(propose(find_method("onehot-code"), {claim.graph, embedding}) == claim.channel);
}

TEST_CASE("onehot-code says what it cannot serve") {
  const auto refusal = [](const Graph& graph, const Embedding& embedding) {
    return test::message_of<MethodError>([&] {
      propose(find_method("onehot-code"), {graph, embedding});
    });
  };
  const std::string embedding = "onehot-code: the embedding is not one-hot";
  CHECK(refusal(Graph(2, {}), {Matrix(2, 2), 0}) == embedding);
  CHECK(refusal(Graph(2, {}), {test::matrix({{0, 1}, {1, 0}}), 0}) == embedding);
  CHECK(refusal(Graph(2, {}), {test::matrix({{1, 0, 0}, {0, 1, 0}}), 0}) == embedding);
  CHECK(refusal(Graph(4, {{0, 1}, {1, 0}, {3, 0}, {3, 1}, {3, 3}}), one_hot(4)) ==
        "onehot-code: needs out-degree <= 1, vertex 3 has 3");
}

}  // namespace
}  // namespace qkcert
