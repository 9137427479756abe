#include <algorithm>
#include <qkcert/core/random_graph.hpp>
#include <qkcert/search/splits.hpp>

#include "support.hpp"

namespace qkcert {
namespace {

using Counts = std::vector<std::size_t>;

TEST_CASE("head_counts lists heads of about the root of d_model first") {
  CHECK(head_counts(24, 16, Splits::few) == Counts{8, 5, 12});
  CHECK(head_counts(24, 16, Splits::many) == Counts{8, 5, 12, 3, 20, 2, 24});
  CHECK(head_counts(8, 100, Splits::many) == Counts{1, 2, 3, 4});
  CHECK(head_counts(1, 16, Splits::many) == Counts{1});
}

TEST_CASE("head_counts puts the widths near the favourite first") {
  CHECK(head_counts(24, 16, Splits::few, 2.0) == Counts{12, 8, 5});
  CHECK(head_counts(24, 16, Splits::few, 5.0) == Counts{5, 8, 12});
}

TEST_CASE("head_counts are distinct and possible") {
  test::repeat(200, [](Random& random) {
    const std::size_t total = 1 + random.below(300), d_model = random.below(200);
    for (const Splits splits : {Splits::few, Splits::many}) {
      Counts counts = head_counts(total, d_model, splits, 1.0 + double(random.below(9)));
      CHECK_FALSE(counts.empty());
      for (const std::size_t count : counts) CHECK((count >= 1 && count <= total));
      std::sort(counts.begin(), counts.end());
      CHECK(std::adjacent_find(counts.begin(), counts.end()) == counts.end());
    }
  });
}

TEST_CASE("with_split asks every method for what it takes") {
  const Graph graph(4, {{0, 2}, {1, 1}, {2, 0}, {3, 3}});
  const Embedding embedding = one_hot(4);
  for (const Method& method : methods()) {
    INFO(method.name);
    const Request base{graph, embedding};
    const auto request = with_split(method, base, 7, 3);
    const bool free = method.takes_heads || method.takes_head_dim || method.takes_key_dimension;
    CHECK(request.has_value() == free);
    if (!request) continue;
    const Architecture planned = plan(method, *request);
    CHECK(planned.key_dimension() <= 7);
    CHECK(planned.heads == (method.takes_heads ? 3U : 1U));
    if (method.takes_key_dimension) CHECK(planned.key_dimension() == 7);
  }
}

TEST_CASE("with_split keeps what the user fixed") {
  const Graph graph = random_graph(Family("permutation", {8}), 1);
  const Embedding embedding = gaussian_embedding(8, 4, 20, 1);
  const Request heads{.graph = graph, .embedding = embedding, .heads = 2};
  const Request width{.graph = graph, .embedding = embedding, .head_dim = 3};
  for (const char* name : {"fit", "signature"}) {
    INFO(name);
    const Method& method = find_method(name);
    CHECK(plan(method, with_split(method, heads, 6, 5).value()) == Architecture{2, 3});
    CHECK(plan(method, with_split(method, width, 6, 5).value()) == Architecture{2, 3});
  }
}

}  // namespace
}  // namespace qkcert
