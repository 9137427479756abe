#include <numeric>
#include <qkcert/bounds/advantage.hpp>
#include <qkcert/constructions/method.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/random_graph.hpp>
#include <qkcert/verify/check.hpp>
#include <qkcert/verify/extremes.hpp>
#include <set>

#include "core/enumeration.hpp"
#include "support.hpp"

namespace qkcert {
namespace {

using namespace test;

TEST_CASE("the theorem and its smallest cousins") {
  const auto count = [](const char* name, std::vector<std::uint64_t> arguments) {
    const ClassAdvantage claim = class_advantage(Family(name, std::move(arguments)), 2);
    CHECK(check(claim).holds);
    return claim.single_head_graphs;
  };
  CHECK(count("permutation", {11}) == 8502671);
  CHECK(count("functional", {7}) == 213053);
  CHECK(count("out-regular", {6, 2}) == 59536);
  CHECK(count("digraph-loops", {4, 8}) == 2 * 1941);  // 8 = 4²/2: the factor stays
  CHECK_THROWS_AS(count("permutation", {10}), UsageError);
  CHECK_THROWS_AS(count("functional", {6}), UsageError);
  CHECK_THROWS_AS(count("out-regular", {5, 2}), UsageError);
  CHECK_THROWS_AS(count("permutation", {1}), UsageError);
  CHECK(check(class_advantage(Family("permutation", {20}), 3)).holds);
  CHECK_THROWS_AS(class_advantage(Family("permutation", {11}), 0), UsageError);
}

TEST_CASE("the least classes of permutations that the count catches") {
  for (const auto& [d_model, m] :
       {std::pair<std::size_t, std::uint64_t>{2, 11}, {3, 20}, {4, 32}, {8, 106}, {12, 222}}) {
    CAPTURE(d_model, m);
    CHECK(check(class_advantage(Family("permutation", {m}), d_model)).holds);
    CHECK_THROWS_AS(class_advantage(Family("permutation", {m - 1}), d_model), UsageError);
  }
}

TEST_CASE("points of one norm lie on distinct lines") {
  for (const std::size_t d_model : {2, 3, 5, 40})
    for (const std::size_t count : {1, 2, 4, 6, 11, 12, 30}) {
      CAPTURE(d_model, count);
      const Matrix rows = points_of_one_norm(count, d_model);
      REQUIRE((rows.rows() == count && rows.cols() == d_model));
      std::set<std::vector<std::int64_t>> lines;
      std::set<std::int64_t> norms;
      for (std::size_t u = 0; u < count; ++u) {
        std::vector<std::int64_t> row(rows.narrow_row(u).begin(), rows.narrow_row(u).end());
        norms.insert(std::inner_product(row.begin(), row.end(), row.begin(), std::int64_t{0}));
        lines.insert(row);
        for (auto& x : row) x = -x;
        CHECK_FALSE(lines.contains(row));
      }
      CHECK(lines.size() == count);
      CHECK(norms.size() == 1);
      if (d_model == 2 && count > 8 && count <= 12) CHECK(*norms.begin() == 325);
    }
  CHECK(points_of_one_norm(1, 1).at(0, 0) == 1);
  CHECK_THROWS_AS(points_of_one_norm(2, 1), UsageError);
  CHECK_THROWS_AS(points_of_one_norm(49, 2), UsageError);
}

TEST_CASE("edge-per-head serves members of the class on the claim's embedding") {
  for (const Family& family : {Family("permutation", {11}), Family("out-regular", {6, 2}),
                               Family("digraph-loops", {4, 8})}) {
    const Embedding embedding{class_advantage(family, 2).embedding};
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const Graph graph = random_graph(family, seed);
      const Channel channel = propose(find_method("edge-per-head"), {graph, embedding});
      CHECK(channel.heads.size() == family.edges());
      CHECK(channel.key_dimension() == family.edges());
      CHECK(score_extremes(graph, embedding.rows, channel).separated());
    }
  }
}

/// How many graphs with `edges` edges (any number, if absent) small integer forms recognise.
std::size_t reached(const Matrix& x, int most, std::optional<std::size_t> edges) {
  const std::size_t m = x.rows(), d = x.cols();
  std::set<std::uint64_t> graphs;
  std::vector<int> form(d * d, -most);
  for (bool more = true; more;) {
    std::vector<Integer> scores(m * m);
    for (std::size_t i = 0; i < m * m; ++i)
      for (std::size_t a = 0; a < d; ++a)
        for (std::size_t b = 0; b < d; ++b)
          scores[i] += form[a * d + b] * x.at(i / m, a) * x.at(i % m, b);
    for (const Integer& threshold : scores) {
      std::uint64_t above = 0, from = 0;
      for (std::size_t i = 0; i < m * m; ++i) {
        if (scores[i] > threshold) above |= std::uint64_t{1} << i;
        if (scores[i] >= threshold) from |= std::uint64_t{1} << i;
      }
      for (const std::uint64_t mask : {above, from})
        if (!edges || numbered_graph(m, mask).edges().size() == *edges) graphs.insert(mask);
    }
    more = false;
    for (int& each : form) {
      if (each < most) {
        ++each, more = true;
        break;
      }
      each = -most;
    }
  }
  return graphs.size();
}

TEST_CASE("single heads reach no more graphs than the count, of all and of e edges") {
  repeat(6, [](Random& random) {
    for (const std::size_t m : {2, 3}) {
      const Integer sum = binomial_sum(m * m - 1, 4, power(2, 20));
      CHECK(reached(random_matrix(random, m, 2, 3), 2, {}) <= 2 * sum);
      const Integer line = binomial_sum(m * m - 1, 1, power(2, 20));
      const Matrix x = random_matrix(random, m, 1, 5);
      CHECK(reached(x, 3, {}) <= 2 * line);
      for (std::size_t e = 0; e <= m * m; ++e)
        CHECK(reached(x, 3, e) <= (2 * e == m * m ? 2 : 1) * line);
    }
  });
}

}  // namespace
}  // namespace qkcert
