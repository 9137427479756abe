#include <algorithm>

#include "constructions/proposals.hpp"

namespace qkcert {
namespace {

const Method& edges_method() { return find_method("edge-per-head"); }

Integer product(const Matrix& rows, std::size_t u, std::size_t w) {
  Integer sum = 0;
  for (std::size_t j = 0; j < rows.cols(); ++j) sum += rows.at(u, j) * rows.at(w, j);
  return sum;
}

/// Whether the method's need is met, straight from its statement.
bool dominated(const Graph& graph, const Matrix& rows) {
  for (const auto& [source, target] : graph.edges())
    for (const std::size_t u : {source, target})
      for (std::size_t w = 0; w < rows.rows(); ++w)
        if (product(rows, u, u) == 0 || (w != u && product(rows, u, u) <= abs(product(rows, u, w))))
          return false;
  return !graph.edges().empty();
}

/// Checks that every edge scores exactly G and every other pair less, in every head.
void check_edges(const Graph& graph, const Embedding& embedding) {
  const Request request{graph, embedding};
  CHECK(plan(edges_method(), request) == Architecture{graph.edges().size(), 1});
  Integer common = 1;
  for (const auto& [a, b] : graph.edges())
    common = lcm(common, product(embedding.rows, a, a) * product(embedding.rows, b, b));
  const Extremes extremes = test::judged(request, "edge-per-head");
  CHECK(extremes.separated());
  CHECK(extremes.least_edge.value().score == common);
  if (extremes.greatest_nonedge) CHECK(extremes.greatest_nonedge->score <= common - 1);
  const Channel channel = propose(edges_method(), request);
  for (std::size_t k = 0; k < channel.heads.size(); ++k) {
    CHECK(channel.heads[k].query.max_abs() <= common);
    // Alone, head k holds its edge and no other pair.
    const Graph single(graph.vertices(), {graph.edges()[k]});
    const Extremes alone = score_extremes(single, embedding.rows, {{channel.heads[k]}}, 1);
    CHECK(alone.least_edge->score == common);
    if (alone.greatest_nonedge) CHECK(alone.greatest_nonedge->score <= common - 1);
  }
}

TEST_CASE("edge-per-head recovers every graph on an embedding that dominates") {
  test::repeat(6, [](Random& random) {
    const std::uint64_t m = 2 + random.below(10);
    const std::uint64_t seed = random.below(1U << 30);
    // Far more dimensions than vertices: every row dominates.
    const Embedding gaussian = gaussian_embedding(m, 40, 10, seed);
    const Embedding hot = one_hot(m);
    std::vector<std::uint64_t> degrees = {m, 1};
    for (std::uint64_t u = 1; u < m; ++u) degrees.push_back(random.below(m));
    for (const Family& family :
         {Family("permutation", {m}), Family("derangement", {m}), Family("functional", {m}),
          Family("out-regular", {m, 1 + random.below(m - 1)}),
          Family("digraph", {m, 1 + random.below(m * (m - 1))}),
          Family("digraph-loops", {m, 1 + random.below(m * m)}),
          Family("matching", {m, 1 + random.below(m / 2)}), Family("out-degrees", degrees)}) {
      const Graph graph = random_graph(family, seed);
      INFO(family.to_string());
      for (const Embedding* embedding : {&gaussian, &hot}) {
        REQUIRE(dominated(graph, embedding->rows));
        check_edges(graph, *embedding);
      }
    }
  });
}

TEST_CASE("edge-per-head accepts exactly the embeddings that it needs") {
  std::size_t served = 0;
  std::size_t refused = 0;
  test::repeat(300, [&](Random& random) {
    const std::size_t m = 1 + random.below(5);
    const Graph graph = test::any_graph(random, m, 1 + random.below(8));
    const Embedding embedding{test::random_matrix(random, m, 1 + random.below(4), 3), 0};
    const Request request{graph, embedding};
    if (dominated(graph, embedding.rows)) {
      ++served;
      check_edges(graph, embedding);
    } else {
      ++refused;
      CHECK_THROWS_AS(plan(edges_method(), request), MethodError);
      CHECK_THROWS_AS(propose(edges_method(), request), MethodError);
    }
  });
  CHECK(served > 20);
  CHECK(refused > 20);
}

TEST_CASE("edge-per-head: eleven lines through a circle serve permutations in the plane") {
  const Embedding embedding{test::matrix({{1, 18},
                                          {18, 1},
                                          {6, 17},
                                          {17, 6},
                                          {10, 15},
                                          {15, 10},
                                          {-1, 18},
                                          {-18, 1},
                                          {-6, 17},
                                          {-17, 6},
                                          {-10, 15}}),
                            0};
  test::repeat(5, [&](Random& random) {
    const Graph graph = random_graph(Family("permutation", {11}), random.below(1U << 30));
    check_edges(graph, embedding);
    // Rows of one norm: g = 1 and the weights are rows of the embedding.
    const Channel channel = propose(edges_method(), {graph, embedding});
    CHECK(channel.weight_max() == 18);
    CHECK(test::judged({graph, embedding}, "edge-per-head").least_edge->score == 325 * 325);
  });
}

TEST_CASE("edge-per-head reproduces the sample certificate") {
  const RecoveryClaim claim = test::sample("edge-per-head-6");
  const Embedding embedding{claim.embedding, 0};
  const Channel channel = propose(edges_method(), {claim.graph, embedding});
  // The sample lists the same heads in another order.
  CHECK(std::is_permutation(channel.heads.begin(), channel.heads.end(), claim.channel.heads.begin(),
                            claim.channel.heads.end()));
}

TEST_CASE("edge-per-head with one vertex, and with ends that dominate among rows that do not") {
  check_edges(Graph(1, {{0, 0}}), {test::matrix({{-3}}), 0});
  // Rows 2 and 3 are zero and short, and no edge touches them.
  check_edges(Graph(4, {{0, 1}}), {test::matrix({{5, 0}, {0, 4}, {0, 0}, {1, 1}}), 0});
}

TEST_CASE("edge-per-head at the limits of 64 and 128 bits, and beyond") {
  const Graph graph(2, {{0, 0}, {0, 1}, {1, 0}});
  for (const std::size_t bits : {31U, 32U, 62U, 63U, 64U, 200U}) {
    const Integer large = bits == 63 ? Integer(power_of_two(63) - 1) : power_of_two(bits);
    Embedding embedding{Matrix(2, 3), 0};
    for (std::size_t j = 0; j < 3; ++j) {
      embedding.rows.set(0, j, large);
      embedding.rows.set(1, j, Integer(large - 1));
    }
    // ⟨x_0,x_1⟩ falls short of |x_0|² but exceeds |x_1|².
    const std::string numbers =
        to_decimal(3 * (large - 1) * (large - 1)) + " and " + to_decimal(3 * large * (large - 1));
    CHECK(test::message_of<MethodError>([&] {
            plan(edges_method(), {graph, embedding});
          }) == "edge-per-head: needs <x_1,x_1> > |<x_1,x_0>|, they are " + numbers);
    embedding.rows.set(1, 0, Integer(-2 * large));
    check_edges(graph, embedding);
  }
}

TEST_CASE("edge-per-head says what it cannot serve") {
  const auto refusal = [](const Graph& graph, const Matrix& rows) {
    const Embedding embedding{rows, 0};
    return test::message_of<MethodError>([&] { propose(edges_method(), {graph, embedding}); });
  };
  CHECK(refusal(Graph(2, {}), identity(2)) == "edge-per-head: the graph has no edge");
  CHECK(refusal(Graph(0, {}), Matrix(0, 0)) == "edge-per-head: the graph has no edge");
  CHECK(refusal(Graph(1, {{0, 0}}), Matrix(1, 2)) ==
        "edge-per-head: row 0 of the embedding is zero");
  CHECK(refusal(Graph(3, {{0, 2}}), test::matrix({{1, 0}, {1, 0}, {0, 0}})) ==
        "edge-per-head: needs <x_0,x_0> > |<x_0,x_1>|, they are 1 and 1");
  CHECK(refusal(Graph(3, {{1, 2}}), test::matrix({{3, 1}, {0, 4}, {5, -4}})) ==
        "edge-per-head: needs <x_1,x_1> > |<x_1,x_2>|, they are 16 and 16");
  CHECK(refusal(Graph(2, {{1, 1}}), test::matrix({{7}, {-2}})) ==
        "edge-per-head: needs <x_1,x_1> > |<x_1,x_0>|, they are 4 and 14");
}

}  // namespace
}  // namespace qkcert
