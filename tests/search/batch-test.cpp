#include <qkcert/core/errors.hpp>
#include <qkcert/search/batch.hpp>
#include <thread>

#include "support.hpp"

namespace qkcert {
namespace {

using Outcome = Tried::Outcome;
using namespace std::chrono_literals;

struct Instance {
  Graph graph{2, {{0, 1}, {1, 0}}};
  Embedding embedding = one_hot(2);

  std::vector<Request> requests(std::size_t count) const {
    std::vector<Request> list;
    for (std::size_t i = 0; i < count; ++i) {
      list.push_back({graph, embedding});
      list.back().seed = i;
    }
    return list;
  }
};

/// The seeds that `finish` saw when those in `good` verify, each taking its time.
std::vector<std::uint64_t> seen(const std::vector<Request>& requests,
                                const std::vector<std::uint64_t>& good, unsigned threads,
                                bool side_by_side, Random& random) {
  std::vector<std::chrono::microseconds> times;
  for (std::size_t i = 0; i < requests.size(); ++i)
    times.push_back(std::chrono::microseconds(random.below(800)));
  std::vector<std::uint64_t> order;
  const bool found = first_verified(
      requests, threads, side_by_side,
      [&](const Request& request) {
        std::this_thread::sleep_for(times[request.seed]);
        const bool verified = std::count(good.begin(), good.end(), request.seed) > 0;
        return Answer{{"x", {}, request.seed, verified ? Outcome::verified : Outcome::refused}};
      },
      [&](const Answer& answer) { order.push_back(answer.tried.seed); });
  CHECK(found == !good.empty());
  return order;
}

TEST_CASE("first_verified: the answers that count, in order, for any thread count") {
  const Instance instance;
  test::repeat(30, [&](Random& random) {
    const auto requests = instance.requests(1 + random.below(12));
    std::vector<std::uint64_t> good, expected;
    for (std::uint64_t i = 0; i < requests.size(); ++i) {
      if (random.below(6) == 0) good.push_back(i);
      expected.push_back(i);
    }
    if (!good.empty()) expected.resize(good.front() + 1);
    for (const unsigned threads : {1U, 2U, 5U})
      for (const bool side_by_side : {false, true})
        CHECK(seen(requests, good, threads, side_by_side, random) == expected);
  });
}

TEST_CASE("first_verified cancels what comes after a success, and starts nothing after a stop") {
  const Instance instance;
  auto requests = instance.requests(40);
  std::atomic<int> cancelled = 0, started = 0;
  CHECK(first_verified(
      requests, 2, true,
      [&](const Request& request) {
        ++started;
        if (request.seed == 0) std::this_thread::sleep_for(20ms);
        while (request.seed == 1 && !request.out_of_time()) std::this_thread::yield();
        if (request.seed == 1) ++cancelled;
        return Answer{{"x", {}, request.seed, Outcome::verified}};
      },
      [](const Answer& answer) { CHECK(answer.tried.seed == 0); }));
  CHECK(cancelled == 1);
  CHECK(started == 2);
  const std::atomic<bool> stop{true};
  for (Request& request : requests) request.stop = &stop;
  for (const bool side_by_side : {false, true})
    CHECK_FALSE(first_verified(
        requests, 2, side_by_side, [](const Request&) -> Answer { throw Error("it was started"); },
        [](const Answer&) {}));
}

TEST_CASE("first_verified hands on an error") {
  const Instance instance;
  for (const bool side_by_side : {false, true})
    CHECK_THROWS_AS(
        first_verified(
            instance.requests(3), 2, side_by_side,
            [](const Request&) -> Answer { throw UsageError("no"); }, [](const Answer&) {}),
        UsageError);
}

TEST_CASE("ask tells what became of a question") {
  const Instance instance;
  const Method& code = find_method("onehot-code");
  const Answer good = ask(code, {instance.graph, instance.embedding});
  CHECK(good.verified());
  CHECK(good.attempt.value().claim);
  CHECK(good.tried.architecture == Architecture{1, 1});

  const Answer refused = ask(code, {instance.graph, gaussian_embedding(2, 2, 9, 1)});
  CHECK(refused.tried.outcome == Outcome::refused);
  CHECK(refused.tried.reason == "onehot-code: the embedding is not one-hot");
  CHECK_FALSE(refused.attempt);

  const Graph three(3, {{0, 1}, {1, 2}, {2, 0}});
  const Embedding rows = one_hot(3);
  const Answer heavy =
      ask(find_method("onehot-neighborly"), {.graph = three, .embedding = rows, .weight_max = 3});
  CHECK(heavy.tried.outcome == Outcome::weights_too_large);
  CHECK_FALSE(heavy.verified());

  const Embedding flat{Matrix(3, 1), 0};
  const Answer failed =
      ask(find_method("fit"), {.graph = three, .embedding = flat, .heads = 1, .head_dim = 1});
  CHECK(failed.tried.outcome == Outcome::not_separated);
  const std::atomic<bool> stop{true};
  const Answer cut =
      ask(find_method("fit"),
          {.graph = three, .embedding = flat, .heads = 1, .head_dim = 1, .stop = &stop});
  CHECK(cut.tried.outcome == Outcome::cut_off);
}

}  // namespace
}  // namespace qkcert
