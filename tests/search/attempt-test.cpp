#include <qkcert/constructions/method.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/search/attempt.hpp>
#include <qkcert/verify/check.hpp>

#include "support.hpp"

namespace qkcert {

namespace {

Extremes extremes(const std::optional<Integer>& least, const std::optional<Integer>& greatest) {
  Extremes result;
  if (least) result.least_edge = Extreme{*least, {0, 1}};
  if (greatest) result.greatest_nonedge = Extreme{*greatest, {1, 0}};
  return result;
}

/// A method that always proposes `weight` as the one weight of query and key.
Method constant_method(const Integer& weight) {
  const auto propose = [weight](const Request&) {
    Matrix query(1, 1), key(1, 1);
    query.set(0, 0, weight);
    key.set(0, 0, weight);
    return Channel{{Head{query, key}}};
  };
  return {.name = "constant",
          .summary = "for tests",
          .takes_heads = true,
          .takes_head_dim = true,
          .seeded = false,
          .plan =
              [](const Request&) {
                return Architecture{1, 1};
              },
          .propose = propose};
}

/// Two vertices at 1 and `second`; the score of (u, v) is weight²·x_u·x_v.
struct Line {
  Embedding embedding;
  explicit Line(const Integer& second) : embedding{Matrix(2, 1), 0} {
    embedding.rows.set(0, 0, 1);
    embedding.rows.set(1, 0, second);
  }
};

}  // namespace

TEST_CASE("choose_threshold: the midpoint of both extremes, rounded down") {
  CHECK(choose_threshold(extremes(1, 0)) == 0);
  CHECK(choose_threshold(extremes(2, 0)) == 1);
  CHECK(choose_threshold(extremes(3, 0)) == 1);
  CHECK(choose_threshold(extremes(0, -1)) == -1);
  CHECK(choose_threshold(extremes(0, -3)) == -2);
  CHECK(choose_threshold(extremes(-4, -5)) == -5);
  CHECK(choose_threshold(extremes(power_of_two(64) + 1, power_of_two(64))) == power_of_two(64));
}

TEST_CASE("choose_threshold: with one extreme or none") {
  CHECK(choose_threshold(extremes({}, 7)) == 7);
  CHECK(choose_threshold(extremes({}, -7)) == -7);
  CHECK(choose_threshold(extremes(7, {})) == 6);
  CHECK(choose_threshold(extremes(0, {})) == -1);
  CHECK(choose_threshold(extremes({}, {})) == 0);
}

TEST_CASE("choose_threshold: refuses extremes that no threshold separates") {
  CHECK_THROWS_AS(choose_threshold(extremes(0, 0)), ShapeError);
  CHECK_THROWS_AS(choose_threshold(extremes(-1, 0)), ShapeError);
}

TEST_CASE("choose_threshold: least edge > τ >= greatest non-edge, both margins equal up to one") {
  test::repeat(1000, [](Random& random) {
    const auto bits = static_cast<unsigned>(1 + random.below(130));
    const Integer greatest = test::random_integer(random, bits);
    const Integer least = greatest + 1 + abs(test::random_integer(random, bits));
    const Integer threshold = choose_threshold(extremes(least, greatest));
    CHECK(least > threshold);
    CHECK(threshold >= greatest);
    const Integer difference = (least - threshold) - (threshold - greatest);
    CHECK(difference >= 0);
    CHECK(difference <= 1);
  });
}

TEST_CASE("attempt: a proposal that separates becomes a claim that holds") {
  const Line line(-1);  // scores: 4 on the loops, -4 on the other pairs
  const Graph loops(2, {{0, 0}, {1, 1}});
  const Attempt result = attempt(constant_method(2), {loops, line.embedding}, true);
  REQUIRE(result.claim);
  CHECK(result.method == "constant");
  CHECK(result.architecture == Architecture{1, 1});
  CHECK(result.seed == 1);
  CHECK(result.weight_max == 2);
  CHECK(result.claim->threshold == 0);
  CHECK(result.claim->least_edge == Integer(4));
  CHECK(result.claim->greatest_nonedge == Integer(-4));
  CHECK(check(*result.claim).holds);
}

TEST_CASE("attempt: a proposal that does not separate keeps its extremes and makes no claim") {
  const Line line(-1);
  const Graph others(2, {{0, 1}, {1, 0}});
  const Attempt result = attempt(constant_method(2), {others, line.embedding}, true);
  CHECK_FALSE(result.claim);
  REQUIRE(result.extremes);
  CHECK(result.extremes->least_edge->score == -4);
  CHECK(result.extremes->greatest_nonedge->score == 4);
}

TEST_CASE("attempt: graphs without edges or without non-edges") {
  const Line line(3);
  const Graph none(2, {});
  const Attempt without_edges = attempt(constant_method(1), {none, line.embedding}, true);
  REQUIRE(without_edges.claim);
  CHECK_FALSE(without_edges.claim->least_edge);
  CHECK(without_edges.claim->threshold == 9);
  const Graph all(2, {{0, 0}, {0, 1}, {1, 0}, {1, 1}});
  const Attempt without_nonedges = attempt(constant_method(1), {all, line.embedding}, true);
  REQUIRE(without_nonedges.claim);
  CHECK_FALSE(without_nonedges.claim->greatest_nonedge);
  CHECK(without_nonedges.claim->threshold == 0);
}

TEST_CASE("attempt: weights up to the limit and one beyond") {
  const Line line(-1);
  const Graph loops(2, {{0, 0}, {1, 1}});
  const Request request{.graph = loops, .embedding = line.embedding, .weight_max = 5};
  CHECK(attempt(constant_method(5), request, true).claim);
  CHECK(attempt(constant_method(-5), request, true).claim);
  for (const int weight : {6, -6}) {
    const Attempt beyond = attempt(constant_method(weight), request, true);
    CHECK_FALSE(beyond.claim);
    CHECK_FALSE(beyond.extremes);
    CHECK(beyond.weight_max == 6);
    CHECK(attempt(constant_method(weight), request, false).claim);
  }
}

TEST_CASE("attempt: parameters are checked before the method plans") {
  const Line line(-1);
  const Graph loops(2, {{0, 0}, {1, 1}});
  const Graph three(3, {});
  CHECK_THROWS_AS(attempt(constant_method(1), {three, line.embedding}, true), ShapeError);
  Method rigid = constant_method(1);
  rigid.takes_heads = false;
  rigid.plan = [](const Request&) -> Architecture { throw std::logic_error("planned too early"); };
  const Request request{.graph = loops, .embedding = line.embedding, .heads = 2};
  CHECK_THROWS_AS(attempt(rigid, request, true), UsageError);
}

}  // namespace qkcert
