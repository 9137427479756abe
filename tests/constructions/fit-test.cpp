#include <qkcert/constructions/fit.hpp>
#include <qkcert/constructions/fit_state.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/random_graph.hpp>
#include <qkcert/search/attempt.hpp>
#include <set>

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

TEST_CASE("fit goes on from any of its states to the same proposal") {
  const Graph graph = random_graph(Family("permutation", {40}), 1);
  const Embedding embedding = gaussian_embedding(40, 10, 20, 1);
  Request request{.graph = graph, .embedding = embedding, .heads = 3, .head_dim = 4};
  request.weight_max = 2;
  const Channel expected = propose(find_method("fit"), request);
  std::vector<std::string> states;
  request.on_checkpoint = [&](const std::string& state) { states.push_back(state); };
  CHECK(propose(find_method("fit"), request) == expected);
  request.on_checkpoint = {};
  REQUIRE(states.size() > 20);
  std::set<fit::Phase> phases;
  for (const std::string& state : states) {
    // All the early ones, and some of the many repairs.
    if (!phases.insert(fit::read_state(state).phase).second && &state > &states[12]) continue;
    request.resume = state;
    CHECK(propose(find_method("fit"), request) == expected);
  }
  CHECK(phases.size() == 4);
  request.resume = states.back();
  CHECK(propose(find_method("fit"), request) == expected);
}

TEST_CASE("fit refuses damaged states and those of other shapes") {
  const Graph graph = random_graph(Family("permutation", {10}), 1);
  const Embedding embedding = gaussian_embedding(10, 4, 20, 1);
  Request request{.graph = graph, .embedding = embedding, .heads = 1, .head_dim = 3};
  std::string state;
  request.on_checkpoint = [&](const std::string& each) { state = each; };
  propose(find_method("fit"), request);
  request.resume = state + "!";
  CHECK_THROWS_AS(propose(find_method("fit"), request), FormatError);
  request.resume = state;
  request.head_dim = 2;
  CHECK_THROWS_AS(propose(find_method("fit"), request), FormatError);
  CHECK_THROWS_AS(propose(find_method("signature"), request), UsageError);
}

TEST_CASE("fit reports progress, and stopped at any time it still proposes") {
  const Graph graph = random_graph(Family("permutation", {40}), 1);
  const Embedding embedding = gaussian_embedding(40, 10, 20, 1);
  for (int after = 0; after < 30; after += 3) {
    std::atomic<bool> stop{false};
    int states = 0;
    Request request{.graph = graph, .embedding = embedding, .heads = 3, .head_dim = 4};
    request.weight_max = 2;
    request.stop = &stop;
    std::string line;
    request.on_progress = [&](const std::string& each) { line = each; };
    request.on_checkpoint = [&](const std::string&) { stop = ++states > after; };
    const Channel channel = propose(find_method("fit"), request);
    CHECK(states == after + 1);  // nothing is kept of a stage that was cut short
    CHECK(channel.key_dimension() == 12);
    CHECK(channel.weight_max() <= 2);
    CHECK(line.starts_with("fit: separating, iteration "));  // which one is a matter of time
  }
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
  request.key_dimension = 4;
  CHECK(plan(fit, request) == Architecture{5, 1});
  request.key_dimension.reset();
  CHECK(plan(fit, request) == Architecture{5, 2});
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
