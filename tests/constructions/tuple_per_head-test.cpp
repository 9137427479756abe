#include "constructions/proposals.hpp"

namespace qkcert {
namespace {

const Method& tuples() { return find_method("tuple-per-head"); }

TEST_CASE("tuple-per-head recovers every partial permutation that it serves, at every width") {
  std::size_t served = 0;
  test::repeat(25, [&](Random& random) {
    const std::uint64_t m = 2 + random.below(20), seed = random.below(1U << 30);
    const std::uint64_t d = 4 + random.below(30);
    const Embedding embedding = gaussian_embedding(m, d, 10, seed);
    for (const Family& family : {Family("permutation", {m}), Family("matching", {m, m / 2})}) {
      const Graph graph = random_graph(family, seed);
      std::size_t least = graph.edges().size();
      for (std::size_t width = 0; width <= 6; ++width) {
        Request request{graph, embedding};
        if (width > 0) request.head_dim = width;
        INFO(family.to_string() << ", d " << d << ", width " << width);
        try {
          const Architecture planned = plan(tuples(), request);
          ++served;
          CHECK(test::judged(request, "tuple-per-head").separated());
          if (width > 0) {
            CHECK(planned.head_dim == width);
            const std::size_t block = std::min<std::size_t>(
                std::min<std::size_t>(d, graph.edges().size()), std::size_t{1} << width);
            CHECK(planned.heads >= (graph.edges().size() + block - 1) / block);
          } else {
            least = planned.key_dimension();
          }
          CHECK(least <= planned.key_dimension());
        } catch (const MethodError& error) {
          CHECK_THAT(error.what(), Catch::Contains("its rows do not stand out"));
        }
      }
    }
  });
  CHECK(served > 100);
}

TEST_CASE("tuple-per-head needs fewer columns than edge-pairs where there is room") {
  const Embedding embedding = gaussian_embedding(64, 48, 12, 1);
  const Graph graph = random_graph(Family("permutation", {64}), 1);
  const Request request{graph, embedding};
  CHECK(test::judged(request, "tuple-per-head").separated());
  CHECK(plan(tuples(), request).key_dimension() <= 20);
  CHECK(plan(find_method("edge-pairs"), request).key_dimension() == 32);
  Request narrow = request;
  narrow.head_dim = 3;
  CHECK(plan(tuples(), narrow) == Architecture{8, 3});
  const Channel channel = propose(tuples(), narrow);
  for (const Head& head : channel.heads) CHECK(head.key.max_abs() <= 1 << 24);
}

TEST_CASE(
    "tuple-per-head with a last smaller block, isolated vertices and blocks that are halved") {
  const Embedding hot = one_hot(12);
  const Graph graph(12, {{0, 5}, {2, 2}, {3, 0}, {7, 8}, {9, 1}});
  Request request{graph, hot};
  request.head_dim = 2;
  CHECK(plan(tuples(), request) == Architecture{2, 2});
  CHECK(test::judged(request, "tuple-per-head").separated());
  // Rows 0 and 1 nearly agree: not in a head with opposite codes, but in two.
  const Embedding close{test::matrix({{40, 1, 0}, {40, 0, 1}, {0, 30, -30}}), 0};
  const Graph loops(3, {{0, 0}, {1, 1}, {2, 2}});
  Request three{loops, close};
  three.head_dim = 1;
  CHECK(test::judged(three, "tuple-per-head").separated());
}

TEST_CASE("tuple-per-head says what it cannot serve") {
  const auto refusal = [](const Graph& graph, const Matrix& rows, std::size_t width = 0) {
    const Embedding embedding{rows, 0};
    Request request{graph, embedding};
    if (width > 0) request.head_dim = width;
    const auto message = test::message_of<MethodError>([&] { plan(tuples(), request); });
    CHECK(message == test::message_of<MethodError>([&] { propose(tuples(), request); }));
    return message;
  };
  CHECK(refusal(Graph(2, {}), identity(2)) == "tuple-per-head: the graph has no edge");
  CHECK(refusal(Graph(2, {{0, 0}, {0, 1}}), identity(2)) ==
        "tuple-per-head: needs out-degrees and in-degrees of at most 1, vertex 0 has out-degree 2");
  CHECK(refusal(Graph(2, {{0, 1}, {1, 1}}), identity(2)) ==
        "tuple-per-head: needs out-degrees and in-degrees of at most 1, vertex 1 has in-degree 2");
  CHECK(refusal(Graph(2, {{0, 1}}), identity(2), 17) == "tuple-per-head: head-dim is at most 16");
  CHECK(refusal(Graph(2, {{0, 1}}), identity(2), 16) == "no error");
  CHECK(refusal(Graph(2, {{0, 1}}), test::matrix({{1, 0}, {1, 0}})) ==
        "tuple-per-head: no head was found for the edge (0, 1) alone: its rows do not stand out");
  CHECK_THAT(refusal(Graph(1, {{0, 0}}), Matrix(1, 0)), Catch::Contains("(0, 0) alone"));
}

}  // namespace
}  // namespace qkcert
