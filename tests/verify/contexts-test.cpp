#include <algorithm>
#include <array>
#include <qkcert/core/errors.hpp>
#include <qkcert/verify/contexts.hpp>
#include <qkcert/verify/exponentials.hpp>

#include "plain_score.hpp"
#include "support.hpp"

namespace qkcert {
namespace {

using namespace test;

Contexts random_contexts(Random& random, std::size_t m) {
  Contexts contexts;
  for (std::size_t n = random.below(4); n > 0; --n) {
    std::vector<std::size_t> context;
    for (std::size_t v = 0; v < m; ++v)
      if (random.below(2) == 0) context.push_back(v);
    if (!context.empty()) contexts.push_back(context);
  }
  return contexts;
}

/// What the decoder declares in one context, pair by pair, is what the graph says.
template <class Declares>
bool right_in_all(const Contexts& contexts, const Graph& graph, Declares declares) {
  for (const auto& context : contexts)
    for (const std::size_t u : context)
      for (const std::size_t v : context)
        if (declares(context, u, v) != graph.contains({u, v})) return false;
  return true;
}

TEST_CASE("contexts are decided as by the definition, for both decoders") {
  std::array<int, 2> threshold_max{}, softmax{};
  repeat(400, [&](Random& random) {
    const std::size_t m = 1 + random.below(5), d_model = 1 + random.below(3);
    const Matrix x = random_matrix(random, m, d_model, 2);
    const Channel channel = random_channel(random, d_model, 3, 2, 1);
    const Integer threshold = random_integer(random, 2);
    const Contexts contexts = random_contexts(random, m);

    const auto above_threshold = [&](const auto&, std::size_t u, std::size_t v) {
      return std::any_of(channel.heads.begin(), channel.heads.end(),
                         [&](const Head& head) { return plain_score(x, head, u, v) > threshold; });
    };
    const Rational theta(1 + random.below(3), 4), beta(1 + random.below(4), 2);
    const auto above_theta = [&](const auto& context, std::size_t u, std::size_t v) {
      const Integer p = numerator(theta), q = denominator(theta);
      return std::any_of(channel.heads.begin(), channel.heads.end(), [&](const Head& head) {
        std::vector<ExponentialTerm> terms{{q, plain_score(x, head, u, v)}, {-p, threshold}};
        for (const std::size_t w : context) terms.push_back({-p, plain_score(x, head, u, w)});
        return sign_of_sum(std::move(terms), beta) > 0;
      });
    };
    std::vector<Edge> by_threshold, by_softmax;
    for (std::size_t u = 0; u < m; ++u)
      for (std::size_t v = 0; v < m; ++v) {
        const bool changed = random.below(40) == 0;
        if (above_threshold(0, u, v) != changed) by_threshold.push_back({u, v});
        std::vector<std::size_t> both{std::min(u, v)};
        if (u != v) both.push_back(std::max(u, v));
        if (above_theta(both, u, v) != changed) by_softmax.push_back({u, v});
      }
    const unsigned threads = 1 + static_cast<unsigned>(random.below(2));
    const RecoveryClaim recovery{Graph(m, by_threshold), x, threshold, channel, {}, {}};
    const bool holds = decide_in_contexts(recovery, contexts, threads).holds;
    CHECK(holds == right_in_all(contexts, recovery.graph, above_threshold));
    ++threshold_max[holds];
    const SoftmaxRecovery claim{Graph(m, by_softmax), x, threshold, beta, theta, 2, channel, {}};
    const bool soft = decide_in_contexts(claim, contexts, threads).holds;
    CHECK(soft == right_in_all(contexts, claim.graph, above_theta));
    ++softmax[soft];

    std::size_t pairs = 0;
    for (std::size_t u = 0; u < m; ++u)
      for (std::size_t v = 0; v < m; ++v)
        pairs += std::any_of(contexts.begin(), contexts.end(), [&](const auto& context) {
          return std::count(context.begin(), context.end(), u) > 0 &&
                 std::count(context.begin(), context.end(), v) > 0;
        });
    CHECK(covered_pairs(contexts, m) == pairs);
  });
  for (const auto& outcomes : {threshold_max, softmax})
    for (const int count : outcomes) CHECK(count > 40);
}

TEST_CASE("what contexts do not cover is not looked at, and faults name pair and context") {
  // One-hot, S_uv = 2 for 0→1, 9 for 1→0, and 0 elsewhere; the graph has 0→1 alone.
  Matrix query(3, 3);
  query.set(0, 1, 2);
  query.set(1, 0, 9);
  const Channel channel{{{query, identity(3)}}};
  const RecoveryClaim claim{Graph(3, {{0, 1}}), identity(3), 1, channel, Integer(77), {}};
  CHECK(
      decide_in_contexts(claim, {{0, 2}, {1, 2}}, 1).text ==
      "recovery: 3 vertices, 1 edges, d_model 3: in each of the 2 contexts given, which cover 7 of "
      "the 9 pairs, exactly the neighbours are recovered; other contexts were not looked at");
  CHECK(decide_in_contexts(claim, {{2}, {0, 1}}, 1).text ==
        "the non-edge (1, 0) scores 9, which is above the threshold 1");
  SoftmaxRecovery softmax{Graph(3, {{0, 1}}), identity(3), 1, 1, Rational(3, 4), 3, channel, {}};
  CHECK(decide_in_contexts(softmax, {{2}, {0, 1}}, 1).text ==
        "the edge (0, 1) has a weight of at most theta in every head in context 2 of the list");
  softmax.beta = 3;
  CHECK(decide_in_contexts(softmax, {{2}, {0, 1}}, 1).text ==
        "the non-edge (1, 0) has a weight above theta in head 0 in context 2 of the list");
  CHECK(decide_in_contexts(softmax, {{0, 2}, {2}}, 1).holds);
  CHECK_THROWS_AS(decide_in_contexts(claim, {{0, 3}}, 1), ShapeError);
  CHECK_THROWS_AS(decide_in_contexts(claim, {{1, 0}}, 1), ShapeError);
  CHECK_THROWS_AS(covered_pairs({{5}}, 5), ShapeError);
}

}  // namespace
}  // namespace qkcert
