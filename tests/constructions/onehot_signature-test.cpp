#include <algorithm>
#include <qkcert/constructions/onehot_signature.hpp>

#include "constructions/proposals.hpp"

namespace qkcert {
namespace {

std::vector<std::size_t> degrees(const Graph& graph) {
  std::vector<std::size_t> result;
  for (std::size_t u = 0; u < graph.vertices(); ++u) result.push_back(graph.out_degree(u));
  return result;
}

/// P(X_n >= x) as a fraction of 2^n, by Pascal's triangle of the sums themselves.
Rational tail(std::size_t n, std::int64_t x) {
  std::vector<Integer> outcomes = {1};  // of sum 2i - n, by i
  for (std::size_t step = 0; step < n; ++step) {
    outcomes.push_back(0);
    for (std::size_t i = outcomes.size(); i-- > 1;) outcomes[i] += outcomes[i - 1];
  }
  Integer count = 0;
  for (std::size_t i = 0; i <= n; ++i)
    if (2 * static_cast<std::int64_t>(i) - static_cast<std::int64_t>(n) >= x) count += outcomes[i];
  return Rational(count, power_of_two(n));
}

/// The least over t of the union bound, event by event.
Rational union_bound(const std::vector<std::size_t>& out_degrees, std::size_t width) {
  const std::size_t m = out_degrees.size();
  const auto d = static_cast<std::int64_t>(width);
  std::optional<Rational> best;
  for (std::int64_t t = 0; t < d; ++t) {
    Rational sum = 0;
    std::size_t ones = 0;
    for (const std::size_t k : out_degrees) {
      if (k == 1) sum += Rational(m - 1 - ones++) * tail(width, t + 1);
      if (k < 2) continue;
      sum += Rational(k) * tail((k - 1) * width, d - t);
      sum += Rational(m - k) * tail(k * width, t + 1);
    }
    if (!best || sum < *best) best = sum;
  }
  return *best;
}

TEST_CASE("the integer inequality is the union bound") {
  test::repeat(40, [](Random& random) {
    const std::size_t m = 1 + random.below(6);
    std::vector<std::size_t> out_degrees;
    for (std::size_t u = 0; u < m; ++u)
      out_degrees.push_back(random.below(std::min<std::size_t>(m, 4) + 1));
    const bool some =
        std::any_of(out_degrees.begin(), out_degrees.end(), [](auto k) { return k > 0; });
    for (std::size_t d = 1; d <= 24; d += 1 + random.below(4))
      for (const unsigned bits : {0U, 1U, 5U})
        CHECK(signature_width_proven(out_degrees, d, bits) ==
              (!some || union_bound(out_degrees, d) * power_of_two(bits) < 1));
  });
}

/// How many of all 2^(m·d) draws recover the graph. Flipping a column of all signs changes no score,
/// so r_0 = (1, …, 1) stands for all.
std::pair<std::size_t, std::size_t> successes(const Graph& graph, std::size_t d) {
  const std::size_t m = graph.vertices(), free = (m - 1) * d;
  std::size_t good = 0;
  for (std::size_t draw = 0; draw < std::size_t{1} << free; ++draw) {
    const auto sign = [&](std::size_t v, std::size_t j) {
      return v == 0 || (draw >> ((v - 1) * d + j) & 1) != 0 ? 1 : -1;
    };
    int least = 1000, greatest = -1000;
    for (std::size_t u = 0; u < m; ++u)
      for (std::size_t v = 0; v < m; ++v) {
        int score = 0;
        for (const Edge& edge : graph.edges_from(u))
          for (std::size_t j = 0; j < d; ++j) score += sign(edge.target, j) * sign(v, j);
        if (graph.contains({u, v}))
          least = std::min(least, score);
        else
          greatest = std::max(greatest, score);
      }
    good += least > greatest;
  }
  return {good, std::size_t{1} << free};
}

TEST_CASE("by all draws: at least as many succeed as the bound says") {
  const Graph graphs[] = {Graph(2, {{0, 1}, {1, 0}}),
                          Graph(3, {{0, 1}, {1, 2}, {2, 0}}),
                          Graph(3, {{0, 1}, {1, 1}}),
                          Graph(3, {{0, 1}, {0, 2}, {1, 1}}),
                          Graph(2, {{0, 0}, {0, 1}, {1, 0}}),
                          Graph(3, {{0, 0}, {0, 1}, {0, 2}}),
                          Graph(4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}})};
  for (const Graph& graph : graphs)
    for (std::size_t d = 1; (graph.vertices() - 1) * d <= 16; ++d) {
      INFO("m = " << graph.vertices() << ", m' = " << graph.edges().size() << ", d = " << d);
      const auto [good, all] = successes(graph, d);
      const Rational bound = union_bound(degrees(graph), d);
      CHECK(Rational(good, all) >= 1 - bound);
      for (const unsigned bits : {0U, 1U, 2U})
        if (signature_width_proven(degrees(graph), d, bits))
          CHECK(Integer(good) * power_of_two(bits) > Integer(all) * (power_of_two(bits) - 1));
    }
  // For a permutation of two the bound is exact: the draw fails iff the signatures agree.
  for (std::size_t d = 1; d <= 8; ++d)
    CHECK(successes(graphs[0], d) == std::pair((std::size_t{1} << d) - 1, std::size_t{1} << d));
}

TEST_CASE("for permutations the width is the least d with C(m, 2) < 2^d") {
  for (std::size_t m = 1; m <= 300; m += 1 + m / 9)
    for (const unsigned bits : {0U, 1U, 3U}) {
      std::size_t d = 1;
      while (binomial(m, 2) * power_of_two(bits) >= power_of_two(d)) ++d;
      CHECK(signature_width(std::vector<std::size_t>(m, 1), bits) == d);
    }
}

TEST_CASE("the width is the least that is proven, where all smaller ones are tried") {
  for (std::size_t m = 2; m <= 12; m += 2)
    for (std::size_t k = 1; k <= std::min<std::size_t>(m, 4); ++k)
      for (const unsigned bits : {0U, 1U}) {
        std::vector<std::size_t> out_degrees(m, k);
        if (m > 4) out_degrees[1] = 0, out_degrees[2] = 1;
        INFO("m = " << m << ", k = " << k);
        std::size_t d = 1;
        while (!signature_width_proven(out_degrees, d, bits)) ++d;
        const std::size_t found = signature_width(out_degrees, bits);
        CHECK(found == d);
        CHECK(signature_width_proven(out_degrees, found, bits));
        if (found > 1) CHECK_FALSE(signature_width_proven(out_degrees, found - 1, bits));
      }
}

TEST_CASE("Hoeffding's width is proven, and taken when the tails are long") {
  for (const std::size_t m : {2, 3, 9, 40})
    for (const std::size_t k : {1, 2, 5}) {
      if (k > m) continue;
      const std::vector<std::size_t> out_degrees(m, k);
      const std::size_t width = 28 * k * bit_length(Integer(m * m)) / 5 + 1;
      CHECK(signature_width_proven(out_degrees, width, 0));
      CHECK(signature_width(out_degrees, 0) < width);
    }
  std::vector<std::size_t> star(3000, 0);
  star[7] = 200;
  CHECK(signature_width(star, 1) == 28 * 200 * (24 + 1) / 5 + 1);  // 3000² < 2^24
}

TEST_CASE("the width of no edges is 1, and errors are named") {
  CHECK(signature_width({}, 1) == 1);
  const std::vector<std::size_t> none(5, 0), impossible = {3, 0};
  CHECK(signature_width(none, 1) == 1);
  CHECK(signature_width_proven(none, 1, 9));
  CHECK(test::message_of<ShapeError>([&] { signature_width(impossible, 0); }) ==
        "signature_width: an out-degree exceeds the vertices");
  CHECK(test::message_of<ShapeError>([&] { signature_width_proven(none, 0, 0); }) ==
        "signature_width: a width of at least 1 is required");
}

TEST_CASE("onehot-signature recovers every graph with the default width") {
  test::repeat(15, [](Random& random) {
    const std::size_t m = 1 + random.below(20);
    const Graph graph = test::any_graph(random, m, 1 + random.below(12));
    const Embedding embedding = one_hot(m);
    Request request{graph, embedding};
    request.seed = random.below(1U << 30);
    const Method& method = find_method("onehot-signature");
    CHECK(plan(method, request) == Architecture{1, signature_width(degrees(graph), 1)});
    CHECK(test::judged(request, "onehot-signature").separated());
    const Head head = propose(method, request).heads[0];
    for (std::size_t v = 0; v < m; ++v)
      for (std::size_t j = 0; j < head.width(); ++j) {
        CHECK(abs(head.key.at(v, j)) == 1);
        Integer sum = 0;
        for (const Edge& edge : graph.edges_from(v)) sum += head.key.at(edge.target, j);
        CHECK(head.query.at(v, j) == sum);
      }
  });
}

TEST_CASE("onehot-signature draws again until it separates, where one draw seldom does") {
  const Graph graph = random_graph(Family("permutation", {16}), 1);
  const Embedding embedding = one_hot(16);
  int served = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Request request{graph, embedding};
    request.head_dim = 6;  // one draw in seven: 64·63·…·49/64^16
    request.seed = seed;
    served += test::judged(request, "onehot-signature").separated();
  }
  CHECK(served == 10);
  Request narrow{graph, embedding};
  narrow.head_dim = 3;
  CHECK_FALSE(test::judged(narrow, "onehot-signature").separated());
  Request other = narrow;
  other.seed = 2;
  const Method& method = find_method("onehot-signature");
  CHECK_FALSE(propose(method, narrow) == propose(method, other));
}

TEST_CASE("onehot-signature says what it cannot serve") {
  const Graph graph(2, {});
  const Embedding embedding{Matrix(2, 3), 0};
  CHECK(test::message_of<MethodError>([&] {
          propose(find_method("onehot-signature"), {graph, embedding});
        }) == "onehot-signature: the embedding is not one-hot");
}

}  // namespace
}  // namespace qkcert
