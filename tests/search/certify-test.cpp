#include <qkcert/core/errors.hpp>
#include <qkcert/core/random_graph.hpp>
#include <qkcert/search/certify.hpp>
#include <qkcert/verify/check.hpp>

#include "support.hpp"

using namespace qkcert;
using namespace std::chrono_literals;

namespace {

/// The result, its claim judged anew and its attempts counted.
struct Run {
  CertifyResult result;
  std::vector<Attempt> attempts;

  Run(const Graph& graph, const Embedding& embedding, CertifyOptions options = {}) {
    options.on_finish = [this](const Attempt& attempt) { attempts.push_back(attempt); };
    result = certify(graph, embedding, options);
    if (result.best) CHECK(check(*result.best->claim).holds);
  }

  std::size_t key_dimension() const { return result.best.value().claim->channel.key_dimension(); }
};

}  // namespace

TEST_CASE("certify keeps the least D_K that verified") {
  const Graph graph = random_graph(Family("permutation", {24}), 1);
  const Embedding embedding = gaussian_embedding(24, 8, 20, 1);
  const Run run(graph, embedding);
  REQUIRE(run.result.best);
  CHECK(run.result.complete);
  CHECK(run.key_dimension() <= 10);
  CHECK(run.result.best->claim->channel.weight_max() <= 127);
  std::size_t failed_below = 0;
  for (const Attempt& attempt : run.attempts) {
    if (attempt.claim) CHECK(attempt.architecture.key_dimension() >= run.key_dimension());
    if (!attempt.claim && attempt.architecture.key_dimension() + 1 == run.key_dimension())
      ++failed_below;
  }
  CHECK(failed_below == 24);  // the next smaller D_K was tried with every split and seed
}

TEST_CASE("certify gives the same claim for any thread count") {
  const Graph graph = random_graph(Family("functional", {30}), 2);
  const Embedding embedding = gaussian_embedding(30, 12, 20, 2);
  const Run one(graph, embedding, {.threads = 1}), three(graph, embedding, {.threads = 3});
  CHECK(one.result.best.value().claim->channel == three.result.best.value().claim->channel);
  CHECK(one.attempts.size() == three.attempts.size());
}

TEST_CASE("certify holds to the heads, widths and weights it is given") {
  const Graph graph = random_graph(Family("permutation", {20}), 1);
  const Embedding embedding = gaussian_embedding(20, 8, 20, 1);
  const auto channel = [&](const CertifyOptions& options) {
    return Run(graph, embedding, options).result.best.value().claim->channel;
  };
  const Channel both = channel({.heads = 3, .head_dim = 5});
  CHECK(both.heads.size() == 3);
  CHECK(both.key_dimension() == 15);
  CHECK(channel({.heads = 2}).heads.size() == 2);
  for (const Head& head : channel({.head_dim = 3}).heads) CHECK(head.width() == 3);
  CHECK(channel({.weight_max = 2}).weight_max() <= 2);
}

TEST_CASE(
    "certify without a method uses the one-hot code where it applies, and beats it if it can") {
  const Graph graph = random_graph(Family("permutation", {16}), 1);
  const Run run(graph, one_hot(16));
  CHECK(run.attempts.front().method == "onehot-code");
  CHECK(run.attempts.front().claim);
  CHECK(run.key_dimension() <= 4);
  const Run binary(graph, one_hot(16), {.weight_max = 1});
  CHECK(binary.key_dimension() <= 4);
}

TEST_CASE("certify runs the closed forms under the weight limit") {
  const Graph graph = random_graph(Family("out-regular", {9, 2}), 1);
  CHECK(Run(graph, one_hot(9), {.method = "onehot-neighborly", .weight_max = 100000})
            .key_dimension() == 5);
  const Run tight(graph, one_hot(9), {.method = "onehot-neighborly", .weight_max = 127});
  CHECK_FALSE(tight.result.best);
  CHECK(tight.attempts.size() == 1);
  CHECK_THROWS_AS(certify(graph, gaussian_embedding(9, 3, 20, 1), {.method = "onehot-code"}),
                  MethodError);
  CHECK_THROWS_AS(certify(graph, one_hot(9), {.method = "none"}), UsageError);
}

TEST_CASE("certify says that a search failed, with the extremes that came closest") {
  const Graph graph = random_graph(Family("permutation", {40}), 1);
  const Embedding embedding = gaussian_embedding(40, 4, 20, 1);
  const Run run(graph, embedding, {.heads = 1, .head_dim = 1, .budget = 300ms});
  CHECK_FALSE(run.result.best);
  CHECK_FALSE(run.result.complete);
  REQUIRE(run.result.closest);
  CHECK_FALSE(run.result.closest->extremes->separated());
}

TEST_CASE("certify ends at its target, and does not ask for what brings nothing") {
  const Graph graph = random_graph(Family("permutation", {24}), 1);
  const Embedding embedding = gaussian_embedding(24, 8, 20, 1);
  const std::size_t least = Run(graph, embedding).key_dimension();
  const Run run(graph, embedding, {.target = least + 2});
  CHECK(run.result.complete);
  CHECK(run.key_dimension() <= least + 2);
  for (const Attempt& attempt : run.attempts)
    CHECK(attempt.architecture.key_dimension() + 1 > run.key_dimension());
  const Run beaten(graph, embedding, {.below = 1});
  CHECK(beaten.attempts.empty());
  const Run below(graph, embedding, {.below = least});
  CHECK_FALSE(below.result.best);
  CHECK_FALSE(below.attempts.empty());
  for (const Attempt& attempt : below.attempts) CHECK(attempt.architecture.key_dimension() < least);
}

TEST_CASE("certify stops when it is told to") {
  const Graph graph = random_graph(Family("permutation", {24}), 1);
  const Embedding embedding = gaussian_embedding(24, 8, 20, 1);
  const std::atomic<bool> stop{true};
  const Run run(graph, embedding, {.stop = &stop});
  CHECK_FALSE(run.result.best);
  CHECK_FALSE(run.result.complete);
}
