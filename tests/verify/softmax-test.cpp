#include <algorithm>
#include <array>
#include <bit>
#include <qkcert/core/errors.hpp>
#include <qkcert/search/softmax.hpp>
#include <qkcert/verify/certificate.hpp>
#include <qkcert/verify/check.hpp>

#include "plain_score.hpp"
#include "support.hpp"
#include "verify/slow_checker.hpp"

namespace qkcert {
namespace {

using namespace test;

/// Whether α^k_uv(C) > θ, from the definition.
bool above(const SoftmaxRecovery& claim, std::size_t k, std::size_t u, std::size_t v,
           unsigned context) {
  const Head& head = claim.channel.heads[k];
  const Integer p = numerator(claim.theta), q = denominator(claim.theta);
  std::vector<ExponentialTerm> terms{{q, plain_score(claim.embedding, head, u, v)},
                                     {-p, claim.threshold}};
  for (std::size_t w = 0; w < claim.graph.vertices(); ++w)
    if ((context >> w & 1) != 0) terms.push_back({-p, plain_score(claim.embedding, head, u, w)});
  return sign_of_sum(std::move(terms), claim.beta) > 0;
}

/// All contexts, by the definition. `by_named` asks more: the named head of each edge in all of them.
bool enumerated(const SoftmaxRecovery& claim, bool by_named) {
  const std::size_t m = claim.graph.vertices();
  for (unsigned context = 1; context < 1U << m; ++context) {
    if (std::popcount(context) > claim.context_size) continue;
    for (std::size_t u = 0; u < m; ++u)
      for (std::size_t v = 0; v < m; ++v) {
        if ((context >> u & 1) == 0 || (context >> v & 1) == 0) continue;
        const auto& edges = claim.graph.edges();
        const auto at = std::lower_bound(edges.begin(), edges.end(), Edge{u, v});
        const bool edge = at != edges.end() && *at == Edge{u, v};
        bool any = false;
        for (std::size_t k = 0; k < claim.channel.heads.size(); ++k)
          any = any || above(claim, k, u, v, context);
        if (any != edge) return false;
        const auto e = static_cast<std::size_t>(at - edges.begin());
        if (edge && by_named && !above(claim, claim.recovering_heads[e], u, v, context))
          return false;
      }
  }
  return true;
}

Softmax softmax_of(const SoftmaxRecovery& claim) { return {claim.beta, claim.theta}; }

/// A random question whose graph is what the heads say of whole contexts, in half of the rounds
/// with a pair changed.
SoftmaxRecovery random_claim(Random& random, unsigned bits) {
  const std::size_t m = 1 + random.below(5), d_model = 1 + random.below(3);
  SoftmaxRecovery claim;
  claim.embedding = random_matrix(random, m, d_model, bits);
  claim.channel = random_channel(random, d_model, 3, 2, bits);
  claim.threshold = random_integer(random, 3);
  claim.beta = Rational(1 + random.below(8), 1 + random.below(4));
  claim.theta = Rational(1 + random.below(7), 8);
  claim.context_size = 2 + random.below(m + 1);
  std::vector<Edge> edges;
  claim.graph = Graph(m, {});
  for (std::size_t u = 0; u < m; ++u)
    for (std::size_t v = 0; v < m; ++v) {
      bool any = false;
      for (std::size_t k = 0; k < claim.channel.heads.size(); ++k)
        any = any || above(claim, k, u, v, 1U << u | 1U << v);
      if (any) edges.push_back({u, v});
    }
  if (random.below(3) == 0) {
    const Edge pair{random.below(m), random.below(m)};
    const auto at = std::lower_bound(edges.begin(), edges.end(), pair);
    if (at != edges.end() && *at == pair)
      edges.erase(at);
    else
      edges.insert(at, pair);
  }
  claim.graph = Graph(m, std::move(edges));
  for (std::size_t e = 0; e < claim.graph.edges().size(); ++e)
    claim.recovering_heads.push_back(random.below(claim.channel.heads.size()));
  return claim;
}

TEST_CASE("Theorem 2: the worst contexts decide what the enumeration of all contexts does") {
  std::array<int, 2> outcomes{};
  repeat(400, [&](Random& random) {
    SoftmaxRecovery claim = random_claim(random, 1 + static_cast<unsigned>(random.below(2)));
    const SoftmaxSearch search(
        {claim.graph, claim.embedding, claim.channel, claim.threshold, claim.context_size}, 1);
    const SoftmaxOutcome outcome = search.outcome(claim.beta, claim.theta);
    if (outcome.holds() && random.below(3) > 0)
      claim = search.claim(claim.beta, claim.theta, outcome);
    const bool holds = check(claim, 1).holds;
    CHECK(holds == enumerated(claim, true));
    if (claim.channel.heads.size() == 1) CHECK(outcome.holds() == enumerated(claim, false));
    if (outcome.holds()) CHECK(enumerated(claim, false));
    const std::string bytes = write_certificate(claim);
    CHECK(SlowChecker::accepts(bytes) == holds);
    CHECK(write_certificate(read_certificate(bytes, "test")) == bytes);
    // The unsafe pair is the first of its source and head, and these the first.
    const auto fault = [&]() -> std::optional<SoftmaxFault> {
      for (std::size_t u = 0; u < claim.graph.vertices(); ++u)
        for (std::size_t k = 0; k < claim.channel.heads.size(); ++k)
          for (std::size_t v = 0; v < claim.graph.vertices(); ++v)
            if (!claim.graph.contains({u, v}) && above(claim, k, u, v, 1U << u | 1U << v))
              return SoftmaxFault{{u, v}, k};
      return std::nullopt;
    }();
    REQUIRE(outcome.unsafe.has_value() == fault.has_value());
    if (fault) CHECK(outcome.unsafe->pair == fault->pair);
    if (fault) CHECK(outcome.unsafe->head == fault->head);
    // Each recovering head is the first that does it, and no other head is said to.
    for (std::size_t e = 0; e < claim.graph.edges().size(); ++e) {
      std::vector<std::size_t> named(claim.graph.edges().size());
      std::optional<std::size_t> first;
      for (std::size_t k = claim.channel.heads.size(); k-- > 0;) {
        std::fill(named.begin(), named.end(), k);
        const ScoresByHead scores(claim.embedding, claim.channel, 1);
        const SoftmaxOutcome one = softmax_outcome(
            claim.graph, scores, claim.threshold, softmax_of(claim), claim.context_size, &named, 1);
        if (one.recovering_heads[e]) first = k;
      }
      CHECK(outcome.recovering_heads[e] == first);
    }
    ++outcomes[holds];
  });
  CHECK(outcomes[0] > 50);
  CHECK(outcomes[1] > 50);
}

TEST_CASE("all widths of arithmetic and all threads give the same outcome") {
  repeat(30, [](Random& random) {
    SoftmaxRecovery claim = random_claim(random, 2);
    // Keys times 2^k and β over 2^k: the same weights, in wider integers.
    std::vector<SoftmaxOutcome> outcomes;
    for (const unsigned shift : {0U, 20U, 50U, 100U, 2000U}) {
      Channel channel = claim.channel;
      const Integer factor = power_of_two(shift);
      for (Head& head : channel.heads)
        for (std::size_t i = 0; i < head.key.rows(); ++i)
          for (std::size_t j = 0; j < head.key.cols(); ++j)
            head.key.set(i, j, Integer(head.key.at(i, j) * factor));
      const SoftmaxSearch search(
          {claim.graph, claim.embedding, channel, claim.threshold * factor, claim.context_size},
          1 + static_cast<unsigned>(random.below(3)));
      outcomes.push_back(search.outcome(claim.beta / factor, claim.theta));
    }
    for (const SoftmaxOutcome& outcome : outcomes) {
      CHECK(outcome.recovering_heads == outcomes[0].recovering_heads);
      CHECK(outcome.unsafe.has_value() == outcomes[0].unsafe.has_value());
      if (outcome.unsafe) CHECK(outcome.unsafe->pair == outcomes[0].unsafe->pair);
    }
  });
}

/// One head with the given scores: one-hot rows, W_Q = the scores, W_K = 1.
SoftmaxRecovery claim_of(const std::vector<std::vector<Integer>>& scores, std::vector<Edge> edges) {
  const std::size_t m = scores.size();
  Matrix query(m, m);
  for (std::size_t u = 0; u < m; ++u)
    for (std::size_t v = 0; v < m; ++v) query.set(u, v, scores[u][v]);
  std::vector<std::size_t> heads(edges.size(), 0);
  return {Graph(m, std::move(edges)), identity(m), 0, 1, Rational(1, 2), Integer(m),
          {{{query, identity(m)}}},   heads};
}

TEST_CASE("of the unsafe non-edges the first is named, whatever the order of the keys' norms") {
  Matrix x(4, 1), one(1, 1);
  for (std::size_t v = 0; v < 4; ++v) x.set(v, 0, Integer(v % 3 + 1));
  one.set(0, 0, Integer(1));
  const Graph graph(4, {{0, 0}});
  const ScoresByHead scores(x, {{{one, one}}}, 1);  // S_01 = 2, S_02 = 3, S_03 = 1
  const SoftmaxOutcome outcome =
      softmax_outcome(graph, scores, -9, {1, Rational(1, 4)}, 3, nullptr, 1);
  REQUIRE(outcome.unsafe);
  CHECK(outcome.unsafe->pair == Edge{0, 1});
}

TEST_CASE("scores that the kernel rounds are decided as the slow checker does") {
  std::array<int, 2> outcomes{};
  repeat(40, [&](Random& random) {
    const std::size_t m = 3 + random.below(6);
    const Integer unit = power_of_two(40), tail = power_of_two(3);
    std::vector<std::vector<Integer>> scores(m, std::vector<Integer>(m));
    std::vector<Edge> edges;
    const std::size_t near = random.below(2);
    for (std::size_t u = 0; u < m; ++u)
      for (std::size_t v = 0; v < m; ++v) {
        const bool edge = random.below(4) == 0;
        if (edge) edges.push_back({u, v});
        // Up to half a step of the rounding from τ = 0 and from each other, or far from both.
        scores[u][v] = (edge ? 1 : -1) * Integer(near + random.below(3)) * unit +
                       Integer(random.below(1 << 27)) * tail * random.sign();
      }
    // One score far below makes the rounding of its row's block coarser than the others are.
    const std::size_t u = random.below(m), v = random.below(m);
    if (random.below(2) == 0 && scores[u][v] < 0)
      scores[u][v] = -power_of_two(54 + random.below(9));
    SoftmaxRecovery claim = claim_of(scores, std::move(edges));
    claim.beta = Rational(1 + random.below(4)) / unit;
    claim.theta = Rational(2 + random.below(12), 26);
    for (std::size_t size = 2; size <= m; size += 1 + random.below(3)) {
      claim.context_size = size;
      const bool holds = check(claim, 1).holds;
      CHECK(holds == SlowChecker::accepts(write_certificate(claim)));
      ++outcomes[holds];
    }
    // The least θ that is safe and the greatest that recovers, against the definition.
    const SoftmaxSearch search(
        {claim.graph, claim.embedding, claim.channel, claim.threshold, claim.context_size}, 1);
    const ThetaGrid grid = search.find_theta(claim.beta, 12);
    for (const Integer& i : {grid.least, grid.greatest}) {
      if (i < 1 || i >= power_of_two(12)) continue;
      claim.theta = Rational(i, power_of_two(12));
      CHECK(check(claim, 1).holds == !grid.empty());
      CHECK(SlowChecker::accepts(write_certificate(claim)) == !grid.empty());
      ++outcomes[!grid.empty()];
    }
  });
  CHECK(outcomes[0] > 20);
  CHECK(outcomes[1] > 10);
}

TEST_CASE("an edge that heads recover in turns is undecided, and refuted in one head") {
  // Row 0 has the edges 1, 2, 3. Vertex 1 is led by 2 in the one head and by 3 in the other: no head
  // recovers it beside both, and in contexts of three one of the two always does.
  SoftmaxRecovery claim = claim_of({{0, 10, 11, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}},
                                   {{0, 1}, {0, 2}, {0, 3}});
  claim.channel.heads.push_back(claim.channel.heads[0]);
  claim.channel.heads[1].query.set(0, 2, std::int64_t{0});
  claim.channel.heads[1].query.set(0, 3, std::int64_t{11});
  claim.threshold = 1;
  claim.beta = 1;
  claim.theta = Rational(1, 2);
  claim.context_size = 3;
  const auto failure = [&] {
    const SoftmaxSearch search(
        {claim.graph, claim.embedding, claim.channel, claim.threshold, claim.context_size}, 1);
    return softmax_failure(search.instance(), search.outcome(claim.beta, claim.theta));
  };
  for (unsigned context = 1; context < 16; ++context) {
    if (std::popcount(context) > 3) continue;
    for (std::size_t u = 0; u < 4; ++u)
      for (std::size_t v = 0; v < 4; ++v)
        if (context >> u & 1 && context >> v & 1)
          CHECK((above(claim, 0, u, v, context) || above(claim, 1, u, v, context)) ==
                claim.graph.contains({u, v}));
  }
  CHECK_FALSE(failure().refuted);
  CHECK(failure().reason.starts_with("undecided: the edge (0, 1) has a weight of at most theta"));
  claim.channel.heads.pop_back();
  CHECK(failure().refuted);
  claim.channel.heads.push_back(claim.channel.heads[0]);
  claim.channel.heads[1].query.set(1, 1, std::int64_t{40});  // the non-edge (1, 1)
  CHECK(failure().refuted);
  CHECK(failure().reason.starts_with("the non-edge (1, 1) has a weight above theta in head 1"));
}

TEST_CASE("of the other vertices the ones with the largest scores make the worst context") {
  std::array<int, 2> outcomes{};
  repeat(40, [&](Random& random) {
    const std::size_t m = 3 + random.below(6);
    std::vector<std::vector<Integer>> scores(m, std::vector<Integer>(m, -90));
    std::vector<Edge> edges;
    for (std::size_t v = 1; v < m; ++v) {
      scores[0][v] = random.below(6);
      edges.push_back({0, v});
    }
    SoftmaxRecovery claim = claim_of(scores, std::move(edges));
    claim.beta = Rational(1 + random.below(4), 4);
    claim.theta = Rational(1, 3 + random.below(20));
    bool before = true;
    for (std::size_t size = 2; size <= m + 1; ++size) {
      claim.context_size = size;
      const bool holds = check(claim, 1).holds;
      CHECK(holds == enumerated(claim, true));
      CHECK(holds == SlowChecker::accepts(write_certificate(claim)));
      if (holds) CHECK(before);  // smaller contexts are no harder
      before = holds;
      ++outcomes[holds];
    }
  });
  CHECK(outcomes[0] > 40);
  CHECK(outcomes[1] > 40);
}

TEST_CASE("an exact tie counts as not above θ") {
  // Scores equal to τ alone in its context: α = 1/2; beside a further key of that score 1/3.
  SoftmaxRecovery loops = claim_of({{0, -1}, {-1, 0}}, {});
  CHECK(check(loops, 1).holds);
  loops.theta = Rational(power_of_two(300) - 1, power_of_two(301));  // just below 1/2
  CHECK(check(loops, 1).text ==
        "the non-edge (0, 0) has a weight above theta in head 0 in the context of its ends alone");
  SoftmaxRecovery edge =
      claim_of({{0, 0, 0}, {-9, -9, -9}, {-9, -9, -9}}, {{0, 0}, {0, 1}, {0, 2}});
  edge.theta = Rational(1, 4);
  CHECK(check(edge, 1).text ==
        "the edge (0, 0) has a weight of at most theta in head 0 in its worst context of up to 3 "
        "vertices");
  edge.theta = Rational(power_of_two(300) - 1, power_of_two(302));
  CHECK(check(edge, 1).holds);
}

TEST_CASE("a near tie at a distance of 2^-200 is decided on both sides") {
  // α = e/(1 + e + e^-4) for the edge (0,1) with the scores 1 and -4.
  SoftmaxRecovery claim = claim_of({{-4, 1}, {-40, -40}}, {{0, 1}});
  Integer low = 0, high = power_of_two(200);  // θ = low/2^200 holds, high/2^200 does not
  low = power_of_two(199);
  while (high - low > 1) {
    const Integer middle = (low + high) / 2;
    claim.theta = Rational(middle, power_of_two(200));
    (check(claim, 1).holds ? low : high) = middle;
  }
  // 0.7274… by a pocket calculator: e/(1 + e + e^-4) = 2.718281828/3.736597467.
  CHECK(to_decimal(Rational(low, power_of_two(200)), 6, Rounding::down) == "0.727475");
}

TEST_CASE("scores of thousands of bits are decided at once") {
  const Integer huge = power(10, 3000);
  SoftmaxRecovery claim = claim_of({{-huge, huge}, {-huge, -huge}}, {{0, 1}});
  CHECK(check(claim, 1).holds);
  claim.theta = Rational(power_of_two(1000) - 1, power_of_two(1000));
  CHECK(check(claim, 1).holds);
  claim.beta = Rational(Integer(1), huge);  // α = e/(e + 1 + 1/e) = 0.665…
  CHECK_FALSE(check(claim, 1).holds);
  claim.theta = Rational(665, 1000);
  CHECK(check(claim, 1).holds);
  claim.theta = Rational(666, 1000);
  CHECK_FALSE(check(claim, 1).holds);
}

TEST_CASE("claims that make no sense are refused") {
  const SoftmaxRecovery good = claim_of({{-9, 9}, {-9, -9}}, {{0, 1}});
  REQUIRE(check(good, 1).holds);
  const auto refused = [&](const std::function<void(SoftmaxRecovery&)>& change) {
    SoftmaxRecovery claim = good;
    change(claim);
    const Verdict verdict = check(claim, 1);
    CHECK_FALSE(verdict.holds);
    return verdict.text;
  };
  CHECK(refused([](auto& c) { c.beta = 0; }) == "beta must be positive");
  CHECK(refused([](auto& c) { c.beta = -1; }) == "beta must be positive");
  CHECK(refused([](auto& c) { c.theta = 0; }) == "theta must lie between 0 and 1");
  CHECK(refused([](auto& c) { c.theta = 1; }) == "theta must lie between 0 and 1");
  CHECK(refused([](auto& c) { c.context_size = 1; }) == "the context size must be at least 2");
  CHECK(refused([](auto& c) { c.recovering_heads = {}; }) ==
        "one recovering head per edge is required");
  CHECK(refused([](auto& c) { c.embedding = identity(3); }) == "one row per vertex is required");
  CHECK(refused([](auto& c) { c.recovering_heads = {7}; }) ==
        "the edge (0, 1) has a weight of at most theta in head 7 in its worst context of up to 2 "
        "vertices");
}

}  // namespace
}  // namespace qkcert
