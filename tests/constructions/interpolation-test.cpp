#include <algorithm>
#include <qkcert/constructions/edge_colouring.hpp>

#include "constructions/proposals.hpp"
#include "plain_score.hpp"

namespace qkcert {
namespace {

const Method& exact() { return find_method("interpolation"); }
const Method& rounded() { return find_method("interpolation-rounded"); }

/// Random rows that are independent whenever they are at most d_model: 30 bits leave no chance.
Embedding generic(Random& random, std::size_t m, std::size_t d_model) {
  return {test::random_matrix(random, m, d_model, 30), 0};
}

TEST_CASE("interpolation always recovers where all rows are independent, at ⌈log₂ m⌉ a matching") {
  test::repeat(25, [](Random& random) {
    const std::size_t m = 1 + random.below(10);
    const Graph graph = test::any_graph(random, m, random.below(6));
    const Embedding embedding =
        random.below(3) == 0 ? one_hot(m) : generic(random, m, m + random.below(4));
    std::size_t digits = 0;
    while (std::size_t{1} << digits < m) ++digits;
    const std::size_t width = std::max<std::size_t>(digits, 1);
    const std::size_t heads = std::max<std::size_t>(matchings_needed(graph), 1);
    Request request{graph, embedding};
    request.seed = random.below(1U << 30);
    CHECK(plan(exact(), request) == Architecture{heads, width});
    CHECK(test::judged(request, "interpolation").separated());
    request.heads = heads + random.below(std::max(graph.edges().size(), heads) - heads + 1);
    request.head_dim = width + random.below(3);
    if (*request.heads <= std::max<std::size_t>(graph.edges().size(), 1))
      CHECK(test::judged(request, "interpolation").separated());
    if (is_one_hot(embedding)) CHECK(propose(exact(), request).weight_max() <= 1);
  });
}

/// Blocks are not told; but an edge scores above w·T - T/1024 in its block, up to w·T there.
TEST_CASE("interpolation leaves no interference inside blocks") {
  test::repeat(20, [](Random& random) {
    const std::size_t m = 4 + random.below(8), d_model = 3 + random.below(m - 3);
    const Graph graph = random_graph(Family("permutation", {m}), random.below(1U << 30));
    const Embedding embedding = generic(random, m, d_model);
    Request request{graph, embedding};
    request.heads = 2 + random.below(m - 1);
    if (*request.heads * d_model < m) request.heads = m;
    request.head_dim = 4 + random.below(5);
    request.seed = random.below(1U << 30);
    const Channel channel = propose(exact(), request);
    const std::size_t w = *request.head_dim;
    // All edges' best block scores lie within one part in 1024·w of each other from below w·T.
    Integer top = 0;
    std::vector<std::vector<Integer>> scores;
    for (const Edge& edge : graph.edges()) {
      scores.emplace_back();
      for (const Head& head : channel.heads)
        scores.back().push_back(test::plain_score(embedding.rows, head, edge.source, edge.target));
    }
    // T: some head is scaled to within T/1024w of it; find it as the least common upper bound.
    for (std::size_t k = 0; k < channel.heads.size(); ++k)
      for (std::size_t e = 0; e < scores.size(); ++e) {
        std::size_t near = 0;
        for (const auto& row : scores)
          near += std::any_of(row.begin(), row.end(), [&](const Integer& x) {
            return x > 0 && 512 * w * abs(x - scores[e][k]) <= abs(scores[e][k]);
          });
        if (near == scores.size()) top = std::max(top, scores[e][k]);
      }
    CHECK(top > 0);
  });
}

TEST_CASE("interpolation-rounded keeps its limit and recovers what has room") {
  int served = 0;
  for (std::uint64_t i = 1; i <= 2; ++i) {
    const std::uint64_t seed = 100 * test::seed() + i;
    for (const auto& family : {Family("permutation", {24}), Family("out-regular", {24, 2})}) {
      const Graph graph = random_graph(family, seed);
      const Embedding embedding = gaussian_embedding(24, 24, 16, seed);
      Request request{graph, embedding};
      request.seed = seed;
      request.heads = 6;
      request.head_dim = 16;
      for (const int limit : {1, 127, 100000}) {
        request.weight_max = limit;
        const Channel channel = propose(rounded(), request);
        CHECK(channel.weight_max() == limit);
        if (limit >= 127) served += test::judged(request, "interpolation-rounded").separated();
      }
    }
  }
  INFO("QKCERT_TEST_SEED=" << test::seed());
  CHECK(served >= 6);
}

TEST_CASE("rounding with a very large limit gives the exact channel's decision") {
  test::repeat(10, [](Random& random) {
    const std::size_t m = 2 + random.below(6);
    const Graph graph = test::any_graph(random, m, 2);
    const Embedding embedding = generic(random, m, m);
    Request request{graph, embedding};
    request.weight_max = power_of_two(400);
    CHECK(test::judged(request, "interpolation-rounded").separated());
  });
}

TEST_CASE("interpolation on fewer dimensions than vertices") {
  int served = 0;
  for (std::uint64_t i = 1; i <= 4; ++i) {
    const std::uint64_t seed = 100 * test::seed() + i;
    const Graph graph = random_graph(Family("permutation", {64}), seed);
    const Embedding embedding = gaussian_embedding(64, 32, 16, seed);
    Request request{graph, embedding};
    request.seed = seed;
    CHECK(plan(exact(), request) == Architecture{16, 12});
    served += test::judged(request, "interpolation").separated();
  }
  INFO("QKCERT_TEST_SEED=" << test::seed());
  CHECK(served >= 2);
}

TEST_CASE("interpolation may fail, and other seeds propose other channels") {
  const Graph graph = random_graph(Family("permutation", {16}), 1);
  const Embedding embedding = gaussian_embedding(16, 8, 12, 1);
  Request request{.graph = graph, .embedding = embedding, .heads = 2, .head_dim = 3};
  CHECK_FALSE(test::judged(request, "interpolation").separated());
  const Channel first = propose(exact(), request);
  CHECK(propose(exact(), request) == first);
  request.seed = 2;
  CHECK_FALSE(propose(exact(), request) == first);
}

TEST_CASE("interpolation on the smallest inputs and with rows that no edge uses") {
  const Embedding none{Matrix(0, 3), 0};
  CHECK(test::judged({Graph(), none}, "interpolation").separated());
  const Embedding one{test::matrix({{2, -1}}), 0};
  CHECK(test::judged({Graph(1, {{0, 0}}), one}, "interpolation").separated());
  CHECK(test::judged({Graph(1, {}), one}, "interpolation").greatest_nonedge->score == 0);
  CHECK(test::judged({Graph(1, {{0, 0}}), one}, "interpolation-rounded").separated());
  const Embedding flat{test::matrix({{3, 0}, {0, 5}, {0, 0}}), 0};
  CHECK(test::judged({Graph(3, {{0, 1}, {1, 0}}), flat}, "interpolation").separated());
}

TEST_CASE("interpolation says what it cannot serve") {
  const auto refusal = [](const Graph& graph, const Embedding& embedding,
                          std::optional<std::size_t> heads, std::optional<std::size_t> width) {
    const Request request{
        .graph = graph, .embedding = embedding, .heads = heads, .head_dim = width};
    return test::message_of<MethodError>([&] { propose(exact(), request); });
  };
  const Graph graph(4, {{0, 1}, {1, 2}, {2, 0}, {2, 2}});
  const Embedding hot = one_hot(4);
  CHECK(refusal(graph, hot, 1, {}) ==
        "interpolation: needs heads >= the largest out- or in-degree = 2, asked for 1");
  CHECK(refusal(graph, hot, 5, {}) ==
        "interpolation: needs heads <= max(1, edges) = 4, asked for 5");
  const Graph cycle(4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}});
  CHECK(refusal(cycle, hot, 1, 1) == "interpolation: blocks of 4 edges need head-dim >= 2");
  const Embedding thin{test::matrix({{1}, {2}, {3}, {4}}), 0};
  CHECK(refusal(cycle, thin, 2, {}) == "interpolation: blocks of 2 edges need d_model >= 2");
  const Embedding twin{test::matrix({{1, 2}, {2, 1}, {2, 4}, {1, 0}}), 0};
  CHECK(refusal(Graph(4, {{0, 1}, {2, 3}}), twin, 1, {})
            .starts_with("interpolation: in block 0 the row of the source "));
  CHECK(refusal(Graph(4, {{1, 0}, {3, 2}}), twin, 1, {})
            .starts_with("interpolation: in block 0 the row of the target "));
  CHECK(
      refusal(Graph(4, {{0, 1}, {2, 3}}), twin, 1, {}).ends_with(" depends on the rows before it"));
  const Embedding zero{test::matrix({{1, 2}, {0, 0}, {2, 4}, {1, 0}}), 0};
  CHECK(refusal(Graph(4, {{1, 0}}), zero, {}, {}) ==
        "interpolation: in block 0 the row of the source 1 depends on the rows before it");
  Request request{cycle, hot};
  request.weight_max = 0;
  CHECK(test::message_of<MethodError>([&] { propose(rounded(), request); }) ==
        "interpolation-rounded: needs weight-max >= 1");
}

}  // namespace
}  // namespace qkcert
