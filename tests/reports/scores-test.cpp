#include <algorithm>
#include <qkcert/core/errors.hpp>
#include <qkcert/reports/scores.hpp>
#include <qkcert/verify/extremes.hpp>

#include "support.hpp"

namespace qkcert::test {

namespace {

/// The score of one pair by the definition.
Integer score_of(const Matrix& embedding, const Channel& channel, Edge pair) {
  std::optional<Integer> best;
  for (const Head& head : channel.heads) {
    Integer score = 0;
    for (std::size_t j = 0; j < head.width(); ++j) {
      Integer query = 0, key = 0;
      for (std::size_t i = 0; i < embedding.cols(); ++i) {
        query += embedding.at(pair.source, i) * head.query.at(i, j);
        key += embedding.at(pair.target, i) * head.key.at(i, j);
      }
      score += query * key;
    }
    best = best ? std::max(*best, score) : score;
  }
  return best.value();
}

struct Instance {
  Graph graph;
  Matrix embedding;
  Channel channel;
  Integer threshold;
};

Instance random_instance(Random& random, unsigned bits) {
  const std::size_t m = 1 + random.below(40), d = 1 + random.below(5);
  return {random_digraph(random, m, random.below(101)), random_matrix(random, m, d, bits),
          random_channel(random, d, 3, 4, bits), random_integer(random, 2 * bits)};
}

void check_against_definition(const Instance& each, std::size_t pairs, std::size_t bins,
                              unsigned threads) {
  const Scores scores =
      scan_scores({each.graph, each.embedding, each.channel, each.threshold, pairs, bins}, threads);
  std::vector<ScoredPair> edges, nonedges;
  for (std::size_t u = 0; u < each.graph.vertices(); ++u)
    for (std::size_t v = 0; v < each.graph.vertices(); ++v)
      (each.graph.contains({u, v}) ? edges : nonedges)
          .push_back({{u, v}, score_of(each.embedding, each.channel, {u, v})});
  const auto width = scores.bin_width;
  CHECK(scores.bins.size() <= bins);
  Integer above = scores.bins.front().above;
  for (const ScoreBin& bin : scores.bins) {
    CHECK(bin.above == above);
    CHECK((bin.above - each.threshold) % width == 0);
    const auto inside = [&](const ScoredPair& pair) {
      return bin.above < pair.score && pair.score <= bin.above + width;
    };
    CHECK(bin.edges ==
          static_cast<std::uint64_t>(std::count_if(edges.begin(), edges.end(), inside)));
    CHECK(bin.nonedges ==
          static_cast<std::uint64_t>(std::count_if(nonedges.begin(), nonedges.end(), inside)));
    above += width;
  }
  CHECK(scores.bins.front().edges + scores.bins.front().nonedges > 0);
  CHECK(scores.bins.back().edges + scores.bins.back().nonedges > 0);
  // Bins of half the width would be too many.
  if (width > 1) {
    const Integer half = width / 2;
    Integer least = edges.empty() ? nonedges[0].score : edges[0].score, greatest = least;
    for (const auto* list : {&edges, &nonedges})
      for (const ScoredPair& pair : *list) {
        least = std::min(least, pair.score);
        greatest = std::max(greatest, pair.score);
      }
    const auto bin = [&](const Integer& s) {
      return floor_quotient(Integer(s - each.threshold - 1), half);
    };
    CHECK(bin(greatest) - bin(least) + 1 > bins);
  }
  std::stable_sort(edges.begin(), edges.end(),
                   [](const auto& a, const auto& b) { return a.score < b.score; });
  std::stable_sort(nonedges.begin(), nonedges.end(),
                   [](const auto& a, const auto& b) { return a.score > b.score; });
  edges.resize(std::min(pairs, edges.size()));
  nonedges.resize(std::min(pairs, nonedges.size()));
  CHECK(scores.edges == edges);
  CHECK(scores.nonedges == nonedges);
}

}  // namespace

TEST_CASE("scan_scores counts every pair and finds the nearest ones") {
  // Three bits make ties; 20, 60 and 200 bits are exact in 64 bits, in 128 and in Integers.
  for (const unsigned bits : {1U, 3U, 20U, 28U, 60U, 200U})
    repeat(12, [&](Random& random) {
      INFO("bits " << bits);
      const Instance each = random_instance(random, bits);
      check_against_definition(each, random.below(8), 2 + random.below(20),
                               1 + static_cast<unsigned>(random.below(4)));
    });
}

TEST_CASE("a threshold far from all scores, or beyond 128 bits, moves the borders alone") {
  Random random(seed());
  for (const char* threshold : {"-170141183460469231731687303715884105728", "99999999999999999999",
                                "1000000000000000000000000000000000000000000000000000"}) {
    Instance each = random_instance(random, 6);
    each.threshold = parse_integer(threshold).value();
    const Scores scores =
        scan_scores({each.graph, each.embedding, each.channel, each.threshold, 3, 10}, 2);
    std::uint64_t all = 0;
    for (const ScoreBin& bin : scores.bins) all += bin.edges + bin.nonedges;
    CHECK(all == each.graph.vertices() * each.graph.vertices());
    const Extremes extremes = score_extremes(each.graph, each.embedding, each.channel);
    if (extremes.least_edge) CHECK(scores.edges[0].score == extremes.least_edge->score);
    if (extremes.greatest_nonedge)
      CHECK(scores.nonedges[0].score == extremes.greatest_nonedge->score);
  }
}

TEST_CASE("scan_scores refuses shapes that do not fit") {
  Random random(seed());
  const Instance each = random_instance(random, 3);
  CHECK_THROWS_AS(scan_scores({Graph(50, {}), each.embedding, each.channel, each.threshold}, 1),
                  ShapeError);
  CHECK_THROWS_AS(scan_scores({each.graph, each.embedding, each.channel, each.threshold, 1, 1}, 1),
                  ShapeError);
  CHECK_THROWS_AS(scan_scores({Graph(0, {}), Matrix(0, 1), each.channel, each.threshold}, 1),
                  ShapeError);
  CHECK_THROWS_AS(scan_scores({each.graph, each.embedding, {}, each.threshold}, 1), ShapeError);
}

}  // namespace qkcert::test
