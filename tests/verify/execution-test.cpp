/// score_extremes under every execution: instruction sets, threads, parts, resumption; the filter.

#include <algorithm>
#include <array>
#include <qkcert/core/errors.hpp>
#include <qkcert/verify/extremes.hpp>

#include "support.hpp"

namespace qkcert {
namespace {

using namespace test;

std::string show(const Extremes& extremes) {
  std::string text;
  for (const auto& each : {extremes.least_edge, extremes.greatest_nonedge})
    text += each ? to_decimal(each->score) + " at (" + std::to_string(each->pair.source) + ", " +
                       std::to_string(each->pair.target) + ") "
                 : "none ";
  return text;
}

std::vector<std::vector<Integer>> product(const Matrix& x, const Matrix& weights) {
  std::vector<std::vector<Integer>> result(x.rows(), std::vector<Integer>(weights.cols()));
  for (std::size_t u = 0; u < x.rows(); ++u)
    for (std::size_t j = 0; j < weights.cols(); ++j)
      for (std::size_t i = 0; i < x.cols(); ++i) result[u][j] += x.at(u, i) * weights.at(i, j);
  return result;
}

/// The extremes over the pairs of sources × targets by the definition, in GMP.
Extremes plain_extremes(const Graph& graph, const Matrix& x, const Channel& channel,
                        VertexRange sources, VertexRange targets) {
  std::vector<std::vector<std::vector<Integer>>> q, k;
  for (const Head& head : channel.heads) {
    q.push_back(product(x, head.query));
    k.push_back(product(x, head.key));
  }
  Extremes result;
  for (std::size_t u = sources.begin; u < sources.end; ++u)
    for (std::size_t v = targets.begin; v < targets.end; ++v) {
      Integer best;
      for (std::size_t h = 0; h < q.size(); ++h) {
        Integer score = 0;
        for (std::size_t j = 0; j < q[h][u].size(); ++j) score += q[h][u][j] * k[h][v][j];
        if (h == 0 || score > best) best = score;
      }
      if (graph.contains({u, v})) {
        if (!result.least_edge || best < result.least_edge->score)
          result.least_edge = {best, {u, v}};
      } else if (!result.greatest_nonedge || best > result.greatest_nonedge->score) {
        result.greatest_nonedge = {best, {u, v}};
      }
    }
  return result;
}

Extremes plain_extremes(const Graph& graph, const Matrix& x, const Channel& channel) {
  return plain_extremes(graph, x, channel, {0, x.rows()}, {0, x.rows()});
}

std::vector<std::string> every_simd() {
  std::vector<std::string> names(1);
  for (const char c : simd_names())
    if (c == ' ')
      names.emplace_back();
    else
      names.back() += c;
  return names;
}

void check_every_execution(const Graph& graph, const Matrix& x, const Channel& channel) {
  const std::string expected = show(plain_extremes(graph, x, channel));
  for (const std::string& simd : every_simd())
    for (const unsigned threads : {1U, 3U}) {
      CAPTURE(simd, threads);
      CHECK(show(score_extremes(graph, x, channel, {.threads = threads, .simd = simd})) ==
            expected);
    }
}

/// Rows with a few norms, some of them far from the others, and copies of other rows.
Matrix uneven(Random& random, std::size_t m, std::size_t d_model, unsigned bits) {
  Matrix x = random_matrix(random, m, d_model, bits);
  for (std::size_t u = 0; u < m; ++u) {
    const std::uint64_t kind = random.below(6);
    const std::size_t other = random.below(m);
    for (std::size_t j = 0; j < d_model; ++j)
      if (kind == 0)
        x.set(u, j, Integer(x.at(u, j) * power_of_two(random.below(bits + 1))));
      else if (kind == 1)
        x.set(u, j, std::int64_t{0});
      else if (kind == 2)
        x.set(u, j, x.at(other, j));
      else if (kind == 3 && j == 0)
        x.set(u, j, Integer(x.at(other, j) + random.sign()));
  }
  return x;
}

TEST_CASE("extremes: every execution agrees with GMP on random shapes") {
  repeat(1800, [](Random& random) {
    const std::size_t m = 1 + random.below(20), d_model = 1 + random.below(3);
    constexpr std::array<unsigned, 8> sizes = {1, 3, 7, 8, 15, 16, 31, 50};
    const unsigned bits = sizes[random.below(sizes.size())];
    check_every_execution(random_digraph(random, m, std::array{0, 5, 50, 100}[random.below(4)]),
                          uneven(random, m, d_model, bits),
                          random_channel(random, d_model, 4, 3, bits));
  });
}

TEST_CASE("extremes: widths from 1 to 300 and entries of every size") {
  // One-hot rows: queries and keys are the weights' rows, and have just these entries.
  repeat(80, [](Random& random) {
    const std::size_t m = 3 + random.below(6), width = 1 + random.below(300);
    constexpr std::array<unsigned, 9> sizes = {2, 12, 14, 15, 16, 31, 32, 62, 100};
    const unsigned bits = sizes[random.below(sizes.size())];
    Matrix x(m, 301), query(301, width), key(301, width);
    for (std::size_t u = 0; u < m; ++u) {
      x.set(u, u, std::int64_t{1});
      const bool corner = random.below(2) == 0;
      for (std::size_t j = 0; j < width; ++j)
        for (Matrix* side : {&query, &key})
          side->set(u, j,
                    corner ? Integer(power_of_two(bits) * random.sign() -
                                     static_cast<std::int64_t>(random.below(2)))
                           : random_integer(random, bits));
    }
    check_every_execution(random_digraph(random, m, 30), x, {{{query, key}, {key, query}}});
  });
}

TEST_CASE("extremes: several tiles of wide heads and wide entries") {
  repeat(3, [](Random& random) {
    const std::size_t m = 257 + random.below(40), d_model = 1 + random.below(40);
    const unsigned bits = std::array{7U, 15U, 31U, 62U, 100U}[random.below(5)];
    check_every_execution(random_digraph(random, m, 5), uneven(random, m, d_model, bits),
                          random_channel(random, d_model, 1, 40, bits));
  });
}

TEST_CASE("extremes: small differences of large numbers, where the filter tells nothing") {
  // S_uv = -(p(u) - p(v))², whose terms are up to 2^26 or, beyond 64 bits, 2^66.
  repeat(8, [](Random& random) {
    const std::size_t m = 200 + random.below(200);
    const Integer scale = random.below(4) == 0 ? power_of_two(20) : 1;
    Matrix x(m, 3);
    for (std::size_t v = 0; v < m; ++v) {
      const Integer p = Integer(4096 + random.below(2 * m)) * scale;
      x.set(v, 0, std::int64_t{1});
      x.set(v, 1, p);
      x.set(v, 2, Integer(p * p));
    }
    Matrix query(3, 3), key = identity(3);
    query.set(0, 2, std::int64_t{-1});
    query.set(1, 1, std::int64_t{2});
    query.set(2, 0, std::int64_t{-1});
    check_every_execution(random_digraph(random, m, std::array{0, 1, 50, 99, 100}[random.below(5)]),
                          x, {{{query, key}, {query, key}}});
  });
}

TEST_CASE("extremes: the only non-edge comes after a tile's doubts are settled exactly") {
  const std::size_t m = 300;
  for (const Edge only : {Edge{95, 7}, {40, 299}, {0, 0}}) {
    std::vector<Edge> edges;
    for (std::size_t u = 0; u < m; ++u)
      for (std::size_t v = 0; v < m; ++v)
        if (const Edge pair{u, v}; pair != only) edges.push_back(pair);
    Matrix x(m, 2);
    for (std::size_t v = 0; v < m; ++v) {
      x.set(v, 0,
            static_cast<std::int64_t>(1000000 + v));  // S_uv = 10^6·(u - v), norms nearly equal
      x.set(v, 1, std::int64_t{1000000});
    }
    Matrix query(2, 2), key(2, 2);
    query.set(0, 0, std::int64_t{1});
    query.set(1, 1, std::int64_t{-1});
    key.set(1, 0, std::int64_t{1});
    key.set(0, 1, std::int64_t{1});
    check_every_execution(Graph(m, std::move(edges)), x, {{{query, key}}});
  }
}

TEST_CASE("extremes: several tiles, falling norms and near ties") {
  repeat(6, [](Random& random) {
    const std::size_t m = 90 + random.below(500), d_model = 2;
    const unsigned bits = std::array{2U, 9U, 40U}[random.below(3)];
    Matrix x = uneven(random, m, d_model, bits);
    for (std::size_t u = 0; u < m; ++u)  // most blocks are excluded by their norms
      for (std::size_t j = 0; j < d_model; ++j)
        x.set(u, j, Integer(x.at(u, j) * (u % 7 == 0 ? 64 : 1)));
    const Channel channel = random_channel(random, d_model, 2, 2, bits);
    const Graph graph = random_digraph(random, m, random.below(2) ? 1 : 40);
    const std::string expected = show(plain_extremes(graph, x, channel));
    for (const std::string& simd : every_simd())
      CHECK(show(score_extremes(graph, x, channel, {.threads = 2, .simd = simd})) == expected);
  });
}

TEST_CASE("extremes: equal scores go to the first pair in every execution") {
  repeat(12, [](Random& random) {
    const std::size_t m = 1 + random.below(300);
    // ±c in one entry: two scores, ±c², each on half of the pairs, at a scale that is rounded or not.
    const Integer c = Integer(3) * power_of_two(std::array{0U, 7U, 20U, 70U}[random.below(4)]) + 1;
    Matrix x(m, 1);
    for (std::size_t u = 0; u < m; ++u) x.set(u, 0, Integer(c * random.sign()));
    const Channel channel{{{identity(1), identity(1)}}};
    for (const std::uint64_t percent : {0, 50, 100}) {
      const Graph graph = random_digraph(random, m, percent);
      const std::string expected = show(plain_extremes(graph, x, channel));
      for (const unsigned threads : {1U, 2U, 4U})
        CHECK(show(score_extremes(graph, x, channel, threads)) == expected);
    }
  });
}

TEST_CASE("extremes: a block whose norms just allow a tie is not left out") {
  // All scores are 1 = ‖q‖·‖k‖. The second non-edge is the first of the tie, tiles after the other.
  for (const auto& [later, first] :
       {std::pair<Edge, Edge>{{50, 10}, {5, 290}}, {{299, 0}, {0, 299}}}) {
    const std::size_t m = 300;
    std::vector<Edge> edges;
    for (std::size_t u = 0; u < m; ++u)
      for (std::size_t v = 0; v < m; ++v)
        if (const Edge pair{u, v}; pair != later && pair != first) edges.push_back(pair);
    Matrix x(m, 1);
    for (std::size_t u = 0; u < m; ++u) x.set(u, 0, std::int64_t{1});
    const Extremes extremes =
        score_extremes(Graph(m, std::move(edges)), x, {{{identity(1), identity(1)}}}, 1);
    CHECK(extremes.greatest_nonedge->pair == first);
  }
}

TEST_CASE("extremes: edges among blocks that norms leave out are looked at") {
  const std::size_t m = 600;
  Matrix x(m, 1);
  for (std::size_t u = 0; u < m; ++u) x.set(u, 0, std::int64_t{u < 300 ? 100 : 1});
  const Channel channel{{{identity(1), identity(1)}}};
  for (const Edge last : {Edge{599, 599}, {599, 300}, {300, 599}}) {
    const Graph graph(m, {{0, 0}, {1, 1}, last});
    CHECK(show(score_extremes(graph, x, channel, 1)) == "1 at (" + std::to_string(last.source) +
                                                            ", " + std::to_string(last.target) +
                                                            ") 10000 at (0, 1) ");
  }
}

TEST_CASE("extremes: parts merge to the whole in any order") {
  repeat(30, [](Random& random) {
    const std::size_t m = 1 + random.below(40);
    const Matrix x = uneven(random, m, 2, 8);
    const Channel channel = random_channel(random, 2, 2, 3, 8);
    const Graph graph = random_digraph(random, m, 30);
    const std::size_t row = random.below(m + 1), col = random.below(m + 1);
    Extremes merged, reversed;
    std::vector<Extremes> parts;
    for (const VertexRange sources : {VertexRange{0, row}, VertexRange{row, m}})
      for (const VertexRange targets : {VertexRange{0, col}, VertexRange{col, m}}) {
        parts.push_back(score_extremes(graph, x, channel, sources, targets, {.threads = 1}));
        CHECK(show(parts.back()) == show(plain_extremes(graph, x, channel, sources, targets)));
      }
    for (std::size_t i = 0; i < parts.size(); ++i) {
      merged.merge(parts[i]);
      reversed.merge(parts[parts.size() - 1 - i]);
    }
    CHECK(show(merged) == show(plain_extremes(graph, x, channel)));
    CHECK(show(reversed) == show(merged));
  });
}

TEST_CASE("extremes: a scan stopped after any block resumes to the same result") {
  Random random(seed());
  const std::size_t m = 700;
  const Matrix x = random_matrix(random, m, 3, 20);
  const Channel channel = random_channel(random, 3, 2, 3, 20);
  const Graph graph = random_digraph(random, m, 1);
  std::vector<ScanState> states;
  const auto keep = [&](const ScanState& state) { states.push_back(state); };
  const std::string whole = show(score_extremes(graph, x, channel, {.threads = 2, .save = keep}));
  CHECK(whole == show(plain_extremes(graph, x, channel)));
  REQUIRE(states.size() == 8);  // blocks of 96 sources
  for (std::size_t i = 0; i < states.size(); ++i) {
    CHECK(std::count(states[i].done.begin(), states[i].done.end(), true) ==
          static_cast<std::ptrdiff_t>(i + 1));
    std::size_t told = 0, blocks = 0;
    Execution execution{.threads = 1, .resume = &states[i]};
    execution.progress = [&](std::size_t done, std::size_t total) {
      if (told == 0) CHECK(done == i + 2);
      ++told;
      CHECK(total == 8);
    };
    execution.save = [&](const ScanState&) { ++blocks; };
    CHECK(show(score_extremes(graph, x, channel, execution)) == whole);
    CHECK(blocks == 7 - i);
  }
  // What the state says to be done is not looked at again.
  ScanState all_done{std::vector<bool>(8, true), {}};
  CHECK(show(score_extremes(graph, x, channel, {.resume = &all_done})) == "none none ");
}

TEST_CASE("extremes: states that do not fit are refused") {
  const Matrix x = identity(3);
  const Channel channel{{{identity(3), identity(3)}}};
  const Graph graph(3, {{0, 0}});
  const auto resume = [&](const ScanState& state) {
    return show(score_extremes(graph, x, channel, {.resume = &state}));
  };
  const Extreme edge{1, {0, 0}}, other{0, {0, 1}};
  CHECK(resume({{true}, {edge, other}}) == "1 at (0, 0) 0 at (0, 1) ");
  for (const ScanState& state :
       {ScanState{{}, {}}, ScanState{{true, false}, {}}, ScanState{{true}, {other, {}}},
        ScanState{{true}, {{}, edge}}, ScanState{{true}, {Extreme{2, {0, 0}}, {}}},
        ScanState{{true}, {{}, Extreme{1, {0, 1}}}}, ScanState{{true}, {{}, Extreme{0, {0, 3}}}},
        ScanState{{true}, {{}, Extreme{0, {3, 0}}}}})
    CHECK_THROWS_AS(resume(state), UsageError);
  CHECK_THROWS_AS(score_extremes(graph, x, channel, {.simd = "none"}), UsageError);
  CHECK_THROWS_AS(score_extremes(graph, x, channel, {0, 4}, {0, 3}, {}), ShapeError);
}

}  // namespace
}  // namespace qkcert
