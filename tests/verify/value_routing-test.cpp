#include <array>
#include <bit>
#include <qkcert/core/errors.hpp>
#include <qkcert/verify/exponentials.hpp>
#include <qkcert/verify/value_routing.hpp>

#include "plain_score.hpp"
#include "support.hpp"

namespace qkcert {
namespace {

using namespace test;

/// Whether the outputs of u in C, by the definition, have the right bits and name its neighbours.
bool right(const SoftmaxRecovery& claim, const ValueCode& code, std::size_t u,
           const std::vector<std::size_t>& context) {
  const std::size_t p = code.values.cols();
  const auto has = [&](std::size_t v, std::size_t j) {
    return Rational(code.values.at(v, j)) > code.level;
  };
  std::vector<bool> read(p), united(p);
  for (std::size_t j = 0; j < p; ++j) {
    for (const Head& head : claim.channel.heads) {
      // Σ α·value > level, multiplied by the weights' denominator and the level's.
      const Integer bottom = denominator(code.level), top = numerator(code.level);
      std::vector<ExponentialTerm> terms{{-top, claim.threshold}};
      for (const std::size_t v : context) {
        terms.push_back({bottom * code.values.at(v, j), plain_score(claim.embedding, head, u, v)});
        terms.push_back({-top, plain_score(claim.embedding, head, u, v)});
      }
      if (sign_of_sum(terms, claim.beta) > 0) read[j] = true;
    }
    for (const std::size_t v : context)
      if (claim.graph.contains({u, v}) && has(v, j)) united[j] = true;
  }
  if (read != united) return false;
  for (const std::size_t v : context) {
    bool equal = false, covered = true;
    for (std::size_t j = 0; j < p; ++j) {
      equal = equal || read[j];
      covered = covered && (read[j] || !has(v, j));
    }
    for (std::size_t j = 0; j < p; ++j) equal = equal && read[j] == has(v, j);
    const bool named = claim.graph.max_out_degree() <= 1 ? equal : covered;
    if (named != claim.graph.contains({u, v})) return false;
  }
  return true;
}

std::vector<std::size_t> members(unsigned set) {
  std::vector<std::size_t> result;
  for (std::size_t v = 0; set >> v != 0; ++v)
    if ((set >> v & 1) != 0) result.push_back(v);
  return result;
}

bool right_in_all(const SoftmaxRecovery& claim, const ValueCode& code) {
  for (unsigned set = 1; set < 1U << claim.graph.vertices(); ++set) {
    if (std::popcount(set) > claim.context_size) continue;
    for (const std::size_t u : members(set))
      if (!right(claim, code, u, members(set))) return false;
  }
  return true;
}

/// One-hot rows, W_Q = the scores: `high` on edges, `low` elsewhere, in one head.
SoftmaxRecovery channel_of(const Graph& graph, int high, int low) {
  const std::size_t m = graph.vertices();
  Matrix query(m, m);
  for (std::size_t u = 0; u < m; ++u)
    for (std::size_t v = 0; v < m; ++v)
      query.set(u, v, Integer(graph.contains({u, v}) ? high : low));
  return {graph, identity(m), 0, 1, Rational(1, 2), Integer(m + 1), {{{query, identity(m)}}}, {}};
}

/// Vertex v has the bits of v + 1.
Matrix binary_codes(std::size_t m) {
  const auto bits = static_cast<std::size_t>(std::bit_width(m));
  Matrix values(m, bits);
  for (std::size_t v = 0; v < m; ++v)
    for (std::size_t j = 0; j < bits; ++j) values.set(v, j, Integer((v + 1) >> j & 1));
  return values;
}

}  // namespace

TEST_CASE("values: all contexts, as by the definition") {
  std::array<int, 2> outcomes{};
  repeat(300, [&](Random& random) {
    const std::size_t m = 1 + random.below(4), degree = 1 + random.below(2);
    std::vector<Edge> edges;
    for (std::size_t u = 0; u < m; ++u)
      for (std::size_t v = 0, left = degree; v < m && left > 0; ++v)
        if (random.below(3) == 0) {
          edges.push_back({u, v});
          --left;
        }
    const Graph graph(m, std::move(edges));
    SoftmaxRecovery claim = channel_of(graph, 1 + static_cast<int>(random.below(4)), -3);
    for (std::size_t changes = random.below(3); changes > 0; --changes)
      claim.channel.heads[0].query.set(random.below(m), random.below(m), random_integer(random, 3));
    if (random.below(3) == 0) claim.channel.heads.push_back(claim.channel.heads[0]);
    if (claim.channel.heads.size() == 2)
      claim.channel.heads[1].query.set(random.below(m), random.below(m), random_integer(random, 2));
    claim.beta = Rational(1 + random.below(6), 2);
    if (random.below(2) == 0) claim.context_size = 2 + random.below(m);
    ValueCode code{random.below(2) == 0 ? binary_codes(m) : identity(m),
                   Rational(1 + random.below(3), 4)};
    if (random.below(3) == 0)
      code.values.set(random.below(m), random.below(code.values.cols()), random_integer(random, 2));
    const bool holds = decide_values(claim, code, 1).holds, all = right_in_all(claim, code);
    if (holds) CHECK(all);
    if (claim.channel.heads.size() == 1 && claim.context_size >= m) CHECK(holds == all);
    ++outcomes[holds];
    // A list of random contexts.
    Contexts contexts;
    bool expected = true;
    for (std::size_t n = 1 + random.below(3); n > 0; --n) {
      contexts.push_back(members(1 + static_cast<unsigned>(random.below((1U << m) - 1))));
      for (const std::size_t u : contexts.back())
        expected = expected && right(claim, code, u, contexts.back());
    }
    CHECK(decide_values_in_contexts(claim, code, contexts, 1).holds == expected);
  });
  CHECK(outcomes[0] > 50);
  CHECK(outcomes[1] > 20);
}

TEST_CASE("values: an output at the level is not above it") {
  // α = e^S/(e^0 + e^S) = 1/2 at S = τ = 0, in the context of the loop alone.
  SoftmaxRecovery claim = channel_of(Graph(1, {{0, 0}}), 0, 0);
  const ValueCode half{identity(1), Rational(1, 2)};
  CHECK(decide_values(claim, half, 1).text ==
        "output 0 of vertex 0 is not above the level, for the "
        "edge (0, 0), in every head's worst context");
  CHECK(decide_values(claim, {identity(1), Rational(499, 1000)}, 1).holds);
  // The same weight of a non-edge is safe at 1/2, and not below.
  claim.graph = Graph(1, {});
  CHECK(decide_values(claim, half, 1).holds);
  CHECK_FALSE(decide_values(claim, {identity(1), Rational(499, 1000)}, 1).holds);
}

TEST_CASE("values: codes that cannot be told apart") {
  const SoftmaxRecovery single = channel_of(Graph(3, {{0, 1}}), 9, -9);
  const Rational level(1, 2);
  CHECK(decide_values(single, {binary_codes(3), level}, 1).holds);
  Matrix same = binary_codes(3);
  for (std::size_t j = 0; j < same.cols(); ++j) same.set(2, j, same.at(1, j));
  CHECK(decide_values(single, {same, level}, 1).text ==
        "the code of vertex 2 cannot be told from those of the other neighbours of 0");
  CHECK_FALSE(decide_values(single, {Matrix(3, 2), level}, 1).holds);
  // 1 and 2 together have the bits of 3: fine for one target, not for two.
  const SoftmaxRecovery two = channel_of(Graph(3, {{0, 0}, {0, 1}}), 40, -40);
  CHECK_FALSE(decide_values(two, {binary_codes(3), Rational(1, 4)}, 1).holds);
  CHECK(decide_values(two, {identity(3), Rational(1, 4)}, 1).holds);
  CHECK_THROWS_AS(decide_values(two, {identity(2), level}, 1), ShapeError);
}

TEST_CASE("values: an empty code is named by no bits, at vertices without out-edges as well") {
  // Two targets, read by covered codes: u = 1 alone has no bits, which cover the empty code of 1.
  const SoftmaxRecovery claim = channel_of(Graph(3, {{0, 1}, {0, 2}}), 40, -40);
  Matrix values(3, 2);
  values.set(0, 0, std::int64_t{1});
  values.set(2, 1, std::int64_t{1});
  const ValueCode code{values, Rational(1, 4)};
  CHECK_FALSE(right_in_all(claim, code));
  CHECK(decide_values(claim, code, 1).text ==
        "the code of vertex 1 cannot be told from those of the other neighbours of 1");
  CHECK_FALSE(decide_values_in_contexts(claim, code, {{1, 2}}, 1).holds);
}

TEST_CASE("values: sparse codes and vertices without out-edges are never accepted wrongly") {
  std::array<int, 2> outcomes{};
  repeat(500, [&](Random& random) {
    const std::size_t m = 2 + random.below(3), bits = 1 + random.below(4);
    const Graph graph = random_digraph(random, m, 25);
    const SoftmaxRecovery claim = channel_of(graph, 40, -40);
    Matrix values = random.below(2) == 0 ? identity(m) : Matrix(m, bits);
    for (std::size_t changes = random.below(4); changes > 0; --changes)
      values.set(random.below(m), random.below(values.cols()), Integer(random.below(2)));
    const ValueCode code{values, Rational(1, 5)};
    const bool holds = decide_values(claim, code, 1).holds;
    CHECK(holds == right_in_all(claim, code));  // one head, every context
    ++outcomes[holds];
  });
  CHECK(outcomes[0] > 50);
  CHECK(outcomes[1] > 20);
}

TEST_CASE("values: scores of a million and more") {
  const SoftmaxRecovery claim = channel_of(Graph(3, {{0, 1}, {1, 2}}), 2000000, -2000000);
  CHECK(decide_values(claim, {binary_codes(3), Rational(1, 2)}, 1).holds);
  CHECK_FALSE(decide_values(claim, {binary_codes(3), Rational(1)}, 1).holds);
}

}  // namespace qkcert
