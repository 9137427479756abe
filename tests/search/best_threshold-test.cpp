#include <qkcert/core/errors.hpp>
#include <qkcert/search/attempt.hpp>
#include <qkcert/search/best_threshold.hpp>

#include "support.hpp"

namespace qkcert::test {
namespace {

/// Entry (u, v) of the scores, by the definition.
Integer score(const Matrix& x, const Head& head, std::size_t u, std::size_t v) {
  Integer sum;
  for (std::size_t a = 0; a < x.cols(); ++a)
    for (std::size_t b = 0; b < x.cols(); ++b)
      for (std::size_t j = 0; j < head.width(); ++j)
        sum += x.at(u, a) * head.query.at(a, j) * x.at(v, b) * head.key.at(b, j);
  return sum;
}

Decisions decide_at(const Graph& graph, const std::vector<Integer>& scores,
                    const Integer& threshold) {
  Decisions counts{threshold, 0, 0, 0, 0};
  const std::size_t m = graph.vertices();
  for (std::size_t i = 0; i < m * m; ++i) {
    const bool above = scores[i] > threshold;
    const bool edge = graph.contains({i / m, i % m});
    ++(edge ? (above ? counts.true_positives : counts.false_negatives)
            : (above ? counts.false_positives : counts.true_negatives));
  }
  return counts;
}

/// The best of all thresholds that differ, by trying each: just below each score, and above all.
void check_best(const Graph& graph, std::vector<Integer> scores, const Decisions& found) {
  CHECK(found == decide_at(graph, scores, found.threshold));
  std::vector<Integer> sorted = scores;
  std::sort(sorted.begin(), sorted.end());
  std::vector<Integer> thresholds{Integer(sorted.front() - 1), sorted.back()};
  for (const Integer& each : sorted) thresholds.push_back(each), thresholds.push_back(each - 1);
  for (const Integer& threshold : thresholds) {
    const Decisions other = decide_at(graph, scores, threshold);
    const bool no_better =
        found.errors() < other.errors() ||
        (found.errors() == other.errors() && found.false_negatives <= other.false_negatives);
    CHECK(no_better);
  }
  // τ is in the middle of its interval.
  const auto above = std::upper_bound(sorted.begin(), sorted.end(), found.threshold);
  if (above == sorted.end())
    CHECK(found.threshold == sorted.back());
  else if (above == sorted.begin())
    CHECK(found.threshold == sorted.front() - 1);
  else
    CHECK(found.threshold == floor_quotient(*above + *(above - 1), 2));
}

TEST_CASE("the best threshold is the best of all, for each head and for their union") {
  repeat(300, [](Random& random) {
    const std::size_t m = 1 + random.below(6), d_model = 1 + random.below(3);
    const auto bits = static_cast<unsigned>(random.below(3) == 0 ? 80 : 1 + random.below(3));
    const Matrix x = random_matrix(random, m, d_model, bits);
    const Channel channel = random_channel(random, d_model, 3, 2, bits);
    const Graph graph = random_digraph(random, m, 25 * random.below(5));
    const BestDecisions found =
        best_decisions(graph, x, channel, static_cast<unsigned>(1 + random.below(3)));
    REQUIRE(found.heads.size() == channel.heads.size());
    std::vector<Integer> all(m * m);
    for (std::size_t k = 0; k < channel.heads.size(); ++k) {
      std::vector<Integer> scores;
      for (std::size_t i = 0; i < m * m; ++i)
        scores.push_back(score(x, channel.heads[k], i / m, i % m));
      check_best(graph, scores, found.heads[k]);
      for (std::size_t i = 0; i < m * m; ++i)
        all[i] = k == 0 ? scores[i] : std::max(all[i], scores[i]);
    }
    check_best(graph, all, found.all);
    const Extremes extremes = score_extremes(graph, x, channel, 1);
    CHECK(extremes.separated() == (found.all.errors() == 0));
    if (extremes.separated()) CHECK(choose_threshold(extremes) == found.all.threshold);
  });
}

TEST_CASE("of thresholds with as many errors the one with the fewest false negatives is taken") {
  // S = x_u·x_v on one-hot rows: scores 1 on the diagonal, 0 elsewhere.
  const Matrix x = identity(2);
  const Channel channel{{{identity(2), identity(2)}}};
  // The only edge scores 0: with τ = -1 three errors, with τ >= 1 one.
  const BestDecisions high = best_decisions(Graph(2, {{0, 1}}), x, channel, 1);
  CHECK(high.all == Decisions{1, 0, 0, 1, 3});
  // Edges (0,0), (0,1): τ = 0 misses one and takes one wrongly; nothing is better but τ = 1 with
  // none right, also two errors, and τ = -1 with two wrong.
  const BestDecisions tie = best_decisions(Graph(2, {{0, 0}, {0, 1}}), x, channel, 1);
  CHECK(tie.all == Decisions{-1, 2, 2, 0, 0});
}

TEST_CASE("best_decisions refuses shapes that disagree") {
  const Channel channel{{{identity(2), identity(2)}}};
  CHECK_THROWS_AS(best_decisions(Graph(3, {}), identity(2), channel), ShapeError);
  CHECK_THROWS_AS(best_decisions(Graph(2, {}), identity(2), {}), ShapeError);
  CHECK_THROWS_AS(best_decisions(Graph(0, {}), Matrix(0, 2), channel), ShapeError);
}

}  // namespace
}  // namespace qkcert::test
