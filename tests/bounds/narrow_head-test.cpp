#include <qkcert/bounds/narrow_head.hpp>
#include <qkcert/verify/certificate.hpp>
#include <qkcert/verify/check.hpp>
#include <qkcert/verify/extremes.hpp>

#include "bounds/instances.hpp"

namespace qkcert {
namespace {

using namespace test;

/// Whether some head of width 1 with weights -1, 0, 1 does it: all 81 are tried.
bool some_unit_head(const Graph& graph, const Matrix& x) {
  for (std::size_t code = 0; code < 81; ++code) {
    Head head{Matrix(2, 1), Matrix(2, 1)};
    const std::size_t digits[] = {code % 3, code / 3 % 3, code / 9 % 3, code / 27};
    for (std::size_t i = 0; i < 2; ++i) {
      head.query.set(i, 0, static_cast<std::int64_t>(digits[i]) - 1);
      head.key.set(i, 0, static_cast<std::int64_t>(digits[2 + i]) - 1);
    }
    if (score_extremes(graph, x, Channel{{head}}, 1, {}).separated()) return true;
  }
  return false;
}

TEST_CASE("refute_narrow_head: against all heads of width 1 with weights up to 1") {
  std::size_t possible = 0, only_narrow = 0, found = 0;
  repeat(300, [&](Random& random) {
    const std::size_t m = 3 + random.below(3);
    const Matrix x = random_matrix(random, m, 2, 2);
    const Graph graph =
        graph_of(x, {random_matrix(random, 2, 2, 3), random_matrix(random, 2, 2, 3)},
                 random_integer(random, 4));
    const auto claim = refute_narrow_head(graph, x, 1, 1);
    const bool exists = some_unit_head(graph, x);
    possible += exists;
    only_narrow += !exists;  // a wider head of larger weights does it
    found += claim.has_value();
    if (!claim) return;
    CHECK_FALSE(exists);
    CHECK(check(*claim, 1).holds);
    const std::string bytes = write_certificate(*claim);
    CHECK(write_certificate(read_certificate(bytes, "test")) == bytes);
    NarrowHeadImpossibility changed = *claim;
    changed.width = 0;
    CHECK_FALSE(check(changed, 1).holds);
    changed = *claim;
    changed.weight_max = power_of_two(100);  // M is not 0: a real head does it
    CHECK_FALSE(check(changed, 1).holds);
    changed = *claim;
    changed.width = power_of_two(100);
    CHECK_FALSE(check(changed, 1).holds);
    changed = *claim;
    changed.multipliers.edges.back().weight += 1;
    CHECK_FALSE(check(changed, 1).holds);
    changed = *claim;
    std::swap(changed.multipliers.edges, changed.multipliers.nonedges);
    CHECK_FALSE(check(changed, 1).holds);
    changed = *claim;
    const std::size_t row = changed.multipliers.edges[0].pair.source;
    changed.embedding.set(row, random.below(2), power_of_two(random.below(40)));
    if (check(changed, 1).holds) CHECK_FALSE(some_unit_head(graph, changed.embedding));
  });
  INFO(possible << " possible, " << only_narrow << " not, " << found << " of these proved");
  CHECK(possible > 20);
  CHECK(found > 5);
}

TEST_CASE("impossibility narrow-head: the inequality is strict") {
  // W_Q = 1, W_K = -1 scores the edge (0,0) -1 and the other pairs -2 or less.
  Matrix x(2, 1);
  x.set(0, 0, std::int64_t{1});
  x.set(1, 0, std::int64_t{2});
  NarrowHeadImpossibility claim{Graph(2, {{0, 0}}), x, 1, 1, {{{{0, 0}, 1}}, {{{0, 1}, 1}}}};
  const Verdict verdict = check(claim, 1);
  CHECK_FALSE(verdict.holds);
  CHECK(verdict.text == "width·weight-max²·Σ|M_ij| is 1, which is not below the total 1");
  // Equal rows: M = 0.
  x.set(1, 0, std::int64_t{1});
  claim = {Graph(2, {{0, 0}}), x, 1, 1, {{{{0, 0}, 3}}, {{{0, 1}, 3}}}};
  CHECK(check(claim, 1).holds);
  CHECK_THAT(check(claim, 1).text, Catch::Contains("any number of heads"));
}

}  // namespace
}  // namespace qkcert
