#include <array>
#include <limits>
#include <qkcert/core/errors.hpp>
#include <qkcert/verify/extremes.hpp>

#include "support.hpp"

namespace qkcert {
namespace {

using namespace test;

using Table = std::vector<std::vector<Integer>>;

/// x·W, by the definition.
Table product(const Matrix& x, const Matrix& weights) {
  Table result(x.rows(), std::vector<Integer>(weights.cols()));
  for (std::size_t u = 0; u < x.rows(); ++u)
    for (std::size_t j = 0; j < weights.cols(); ++j)
      for (std::size_t i = 0; i < x.cols(); ++i) result[u][j] += x.at(u, i) * weights.at(i, j);
  return result;
}

/// max_k S^k_uv of every pair, by the definition.
Table plain_scores(const Matrix& x, const Channel& channel) {
  Table scores(x.rows(), std::vector<Integer>(x.rows()));
  for (std::size_t k = 0; k < channel.heads.size(); ++k) {
    const Table q = product(x, channel.heads[k].query);
    const Table p = product(x, channel.heads[k].key);
    for (std::size_t u = 0; u < x.rows(); ++u)
      for (std::size_t v = 0; v < x.rows(); ++v) {
        Integer score = 0;
        for (std::size_t j = 0; j < q[u].size(); ++j) score += q[u][j] * p[v][j];
        if (k == 0 || score > scores[u][v]) scores[u][v] = score;
      }
  }
  return scores;
}

/// The extremes of a table and the first pairs that have them, one pair after the other.
Extremes plain_extremes(const Graph& graph, const Table& scores) {
  Extremes result;
  for (std::size_t u = 0; u < scores.size(); ++u)
    for (std::size_t v = 0; v < scores.size(); ++v) {
      const Integer& score = scores[u][v];
      if (graph.contains({u, v})) {
        if (!result.least_edge || score < result.least_edge->score)
          result.least_edge = {score, {u, v}};
      } else if (!result.greatest_nonedge || score > result.greatest_nonedge->score) {
        result.greatest_nonedge = {score, {u, v}};
      }
    }
  return result;
}

std::string show(const Extremes& extremes) {
  std::string text;
  for (const auto& each : {extremes.least_edge, extremes.greatest_nonedge})
    text += each ? to_decimal(each->score) + " at (" + std::to_string(each->pair.source) + ", " +
                       std::to_string(each->pair.target) + ") "
                 : "none ";
  return text;
}

void check_against_definition(const Graph& graph, const Matrix& x, const Channel& channel) {
  const std::string expected = show(plain_extremes(graph, plain_scores(x, channel)));
  for (const unsigned threads : {1U, 2U, 5U})
    CHECK(show(score_extremes(graph, x, channel, threads)) == expected);
}

/// Entries of a few kinds: ±(2^bits - 1), 0, ±1, or anything below 2^bits.
Matrix spiky_matrix(Random& random, std::size_t rows, std::size_t cols, unsigned bits) {
  const Integer greatest = power_of_two(bits) - 1;
  Matrix matrix(rows, cols);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < cols; ++j) {
      const std::array<Integer, 4> kinds = {greatest, 0, 1, random_integer(random, bits)};
      matrix.set(i, j, kinds[random.below(4)] * random.sign());
    }
  return matrix;
}

Channel spiky_channel(Random& random, std::size_t d_model, unsigned bits) {
  Channel channel;
  for (std::size_t k = 1 + random.below(4); k > 0; --k) {
    const std::size_t width = 1 + random.below(12);
    channel.heads.push_back(
        {spiky_matrix(random, d_model, width, bits), spiky_matrix(random, d_model, width, bits)});
  }
  return channel;
}

std::uint64_t some_density(Random& random) {
  return std::array<std::uint64_t, 6>{0, 1, 10, 50, 98, 100}[random.below(6)];
}

/// The matrix with these rows.
Matrix matrix_of(const std::vector<std::vector<Integer>>& rows) {
  Matrix matrix(rows.size(), rows.empty() ? 0 : rows[0].size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows[i].size(); ++j) matrix.set(i, j, rows[i][j]);
  return matrix;
}

Graph complete(std::size_t vertices) {
  std::vector<Edge> edges;
  for (std::size_t u = 0; u < vertices; ++u)
    for (std::size_t v = 0; v < vertices; ++v) edges.push_back({u, v});
  return Graph(vertices, std::move(edges));
}

TEST_CASE("score_extremes agrees with the definition on random channels") {
  constexpr std::array<unsigned, 12> bit_counts = {3, 8, 15, 16, 20, 31, 32, 33, 53, 63, 64, 140};
  std::size_t round = 0;
  repeat(72, [&](Random& random) {
    const unsigned bits = bit_counts[round++ % bit_counts.size()];
    const std::size_t m = random.below(2) == 0 ? 1 + random.below(70) : 62 + random.below(5);
    const std::size_t d_model = 1 + random.below(8);
    const Matrix x =
        spiky_matrix(random, m, d_model, 1 + static_cast<unsigned>(random.below(bits)));
    check_against_definition(random_digraph(random, m, some_density(random)), x,
                             spiky_channel(random, d_model, bits));
  });
}

TEST_CASE("score_extremes agrees with the definition beyond one tile of columns") {
  repeat(4, [](Random& random) {
    const std::size_t m = std::array<std::size_t, 4>{255, 256, 257, 300}[random.below(4)];
    const std::size_t d_model = 1 + random.below(4);
    check_against_definition(random_digraph(random, m, some_density(random)),
                             spiky_matrix(random, m, d_model, 3),
                             spiky_channel(random, d_model, 3));
  });
}

TEST_CASE("scores at the borders of machine integers are exact") {
  for (const std::size_t exponent : {31, 32, 53, 62, 63, 64, 126, 127, 128})
    for (const int offset : {-1, 0, 1})
      for (const int sign : {1, -1}) {
        const Integer target = sign * (power_of_two(exponent) + offset);
        CAPTURE(exponent, offset, sign);
        const Integer low = power_of_two(exponent / 2) * sign;
        const Integer high = power_of_two(exponent - exponent / 2);
        // S_01 = target in four ways: (query row of vertex 0, key row of vertex 1).
        const std::vector<std::pair<std::vector<Integer>, std::vector<Integer>>> ways = {
            {{target}, {1}},
            {{1}, {target}},
            {{low, sign * offset}, {high, 1}},
            {{low, -low, low, sign * offset}, {high, high, high, 1}}};
        for (const auto& [query, key] : ways) {
          const std::vector<Integer> zero(query.size());
          const Head head{matrix_of({query, zero}), matrix_of({zero, key})};
          const Channel one{{head}};
          const Matrix x = identity(2);
          const auto edge = score_extremes(Graph(2, {{0, 1}}), x, one, 1);
          CHECK(edge.least_edge->score == target);
          CHECK(edge.greatest_nonedge->score == 0);
          CHECK(score_extremes(Graph(2, {}), x, one, 1).greatest_nonedge->score ==
                (sign > 0 ? target : Integer(0)));
          CHECK(score_extremes(complete(2), x, one, 1).least_edge->score ==
                (sign > 0 ? Integer(0) : target));
          check_against_definition(Graph(2, {{1, 0}}), x, {{head, head}});
        }
        // The same through the projection: x_0 W_Q = target, x_1 W_K = 1.
        const Channel unit{{{matrix_of({{1}, {offset * sign}}), matrix_of({{0}, {1}})}}};
        const Matrix x = matrix_of({{sign * power_of_two(exponent), 1}, {1, 1}});
        CHECK(score_extremes(Graph(2, {{0, 1}}), x, unit, 1).least_edge->score == target);
      }
}

TEST_CASE("sums of the greatest terms a machine integer can hold do not wrap") {
  // With t terms of (2^bits - 1)² or so the bound t·a·b passes 2^63 and 2^127 between neighbours.
  for (const unsigned bits : {30U, 31U, 32U, 61U, 62U, 63U, 64U})
    for (std::size_t terms = 1; terms <= 5; ++terms)
      for (const int sign : {1, -1})
        for (const int less : {0, 1}) {
          CAPTURE(bits, terms, sign, less);
          const Integer entry = power_of_two(bits) - less;
          const std::vector<Integer> query(terms, sign * entry), key(terms, entry);
          // Summed in the score (one-hot), in the projection, and in W_Q·W_Kᵀ of a wide head.
          check_against_definition(
              complete(2), identity(2),
              {{{matrix_of({query, query}), matrix_of({key, std::vector<Integer>(terms)})}}});
          Matrix column(terms, 1), ones(terms, 1);
          for (std::size_t i = 0; i < terms; ++i) {
            column.set(i, 0, entry);
            ones.set(i, 0, std::int64_t{1});
          }
          check_against_definition(Graph(2, {{0, 0}}), matrix_of({query, query}),
                                   {{{column, ones}}});
          check_against_definition(Graph(1, {}), matrix_of({{1}}),
                                   {{{matrix_of({query}), matrix_of({key})}}});
        }
}

TEST_CASE("one wrong pair is seen wherever it is") {
  for (const std::size_t m : {1, 2, 63, 64, 65, 128, 256, 257}) {
    const std::size_t last = m - 1;
    for (const std::size_t u : {std::size_t{0}, std::min<std::size_t>(63, last), last / 2, last})
      for (const std::size_t v : {std::size_t{0}, std::min<std::size_t>(64, last),
                                  std::min<std::size_t>(255, last), last}) {
        CAPTURE(m, u, v);
        // Scores 0 but for S_uv = ±5, on the line: x = (e_u, e_v), one wrong pair in the last head.
        Matrix x(m, 2), query(2, 1), key(2, 1);
        x.set(u, 0, std::int64_t{1});
        x.set(v, 1, std::int64_t{1});
        query.set(0, 0, std::int64_t{1});
        key.set(1, 0, std::int64_t{5});
        const Head zero{Matrix(2, 1), Matrix(2, 1)};
        for (const unsigned threads : {1U, 3U}) {
          const auto most = score_extremes(Graph(m, {}), x, {{zero, {query, key}}}, threads);
          CHECK(show(most) == "none 5 at (" + std::to_string(u) + ", " + std::to_string(v) + ") ");
        }
        key.set(1, 0, std::int64_t{-5});
        const auto least = score_extremes(complete(m), x, {{{query, key}}}, 1);
        CHECK(show(least) == "-5 at (" + std::to_string(u) + ", " + std::to_string(v) + ") none ");
      }
  }
}

TEST_CASE("ties go to the first pair and never depend on the threads") {
  repeat(10, [](Random& random) {
    const std::size_t m = 60 + random.below(210);
    const Matrix x = random_matrix(random, m, 2, 1);  // scores of a handful of values
    check_against_definition(random_digraph(random, m, 30), x, random_channel(random, 2, 3, 2, 1));
  });
  // Two pairs alone score ±5, and the first of them is not the first that any loop comes across:
  // (1, 3) is tiles before (0, 256), and (70, 0) may be another thread's.
  for (const auto& [first, second] :
       {std::pair<Edge, Edge>{{0, 256}, {1, 3}}, {{63, 299}, {70, 0}}, {{0, 299}, {299, 0}}})
    for (const int sign : {1, -1}) {
      Matrix x(300, 4), query(4, 2), key(4, 2);
      std::size_t axis = 0;
      for (const std::size_t v : {first.source, first.target, second.source, second.target})
        x.set(v, axis++, std::int64_t{1});
      for (const std::size_t j : {0, 1}) {
        query.set(2 * j, j, std::int64_t{1});
        key.set(2 * j + 1, j, Integer(5 * sign));
      }
      check_against_definition(sign > 0 ? Graph(300, {}) : complete(300), x, {{{query, key}}});
    }
  for (const std::size_t m : {1, 64, 65, 257}) {  // all scores equal
    const Channel zero{{{Matrix(1, 1), Matrix(1, 1)}}};
    check_against_definition(Graph(m, {{m - 1, m - 1}}), Matrix(m, 1), zero);
    check_against_definition(complete(m), Matrix(m, 1), zero);
  }
}

TEST_CASE("loops are pairs like all others") {
  const Channel channel{{{identity(3), identity(3)}}};  // S = identity
  const auto with = score_extremes(Graph(3, {{0, 0}, {1, 1}, {2, 2}}), identity(3), channel);
  CHECK(show(with) == "1 at (0, 0) 0 at (0, 1) ");
  CHECK(with.separated());
  const auto without = score_extremes(Graph(3, {{0, 1}}), identity(3), channel);
  CHECK(show(without) == "0 at (0, 1) 1 at (0, 0) ");
  CHECK_FALSE(without.separated());
}

TEST_CASE("degenerate shapes") {
  const Channel flat{{{Matrix(0, 3), Matrix(0, 3)}}};
  CHECK(show(score_extremes(Graph(0, {}), Matrix(0, 0), flat)) == "none none ");
  CHECK(show(score_extremes(Graph(0, {}), Matrix(0, 2), {{{Matrix(2, 1), Matrix(2, 1)}}})) ==
        "none none ");
  CHECK(show(score_extremes(Graph(3, {{2, 2}}), Matrix(3, 0), flat)) == "0 at (2, 2) 0 at (0, 0) ");
  // A width that no memory could hold costs nothing where d_model is 0.
  const std::size_t huge = std::numeric_limits<std::size_t>::max();
  CHECK(show(score_extremes(Graph(2, {}), Matrix(2, 0), {{{Matrix(0, huge), Matrix(0, huge)}}})) ==
        "none 0 at (0, 0) ");
  CHECK(show(score_extremes(Graph(1, {{0, 0}}), matrix_of({{-3}}),
                            {{{matrix_of({{2}}), matrix_of({{7}})}}})) == "126 at (0, 0) none ");
}

TEST_CASE("separated is strict") {
  const auto extremes = [](int least, int greatest) {
    return Extremes{Extreme{least, {}}, Extreme{greatest, {}}};
  };
  CHECK(extremes(1, 0).separated());
  CHECK_FALSE(extremes(0, 0).separated());
  CHECK_FALSE(extremes(-1, 0).separated());
  CHECK(Extremes{{}, Extreme{0, {}}}.separated());
  CHECK(Extremes{Extreme{0, {}}, {}}.separated());
  CHECK(Extremes{}.separated());
}

TEST_CASE("score_extremes refuses shapes that do not fit") {
  const Matrix x(3, 2);
  const Channel channel{{{Matrix(2, 1), Matrix(2, 1)}}};
  CHECK_NOTHROW(score_extremes(Graph(3, {}), x, channel));
  CHECK_THROWS_AS(score_extremes(Graph(2, {}), x, channel), ShapeError);
  CHECK_THROWS_AS(score_extremes(Graph(4, {}), x, channel), ShapeError);
  CHECK_THROWS_AS(score_extremes(Graph(3, {}), x, {}), ShapeError);
  CHECK_THROWS_AS(score_extremes(Graph(3, {}), Matrix(3, 1), channel), ShapeError);
}

TEST_CASE("extremes: what is known of other pairs is part of the result") {
  repeat(60, [](Random& random) {
    const std::size_t m = 2 + random.below(120);
    const unsigned bits = std::array{3U, 12U, 31U, 62U, 100U}[random.below(5)];
    const Matrix x = random_matrix(random, m, 3, bits);
    const Channel channel = random_channel(random, 3, 2, 3, bits);
    const Graph graph = random_digraph(random, m, 30);
    const std::size_t cut = random.below(m + 1);
    Execution execution{.threads = 1};
    execution.known = score_extremes(graph, x, channel, {0, m}, {0, cut}, execution);
    CHECK(show(score_extremes(graph, x, channel, {0, m}, {cut, m}, execution)) ==
          show(plain_extremes(graph, plain_scores(x, channel))));
  });
}

}  // namespace
}  // namespace qkcert
