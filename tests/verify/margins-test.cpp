#include <array>
#include <qkcert/core/errors.hpp>
#include <qkcert/verify/margins.hpp>

#include "support.hpp"

namespace qkcert::test {
namespace {

Matrix absolute(const Matrix& matrix) {
  Matrix result(matrix.rows(), matrix.cols());
  for (std::size_t i = 0; i < matrix.rows(); ++i)
    for (std::size_t j = 0; j < matrix.cols(); ++j)
      result.set(i, j, Integer(abs(matrix.at(i, j)) + (i + j) % 2));
  return result;
}

Integer dot(const Matrix& a, std::size_t u, const Matrix& b, std::size_t v) {
  Integer sum;
  for (std::size_t j = 0; j < a.cols(); ++j) sum += a.at(u, j) * b.at(v, j);
  return sum;
}

/// By the definition: every pair, every head, rationals. An infinite margin is no margin.
Margins slow_margins(const Graph& graph, const std::vector<MarginHead>& heads,
                     const Integer& threshold) {
  Margins result{{}, {}, std::vector<Integer>(heads.size())};
  const auto less = [](const Margin& a, const Margin& b) {
    return Rational(a.distance, a.error) < Rational(b.distance, b.error);
  };
  for (std::size_t u = 0; u < graph.vertices(); ++u)
    for (std::size_t v = 0; v < graph.vertices(); ++v) {
      const bool edge = graph.contains({u, v});
      std::optional<Margin> best;
      bool infinite = false;
      for (std::size_t k = 0; k < heads.size(); ++k) {
        const Integer score = dot(heads[k].query, u, heads[k].key, v);
        const Integer size = dot(heads[k].abs_query, u, heads[k].abs_key, v);
        result.largest[k] = std::max(result.largest[k], size);
        const Integer distance = edge ? Integer(score - threshold) : Integer(threshold - score);
        if (size == 0 && (edge ? distance > 0 : distance >= 0)) {
          infinite = true;
          continue;
        }
        const Margin margin{distance * heads[k].denominator,
                            size == 0 ? Integer(1) : Integer(size * heads[k].numerator),
                            {u, v},
                            k};
        if (!edge) {
          if (!result.nonedge || less(margin, *result.nonedge)) result.nonedge = margin;
        } else if (!best || less(*best, margin)) {
          best = margin;
        }
      }
      if (edge && !infinite && (!result.edge || less(*best, *result.edge))) result.edge = best;
    }
  return result;
}

void check_equal(const std::optional<Margin>& a, const std::optional<Margin>& b) {
  REQUIRE(a.has_value() == b.has_value());
  if (!a) return;
  CHECK(Rational(a->distance, a->error) == Rational(b->distance, b->error));
  CHECK((a->pair == b->pair));
  CHECK(a->head == b->head);
}

TEST_CASE("the least margins are those of all pairs and heads, in every arithmetic") {
  repeat(400, [](Random& random) {
    const std::size_t m = random.below(8);
    const auto bits = static_cast<unsigned>(std::array{1, 2, 8, 28, 45, 61, 100}[random.below(7)]);
    std::vector<MarginHead> heads;
    for (std::size_t k = 1 + random.below(3); k > 0; --k) {
      const std::size_t width = random.below(4);
      MarginHead head;
      head.query = random_matrix(random, m, width, bits);
      head.key = random_matrix(random, m, width, bits);
      head.abs_query = absolute(head.query);
      head.abs_key = absolute(head.key);
      if (random.below(4) == 0)  // A = 0 has S = 0
        head = {Matrix(m, width), Matrix(m, width), Matrix(m, width), Matrix(m, width), {}, {}};
      head.numerator = 1 + random.below(random.below(2) == 0 ? 10 : (std::uint64_t{1} << 47));
      head.denominator = 1 + random.below(std::uint64_t{1} << 47);
      heads.push_back(std::move(head));
    }
    const Graph graph = random_digraph(random, m, 25 * random.below(5));
    const Integer threshold =
        random.below(3) == 0 ? Integer(0) : random_integer(random, 1 + 2 * bits);
    const Margins expected = slow_margins(graph, heads, threshold);
    for (const unsigned threads : {1U, 3U}) {
      const Margins found = least_margins(graph, heads, threshold, threads, {});
      check_equal(found.edge, expected.edge);
      check_equal(found.nonedge, expected.nonedge);
      CHECK(found.largest == expected.largest);
    }
  });
}

TEST_CASE("the least margins of many vertices, where most pairs are passed over") {
  repeat(3, [](Random& random) {
    const std::size_t m = 300;
    std::vector<MarginHead> heads;
    for (int k = 0; k < 2; ++k) {
      const Matrix query = random_matrix(random, m, 3, 6), key = random_matrix(random, m, 3, 6);
      heads.push_back({query, key, absolute(query), absolute(key), 1000 + k, power_of_two(40)});
    }
    const Graph graph = random_digraph(random, m, 2);
    for (const int threshold : {-100, 0, 20000}) {
      const Margins expected = slow_margins(graph, heads, threshold);
      const Margins found = least_margins(graph, heads, threshold, 2, {});
      check_equal(found.edge, expected.edge);
      check_equal(found.nonedge, expected.nonedge);
    }
  });
}

TEST_CASE("least_margins refuses shapes that disagree") {
  const Matrix two(2, 1), three(3, 1), wide(2, 2);
  CHECK_THROWS_AS(least_margins(Graph(3, {}), {{two, two, two, two, 1, 1}}, 0, 1, {}), ShapeError);
  CHECK_THROWS_AS(least_margins(Graph(2, {}), {{two, two, two, three, 1, 1}}, 0, 1, {}),
                  ShapeError);
  CHECK_THROWS_AS(least_margins(Graph(2, {}), {{two, two, wide, two, 1, 1}}, 0, 1, {}), ShapeError);
}

}  // namespace
}  // namespace qkcert::test
