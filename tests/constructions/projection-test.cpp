#include "constructions/proposals.hpp"

namespace qkcert {
namespace {

const Method& projection() { return find_method("projection"); }

struct Draw {
  Graph graph;
  std::size_t sources = 0;
  std::size_t heads;
  std::size_t head_dim;
  std::uint64_t seed;
};

Draw draw(Random& random) {
  const std::size_t m = 1 + random.below(12);
  Draw result{test::any_graph(random, m, random.below(9)), 0, 1, 1 + random.below(6),
              random.below(1U << 30)};
  for (std::size_t u = 0; u < m; ++u) result.sources += result.graph.out_degree(u) > 0;
  result.heads = 1 + random.below(std::max<std::size_t>(result.sources, 1));
  return result;
}

Request request_of(const Draw& draw, const Embedding& embedding) {
  return {.graph = draw.graph,
          .embedding = embedding,
          .heads = draw.heads,
          .head_dim = draw.head_dim,
          .seed = draw.seed};
}

/// On the one-hot embedding row u of the query is the sum of the keys of u's targets, in one block.
TEST_CASE("projection deals sources out evenly and gives each the sum of its targets' keys") {
  test::repeat(60, [](Random& random) {
    const Draw drawn = draw(random);
    const std::size_t m = drawn.graph.vertices();
    const Embedding embedding = one_hot(m);
    Draw wide = drawn;
    wide.head_dim = 61;  // an odd number of signs never cancels for an odd number of targets
    const Channel channel = propose(projection(), request_of(wide, embedding));
    REQUIRE(channel.heads.size() == drawn.heads);
    std::vector<std::size_t> blocks_of(m, 0);
    for (const Head& head : channel.heads) {
      std::size_t served = 0;
      for (std::size_t u = 0; u < m; ++u) {
        bool zero = true, sums = true;
        for (std::size_t j = 0; j < 61; ++j) {
          CHECK(abs(head.key.at(u, j)) == 1);
          Integer sum = 0;
          for (const Edge& edge : drawn.graph.edges_from(u)) sum += head.key.at(edge.target, j);
          zero = zero && head.query.at(u, j) == 0;
          sums = sums && head.query.at(u, j) == sum;
        }
        CHECK((zero || sums));
        if (!zero) ++served, ++blocks_of[u];
      }
      CHECK(served >= drawn.sources / drawn.heads);
      CHECK(served * drawn.heads < drawn.sources + drawn.heads);
    }
    for (std::size_t u = 0; u < m; ++u) CHECK(blocks_of[u] == (drawn.graph.out_degree(u) > 0));
  });
}

TEST_CASE("projection's scores are the header's sum") {
  test::repeat(30, [](Random& random) {
    const Draw drawn = draw(random);
    const std::size_t m = drawn.graph.vertices(), d_model = 1 + random.below(5);
    const Embedding embedding{test::random_matrix(random, m, d_model, random.below(2) ? 5 : 62), 0};
    const Matrix& x = embedding.rows;
    Draw single = drawn;
    single.heads = 1;
    const Head head = propose(projection(), request_of(single, embedding)).heads[0];
    // ⟨x_v Π, x_w Π⟩ and W_Q by the definition.
    for (std::size_t j = 0; j < drawn.head_dim; ++j) {
      std::vector<Integer> projected(m, 0);
      for (std::size_t v = 0; v < m; ++v)
        for (std::size_t i = 0; i < d_model; ++i) projected[v] += x.at(v, i) * head.key.at(i, j);
      for (std::size_t i = 0; i < d_model; ++i) {
        Integer query = 0;
        for (const Edge& edge : drawn.graph.edges())
          query += x.at(edge.source, i) * projected[edge.target];
        CHECK(head.query.at(i, j) == query);
        CHECK(abs(head.key.at(i, j)) == 1);
      }
    }
    const Channel channel = propose(projection(), request_of(drawn, embedding));
    const Integer block = (drawn.sources + drawn.heads - 1) / drawn.heads;
    const Integer largest = x.max_abs();
    for (const Head& each : channel.heads)
      CHECK(each.query.max_abs() <=
            block * drawn.graph.max_out_degree() * d_model * largest * largest);
  });
}

TEST_CASE("projection recovers graphs on nearly orthogonal rows") {
  const auto successes = [](const char* family, std::vector<std::uint64_t> arguments, bool hot) {
    int count = 0;
    for (std::uint64_t i = 1; i <= 3; ++i) {
      const std::uint64_t seed = 100 * test::seed() + i;
      const Graph graph = random_graph(Family(family, arguments), seed);
      const Embedding embedding = hot ? one_hot(24) : gaussian_embedding(24, 96, 16, seed);
      Request request{.graph = graph, .embedding = embedding, .head_dim = 160, .seed = seed};
      count += test::judged(request, "projection").separated();
    }
    return count;
  };
  INFO("QKCERT_TEST_SEED=" << test::seed());
  CHECK(successes("permutation", {24}, false) >= 1);
  CHECK(successes("functional", {24}, false) >= 1);
  CHECK(successes("permutation", {24}, true) >= 2);
  CHECK(successes("out-regular", {24, 2}, true) >= 2);
}

TEST_CASE("projection's defaults, smallest inputs and refusals") {
  const Graph graph(9, {{1, 2}, {1, 3}, {4, 4}, {8, 0}});
  const Embedding embedding{Matrix(9, 4), 0};
  CHECK(plan(projection(), {graph, embedding}) == Architecture{3, 64});
  const Embedding wide{Matrix(9, 30), 0};
  CHECK(plan(projection(), {graph, wide}) == Architecture{1, 64});
  const Embedding none{Matrix(0, 3), 0};
  CHECK(test::judged({Graph(), none}, "projection").separated());
  const Embedding one{test::matrix({{2, -1}}), 0};
  const Graph isolated(1, {});
  CHECK(test::judged({isolated, one}, "projection").greatest_nonedge->score == 0);
  Request many{graph, embedding};
  many.heads = 4;
  CHECK(test::message_of<MethodError>([&] { propose(projection(), many); }) ==
        "projection: needs heads <= max(1, vertices with an edge) = 3, asked for 4");
  Request other{graph, embedding};
  other.seed = 2;
  CHECK_FALSE(propose(projection(), other) == propose(projection(), {graph, embedding}));
}

}  // namespace
}  // namespace qkcert
