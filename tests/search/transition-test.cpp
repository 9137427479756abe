#include <atomic>
#include <map>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/random_graph.hpp>
#include <qkcert/search/transition.hpp>
#include <qkcert/verify/certificate.hpp>
#include <qkcert/verify/check.hpp>
#include <qkcert/verify/sha256.hpp>
#include <set>

#include "support.hpp"

namespace qkcert {

namespace {

using Outcome = TransitionTrial::Outcome;

TransitionOptions small() {
  return {.family = Family("permutation", {12}),
          .d_model = 6,
          .trials = 6,
          .seed = test::seed(),
          .budget = std::chrono::hours(1)};
}

/// The certificates of a sweep by (D_K, heads or 0, trial), and its outcomes.
struct Run {
  std::map<std::tuple<std::size_t, std::size_t, std::size_t>, std::string> certificates;
  std::size_t reported = 0;
  std::vector<TransitionOutcome> outcomes;

  Run(TransitionOptions options, const std::vector<TransitionPoint>& points) {
    options.on_trial = [this](const TransitionPoint& point, const TransitionTrial& trial,
                              std::string_view bytes) {
      ++reported;
      if (!bytes.empty())
        certificates[{point.key_dimension, point.heads.value_or(0), trial.number}] = bytes;
    };
    outcomes = transition(options, points);
  }
};

bool same(const std::vector<TransitionOutcome>& a, const std::vector<TransitionOutcome>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t s = 0; s < a[i].trials.size(); ++s) {
      const TransitionTrial &x = a[i].trials[s], &y = b[i].trials[s];
      if (x.number != y.number || x.outcome != y.outcome || x.architecture != y.architecture ||
          x.sha256 != y.sha256 || x.seeds.construction != y.seeds.construction)
        return false;
    }
  return true;
}

}  // namespace

TEST_CASE("transition: every success is a certificate of the documented instance") {
  const TransitionOptions options = small();
  const Run run(options, {{1}, {2}, {3}, {4}, {5}, {6}});
  REQUIRE(run.outcomes.size() == 6);
  std::size_t certified = 0;
  for (const TransitionOutcome& outcome : run.outcomes) {
    REQUIRE(outcome.trials.size() == options.trials);
    CHECK(outcome.completed() == options.trials);
    std::size_t here = 0;
    for (const TransitionTrial& trial : outcome.trials) {
      const std::size_t key_dimension = outcome.point.key_dimension;
      const std::uint64_t n = options.seed + trial.number, unit = std::uint64_t{1} << 32;
      CHECK(trial.seeds.graph == unit + n);
      CHECK(trial.seeds.embedding == 2 * unit + n);
      CHECK(trial.seeds.construction == 3 * unit + n);
      CHECK(trial.architecture.key_dimension() == key_dimension);
      const Graph graph = random_graph(options.family, unit + n);
      const Embedding embedding = gaussian_embedding(12, 6, 20, 2 * unit + n);
      // The same attempt, made here: it is a success or not in both places.
      const Attempt again = attempt(find_method("fit"),
                                    {.graph = graph,
                                     .embedding = embedding,
                                     .key_dimension = key_dimension,
                                     .seed = 3 * unit + n,
                                     .threads = 1},
                                    true);
      CHECK(again.claim.has_value() == (trial.outcome == Outcome::certified));
      if (trial.outcome != Outcome::certified) {
        CHECK(trial.sha256.empty());
        continue;
      }
      ++here;
      const std::string& bytes = run.certificates.at({key_dimension, 0, trial.number});
      CHECK(sha256(bytes) == trial.sha256);
      const Claim claim = read_certificate(bytes, "certificate");
      CHECK(check(claim).holds);
      const auto& recovery = std::get<RecoveryClaim>(claim);
      CHECK(recovery.graph == graph);
      CHECK(recovery.embedding == embedding.rows);
      CHECK(recovery.channel.key_dimension() == key_dimension);
      CHECK(recovery.channel.weight_max() <= 127);
    }
    CHECK(outcome.certified() == here);
    certified += here;
  }
  CHECK(run.certificates.size() == certified);
  CHECK(run.reported == 6 * options.trials);
  CHECK(run.outcomes.front().certified() == 0);
  CHECK(run.outcomes.back().certified() > 0);
}

TEST_CASE("transition: the same for any thread count, and other instances for another seed") {
  TransitionOptions options = small();
  options.threads = 1;
  const std::vector<TransitionPoint> points{{2, 1}, {3, 2}, {4, 2}, {5, 2}};
  const Run first(options, points);
  for (const unsigned threads : {2U, 3U, 7U}) {
    options.threads = threads;
    const Run other(options, points);
    CHECK(same(other.outcomes, first.outcomes));
    CHECK(other.certificates == first.certificates);
  }
  options.seed += 1;
  const Run shifted(options, points);
  CHECK_FALSE(same(shifted.outcomes, first.outcomes));
  for (std::size_t i = 0; i < points.size(); ++i)  // its trial s is the first's trial s + 1
    for (std::size_t s = 0; s + 1 < options.trials; ++s)
      CHECK(shifted.outcomes[i].trials[s].sha256 == first.outcomes[i].trials[s + 1].sha256);
}

TEST_CASE("transition_seeds: none is used twice") {
  std::set<std::uint64_t> seen;
  for (std::size_t s = 0; s < 50; ++s)
    for (std::size_t t = 0; t < 10; ++t) {
      const TransitionSeeds seeds = transition_seeds(7, s, t);
      if (t == 0) {
        CHECK(seen.insert(seeds.graph).second);
        CHECK(seen.insert(seeds.embedding).second);
      }
      CHECK(seen.insert(seeds.construction).second);
    }
}

TEST_CASE("transition: more tries lose no success") {
  TransitionOptions options = small();
  options.trials = 12;
  const std::vector<TransitionPoint> points{{3}};
  const Run one(options, points);
  options.tries = 4;
  const Run four(options, points);
  bool more = false;
  for (std::size_t s = 0; s < options.trials; ++s) {
    const TransitionTrial &a = one.outcomes[0].trials[s], &b = four.outcomes[0].trials[s];
    if (a.outcome == Outcome::certified) {
      CHECK(b.sha256 == a.sha256);
    } else {
      CHECK(b.seeds.construction > a.seeds.construction);
      more = more || b.outcome == Outcome::certified;
      if (b.outcome == Outcome::failed)
        CHECK(b.seeds.construction == transition_seeds(options.seed, s, 3).construction);
    }
    CHECK(b.seeds.graph == a.seeds.graph);
  }
  CHECK(more);
}

TEST_CASE("heads_sweep: every number of heads, with widths as even as D_K allows") {
  const TransitionOptions options = small();
  const auto points = heads_sweep(options, 5);
  REQUIRE(points.size() == 5);
  const Run run(options, points);
  for (std::size_t h = 1; h <= 5; ++h) {
    CHECK(points[h - 1].heads == h);
    for (const TransitionTrial& trial : run.outcomes[h - 1].trials)
      CHECK(trial.architecture == Architecture{h, 5 / h, 5 % h});
  }
  // signature has heads of one width only.
  TransitionOptions signature = small();
  signature.method = "signature";
  std::vector<std::size_t> heads;
  for (const TransitionPoint& point : heads_sweep(signature, 6)) heads.push_back(*point.heads);
  CHECK(heads == std::vector<std::size_t>{1, 2, 3, 6});
  signature.method = "onehot-neighborly";
  CHECK_THROWS_AS(heads_sweep(signature, 6), Error);
}

TEST_CASE("transition: a method without a split of its own takes heads or head_dim") {
  TransitionOptions options = small();
  options.method = "signature";
  options.weight_max = Integer(1) << 40;
  const Run run(options, {{32, {}, 16}, {48, 3}});
  for (const TransitionOutcome& outcome : run.outcomes)
    CHECK(outcome.trials[0].architecture == Architecture{outcome.point.key_dimension / 16, 16});
  CHECK_THROWS_WITH(transition(options, {{48}}), "signature: has no channel of D_K 48");
}

TEST_CASE("transition: a channel of larger weights is no success") {
  TransitionOptions options = small();
  options.method = "edge-per-head";  // which always recovers, with weights of many bits
  options.weight_max = power(Integer(2), 4000);
  CHECK(Run(options, {{12}}).outcomes[0].certified() == options.trials);
  options.weight_max = 127;
  const Run run(options, {{12}});
  CHECK(run.outcomes[0].certified() == 0);
  CHECK(run.outcomes[0].completed() == options.trials);
}

TEST_CASE("transition refuses points that cannot be") {
  const TransitionOptions options = small();
  CHECK_THROWS_WITH(transition(options, {{5, {}, 2}}),
                    "fit: has no channel of D_K 5 in heads of width 2");
  CHECK_THROWS_WITH(transition(options, {{3, 4}}), "fit: has no channel of D_K 3 in 4 heads");
  CHECK_THROWS_AS(transition(options, {{0}}), UsageError);
  CHECK_THROWS_AS(transition(options, {{4, 0}}), UsageError);
  CHECK_THROWS_AS(transition(options, {}), ShapeError);
  TransitionOptions bad = small();
  bad.trials = 0;
  CHECK_THROWS_AS(transition(bad, {{4}}), UsageError);
  bad.trials = 2;
  bad.seed = (std::uint64_t{1} << 32) - 1;
  CHECK_THROWS_AS(transition(bad, {{4}}), UsageError);
  bad = small();
  bad.tries = (std::size_t{1} << 16) + 1;
  CHECK_THROWS_AS(transition(bad, {{4}}), UsageError);
  bad = small();
  bad.method = "nonsense";
  CHECK_THROWS_AS(transition(bad, {{4}}), UsageError);
}

TEST_CASE("transition: what was cut is incomplete and no failure") {
  TransitionOptions options = small();
  options.budget = std::chrono::milliseconds(0);
  const Run none(options, {{4}, {5}});
  for (const TransitionOutcome& outcome : none.outcomes) {
    CHECK(outcome.completed() == 0);
    CHECK(outcome.trials.size() == options.trials);
  }
  CHECK(none.reported == 0);
  options = small();
  std::atomic<bool> stop{false};
  options.stop = &stop;
  options.threads = 1;
  std::size_t told = 0;
  options.on_trial = [&](const auto&, const auto&, auto) { stop = ++told == 8; };
  const auto outcomes = transition(options, {{6}, {6}});
  CHECK(outcomes[0].completed() == 6);
  CHECK(outcomes[1].completed() == 2);
  CHECK(told == 8);
}

TEST_CASE("transition: a try that the budget cut is no failure") {
  TransitionOptions options{.family = Family("permutation", {3000}),
                            .d_model = 16,
                            .trials = 1,
                            .budget = std::chrono::milliseconds(200)};
  const Run run(options, {{20, 4}});  // hopeless, and known to be only after seconds
  CHECK(run.outcomes[0].completed() == 0);
  CHECK(run.outcomes[0].trials[0].architecture == Architecture{4, 5});
  CHECK(run.reported == 0);
}

TEST_CASE("transition: an error of on_trial ends the sweep") {
  TransitionOptions options = small();
  options.on_trial = [](const auto&, const auto&, auto) { throw FileError("full"); };
  CHECK_THROWS_WITH(transition(options, {{4}}), "full");
}

}  // namespace qkcert
