#include <qkcert/bounds/refute.hpp>
#include <qkcert/core/embedding.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/random_graph.hpp>
#include <qkcert/search/attempt.hpp>
#include <qkcert/verify/check.hpp>
#include <qkcert/verify/extremes.hpp>

#include "bounds/instances.hpp"

namespace qkcert {
namespace {

using namespace test;

/// Decided by verify/ alone: 0 impossible, 1 separable, 2 undecided.
std::size_t judged(const Graph& graph, const Matrix& x, const Refutation& answer) {
  if (const auto* found = std::get_if<Multipliers>(&answer)) {
    const SingleHeadImpossibility claim{graph, x, found->edges, found->nonedges};
    CHECK(check(claim, 1).holds);
  } else if (const auto* form = std::get_if<SeparatingForm>(&answer)) {
    CHECK(form->head.width() <= x.cols());
    const Extremes extremes = score_extremes(graph, x, Channel{{form->head}}, 1, {});
    CHECK(extremes.separated());
    if (extremes.least_edge) CHECK(extremes.least_edge->score > form->threshold);
    if (extremes.greatest_nonedge) CHECK(extremes.greatest_nonedge->score <= form->threshold);
  }
  return answer.index();
}

TEST_CASE("refute: every answer is a proof, on degenerate inputs too") {
  std::size_t seen[3] = {};
  repeat(60, [&](Random& random) {
    for (std::size_t kind = 0; kind < instance_kinds; ++kind) {
      const Instance instance = random_instance(random, kind);
      const bool sparse = random.below(2) == 0;
      INFO("kind " << kind << ", sparse " << sparse);
      const auto answer = refute(instance.graph, instance.x, {.sparse = sparse});
      ++seen[judged(instance.graph, instance.x, answer)];
    }
  });
  CHECK(seen[0] > 50);
  CHECK(seen[1] > 50);
  CHECK(seen[2] == 0);
}

TEST_CASE("refute: what small integer forms hold is found to be separable") {
  repeat(150, [](Random& random) {
    const std::size_t m = 2 + random.below(4);
    const Matrix x = random_matrix(random, m, 2, 3);
    Head head{random_matrix(random, 2, 2, 2), random_matrix(random, 2, 2, 2)};
    const Integer threshold = random_integer(random, 3);
    const Graph graph = graph_of(x, head, threshold);
    CHECK(judged(graph, x, refute(graph, x)) == 1);
  });
}

TEST_CASE("refute: no form of a small grid contradicts an impossibility") {
  std::size_t impossible = 0;
  repeat(60, [&](Random& random) {
    const std::size_t m = 3 + random.below(2);
    const Matrix x = random_matrix(random, m, 2, 2);
    const Graph graph = random_digraph(random, m, 30);
    if (judged(graph, x, refute(graph, x)) != 0) return;
    ++impossible;
    Matrix form(2, 2);
    for (int code = 0; code < 625; ++code) {  // entries -2 to 2
      for (std::size_t i = 0, rest = static_cast<std::size_t>(code); i < 4; ++i, rest /= 5)
        form.set(i / 2, i % 2, static_cast<std::int64_t>(rest % 5) - 2);
      CHECK_FALSE(score_extremes(graph, x, Channel{{{form, identity(2)}}}, 1, {}).separated());
    }
  });
  CHECK(impossible > 5);
}

TEST_CASE("refute: fit never finds what is impossible") {
  std::size_t impossible = 0;
  repeat(20, [&](Random& random) {
    const Graph graph = random_graph(Family("permutation", {8}), random.below(1000));
    const Embedding embedding = gaussian_embedding(8, 2, 8, random.below(1000));
    if (judged(graph, embedding.rows, refute(graph, embedding.rows)) != 0) return;
    ++impossible;
    const Request request{.graph = graph, .embedding = embedding, .heads = 1, .head_dim = 2};
    CHECK_FALSE(attempt(find_method("fit"), request, true).claim);
  });
  CHECK(impossible > 5);
}

TEST_CASE("refute: trivial graphs, repeated rows, a single vertex") {
  const Matrix x = identity(3);
  CHECK(judged(Graph(3, {}), x, refute(Graph(3, {}), x)) == 1);
  std::vector<Edge> all;
  for (std::size_t u = 0; u < 3; ++u)
    for (std::size_t v = 0; v < 3; ++v) all.push_back({u, v});
  CHECK(judged(Graph(3, all), x, refute(Graph(3, all), x)) == 1);
  const Matrix zero(3, 2);
  const auto equal = refute(Graph(3, {{0, 1}}), zero);
  REQUIRE(judged(Graph(3, {{0, 1}}), zero, equal) == 0);
  CHECK(std::get<Multipliers>(equal).edges.size() == 1);
  CHECK(judged(Graph(1, {{0, 0}}), Matrix(1, 1), refute(Graph(1, {{0, 0}}), Matrix(1, 1))) == 1);
  CHECK_THROWS_AS(refute(Graph(2, {}), x), ShapeError);
  CHECK_THROWS_AS(refute(Graph(3, {}), x, {.kept = std::vector<Edge>{{0, 1}}}), ShapeError);
}

TEST_CASE("refute: an ended budget is undecided") {
  const Graph graph = random_graph(Family("permutation", {24}), 1);
  const Matrix x = gaussian_embedding(24, 6, 20, 1).rows;
  CHECK(judged(graph, x, refute(graph, x)) == 0);
  CHECK(refute(graph, x, {.budget = std::chrono::milliseconds(0)}).index() == 2);
  CHECK(refute_any_heads(graph, x, {.budget = std::chrono::milliseconds(0)}).untried == 24);
}

TEST_CASE("refute_any_heads: one edge that no head holds") {
  // x_1 is the mean of x_0 and x_2, so (0,1) scores the mean of (0,0) and (0,2).
  Matrix x(3, 2);
  x.set(0, 0, std::int64_t{2});
  x.set(1, 0, std::int64_t{1});
  x.set(1, 1, std::int64_t{1});
  x.set(2, 1, std::int64_t{2});
  const Graph graph(3, {{0, 1}, {2, 0}});
  const AnyHeads found = refute_any_heads(graph, x);
  REQUIRE(found.multipliers);
  REQUIRE(found.multipliers->edges.size() == 1);
  CHECK(found.multipliers->edges[0].pair == Edge{0, 1});
  const Verdict verdict = check(
      SingleHeadImpossibility{graph, x, found.multipliers->edges, found.multipliers->nonedges});
  CHECK(verdict.holds);
  CHECK_THAT(verdict.text, Catch::Contains("any number of heads"));
  const AnyHeads none = refute_any_heads(Graph(3, {{2, 0}}), identity(3));
  CHECK_FALSE(none.multipliers);
  CHECK(none.held == 1);
}

TEST_CASE("impossibility single-head: every mutation of a found witness is refused") {
  const Graph graph = random_graph(Family("permutation", {24}), 1);
  const Matrix x = gaussian_embedding(24, 6, 20, 1).rows;
  const auto found = std::get<Multipliers>(refute(graph, x));
  const SingleHeadImpossibility claim{graph, x, found.edges, found.nonedges};
  repeat(20, [&](Random& random) {
    SingleHeadImpossibility changed = claim;
    auto& side = random.below(2) == 0 ? changed.edge_multipliers : changed.nonedge_multipliers;
    side[random.below(side.size())].weight += 1;
    CHECK_FALSE(check(changed, 1).holds);
    changed = claim;
    std::swap(changed.edge_multipliers, changed.nonedge_multipliers);
    CHECK_FALSE(check(changed, 1).holds);
    changed = claim;
    const std::size_t row = random.below(24), col = random.below(6);
    changed.embedding.set(row, col, Integer(x.at(row, col) + 1));
    CHECK_FALSE(check(changed, 1).holds);
  });
}

}  // namespace
}  // namespace qkcert
