#include <qkcert/constructions/fit.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/random_graph.hpp>
#include <qkcert/search/attempt.hpp>

#include "support.hpp"

using namespace qkcert;

namespace {

/// Whether some of a few seeds gives a proposal that verifies; every proposal keeps the limit.
bool serves(const Graph& graph, const Embedding& embedding, std::size_t heads, std::size_t head_dim,
            const Integer& weight_max = 127, std::uint64_t seeds = 4) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const Request request{.graph = graph,
                          .embedding = embedding,
                          .heads = heads,
                          .head_dim = head_dim,
                          .weight_max = weight_max,
                          .seed = seed};
    const Attempt result = attempt(find_method("fit"), request, false);
    CHECK(result.weight_max <= weight_max);
    if (result.claim) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("fit serves every family on Gaussian embeddings") {
  const std::vector<Family> families = {{"permutation", {24}},  {"derangement", {24}},
                                        {"functional", {24}},   {"out-regular", {24, 2}},
                                        {"digraph", {24, 30}},  {"digraph-loops", {24, 30}},
                                        {"matching", {24, 12}}, {"out-degrees", {4, 0, 1, 2, 3}}};
  for (const Family& family : families) {
    INFO(family.to_string());
    const Graph graph = random_graph(family, test::seed());
    const Embedding embedding = gaussian_embedding(graph.vertices(), 10, 20, test::seed());
    CHECK(serves(graph, embedding, 3, 8));
  }
}

TEST_CASE("fit serves several precisions, splits and embeddings") {
  const Graph graph = random_graph(Family("permutation", {24}), test::seed());
  const Embedding gaussian = gaussian_embedding(24, 10, 20, test::seed());
  CHECK(serves(graph, gaussian, 3, 8, 1));
  CHECK(serves(graph, gaussian, 2, 8, 7));
  CHECK(serves(graph, gaussian, 4, 4, power(10, 30)));
  CHECK(serves(graph, one_hot(24), 1, 6));
  Embedding huge = gaussian;
  huge.rows.set(0, 0, Integer(huge.rows.at(0, 0) + power(10, 40)));
  CHECK_NOTHROW(serves(graph, huge, 1, 4, 127, 1));
}

TEST_CASE("fit gives the right trivial answers") {
  const Embedding embedding = gaussian_embedding(5, 3, 20, 1);
  CHECK(serves(Graph(5, {}), embedding, 1, 1));
  std::vector<Edge> all;
  for (std::size_t u = 0; u < 5; ++u)
    for (std::size_t v = 0; v < 5; ++v) all.push_back({u, v});
  CHECK(serves(Graph(5, all), embedding, 1, 1));
  CHECK(serves(Graph(1, {{0, 0}}), gaussian_embedding(1, 3, 20, 1), 1, 1));
  const Embedding zero{Matrix(5, 3), 0};
  CHECK(serves(Graph(5, {}), zero, 1, 1));
  CHECK_FALSE(serves(Graph(5, {{0, 1}}), zero, 1, 1));
}

TEST_CASE("fit's proposal depends on the seed and not on the threads") {
  const Graph graph = random_graph(Family("permutation", {80}), 1);
  const Embedding embedding = gaussian_embedding(80, 16, 20, 1);
  Request request{.graph = graph, .embedding = embedding, .heads = 3, .head_dim = 6, .threads = 1};
  const Channel first = propose(find_method("fit"), request);
  request.threads = 3;
  CHECK(propose(find_method("fit"), request) == first);
  request.seed = 2;
  CHECK_FALSE(propose(find_method("fit"), request) == first);
}

TEST_CASE("fit plans what it is asked for") {
  const Graph graph = random_graph(Family("permutation", {64}), 1);
  const Embedding embedding = gaussian_embedding(64, 16, 20, 1);
  Request request{.graph = graph, .embedding = embedding};
  const Method& fit = find_method("fit");
  CHECK(plan(fit, request).key_dimension() == 12);  // 64·6/(2·16)
  for (std::size_t key_dimension = 1; key_dimension < 40; ++key_dimension)
    for (request.seed = 1; request.seed <= 3; ++request.seed) {
      request.key_dimension = key_dimension;
      CHECK(plan(fit, request).key_dimension() == key_dimension);
    }
  request.heads = 5;
  request.key_dimension = 20;
  CHECK(plan(fit, request) == Architecture{5, 4});
  request.key_dimension = 23;
  CHECK(plan(fit, request) == Architecture{5, 4, 3});
  request.key_dimension = 4;  // each head has a column
  CHECK(plan(fit, request) == Architecture{5, 1});
  request.key_dimension = 20;
  request.head_dim = 3;
  CHECK(plan(fit, request) == Architecture{5, 3});
  request.heads.reset();
  CHECK(plan(fit, request) == Architecture{6, 3});
}

TEST_CASE("fit refuses what it cannot take and returns early when told to") {
  const Graph graph(2, {{0, 1}});
  const Embedding none{Matrix(2, 0), 0};
  CHECK_THROWS_WITH(propose(find_method("fit"), {.graph = graph, .embedding = none}),
                    "fit: needs an embedding of d_model >= 1");
  const Embedding embedding = gaussian_embedding(2, 3, 20, 1);
  CHECK_THROWS_WITH(
      propose(find_method("fit"), {.graph = graph, .embedding = embedding, .weight_max = 0}),
      "fit: needs weight-max >= 1");
  const std::atomic<bool> stop{true};
  CHECK_NOTHROW(
      propose(find_method("fit"), {.graph = graph, .embedding = embedding, .stop = &stop}));
}
