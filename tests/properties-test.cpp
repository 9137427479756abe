/// Properties that hold for all inputs, by RapidCheck: a failure is shrunk and its seed printed.

#include <rapidcheck.h>

#include <algorithm>
#include <qkcert/bounds/counting.hpp>
#include <qkcert/core/random_graph.hpp>
#include <qkcert/io/edge_list.hpp>
#include <qkcert/verify/certificate.hpp>
#include <qkcert/verify/check.hpp>
#include <qkcert/verify/extremes.hpp>

#include "support.hpp"

using namespace qkcert;

namespace {

/// Small shapes, so that shrinking stays readable.
struct Sample {
  Graph graph;
  Matrix embedding;
  Channel channel;
};

Matrix any_matrix(std::size_t rows, std::size_t cols) {
  Matrix matrix(rows, cols);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < cols; ++j) matrix.set(i, j, *rc::gen::arbitrary<std::int64_t>());
  return matrix;
}

Sample any_sample() {
  const auto m = *rc::gen::inRange<std::size_t>(1, 8);
  const auto d = *rc::gen::inRange<std::size_t>(1, 4);
  std::vector<Edge> edges;
  for (std::size_t u = 0; u < m; ++u)
    for (std::size_t v = 0; v < m; ++v)
      if (*rc::gen::arbitrary<bool>()) edges.push_back({u, v});
  Sample sample{Graph(m, edges), any_matrix(m, d), {}};
  for (auto heads = *rc::gen::inRange(1, 4); heads > 0; --heads) {
    const auto width = *rc::gen::inRange<std::size_t>(1, 5);
    sample.channel.heads.push_back({any_matrix(d, width), any_matrix(d, width)});
  }
  return sample;
}

/// max_k S^k_uv by its definition.
Integer score(const Sample& sample, std::size_t u, std::size_t v) {
  std::optional<Integer> best;
  for (const Head& head : sample.channel.heads) {
    Integer sum = 0;
    for (std::size_t c = 0; c < head.width(); ++c) {
      Integer query = 0, key = 0;
      for (std::size_t i = 0; i < sample.embedding.cols(); ++i) {
        query += sample.embedding.at(u, i) * head.query.at(i, c);
        key += sample.embedding.at(v, i) * head.key.at(i, c);
      }
      sum += query * key;
    }
    if (!best || sum > *best) best = sum;
  }
  return best.value();
}

std::optional<Integer> score_of(const std::optional<Extreme>& extreme) {
  return extreme ? std::optional(extreme->score) : std::nullopt;
}

}  // namespace

TEST_CASE("property: decimal text is read back as the integer it was printed from") {
  CHECK(rc::check([](std::int64_t high, std::int64_t low) {
    const Integer x = Integer(high) * power_of_two(70) + low;
    RC_ASSERT(parse_integer(to_decimal(x)) == x);
  }));
}

TEST_CASE("property: text is an integer only if it is printed that way") {
  CHECK(rc::check([] {
    const auto text =
        *rc::gen::container<std::string>(rc::gen::element('-', '+', '0', '1', '9', ' '));
    const auto value = parse_integer(text);
    const bool same = !value || to_decimal(*value) == text;  // RC_ASSERT would not short-circuit
    RC_ASSERT(same);
  }));
}

TEST_CASE("property: the extremes are those of the definition") {
  CHECK(rc::check([] {
    const Sample sample = any_sample();
    std::optional<Integer> least, greatest;
    for (std::size_t u = 0; u < sample.graph.vertices(); ++u)
      for (std::size_t v = 0; v < sample.graph.vertices(); ++v) {
        const Integer s = score(sample, u, v);
        if (sample.graph.contains({u, v})) {
          if (!least || s < *least) least = s;
        } else if (!greatest || s > *greatest) {
          greatest = s;
        }
      }
    const Extremes extremes = score_extremes(sample.graph, sample.embedding, sample.channel, 1);
    RC_ASSERT(score_of(extremes.least_edge) == least);
    RC_ASSERT(score_of(extremes.greatest_nonedge) == greatest);
  }));
}

TEST_CASE("property: a certificate that is read is written as the same bytes") {
  CHECK(rc::check([] {
    const Sample sample = any_sample();
    const Extremes extremes = score_extremes(sample.graph, sample.embedding, sample.channel, 1);
    const Integer threshold = *rc::gen::arbitrary<std::int64_t>();
    const std::string bytes = write_certificate(
        RecoveryClaim{sample.graph, sample.embedding, threshold, sample.channel,
                      score_of(extremes.least_edge), score_of(extremes.greatest_nonedge)});
    const Claim claim = read_certificate(bytes, "c");
    RC_ASSERT(write_certificate(claim) == bytes);
    const bool above = !extremes.least_edge || extremes.least_edge->score > threshold;
    const bool below = !extremes.greatest_nonedge || extremes.greatest_nonedge->score <= threshold;
    RC_ASSERT(check(claim, 1).holds == (above && below));
  }));
}

TEST_CASE("property: an edge list is read back as the graph it was written from") {
  CHECK(rc::check([] {
    const Graph graph = any_sample().graph;
    RC_ASSERT(parse_edge_list(format_edge_list(graph), "g", graph.vertices()) == graph);
  }));
}

TEST_CASE("property: the counting bound is true and grows with neither precision nor dimension") {
  CHECK(rc::check([] {
    const auto m = *rc::gen::inRange<std::uint64_t>(1, 200);
    const Integer d = *rc::gen::inRange(1, 20), a = *rc::gen::inRange(1, 200);
    const CountingBound bound = counting_bound(Family("permutation", {m}), d, a);
    RC_ASSERT(check(bound).holds);
    RC_ASSERT(counting_bound(bound.family, d + 1, a).key_dimension <= bound.key_dimension);
    RC_ASSERT(counting_bound(bound.family, d, a + 1).key_dimension <= bound.key_dimension);
  }));
}
