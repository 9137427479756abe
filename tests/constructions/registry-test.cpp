#include <algorithm>

#include "constructions/proposals.hpp"

namespace qkcert {
namespace {

TEST_CASE("methods are sorted by name, distinct, and found by it") {
  const auto all = methods();
  REQUIRE(all.size() >= 2);
  for (std::size_t i = 1; i < all.size(); ++i) CHECK(all[i - 1].name < all[i].name);
  for (const Method& method : all) {
    CHECK(&find_method(method.name) == &method);
    CHECK_FALSE(method.summary.empty());
    CHECK(method.plan);
    CHECK(method.propose);
  }
  for (const char* name :
       {"edge-pairs", "edge-per-head", "fit", "interpolation", "interpolation-rounded",
        "onehot-code", "onehot-neighborly", "onehot-signature", "onehot-trigonometric",
        "projection", "signature", "tuple-per-head"})
    CHECK(find_method(name).name == name);
}

TEST_CASE("the header's example") {
  const Graph graph(3, {{0, 1}, {1, 2}, {2, 0}});
  const Embedding embedding = one_hot(3);
  const Method& method = find_method("onehot-code");
  const Request request{graph, embedding};
  const Channel channel = propose(method, request);
  const bool served = score_extremes(graph, embedding.rows, channel).separated();
  CHECK(served);
}

TEST_CASE("an unknown method is refused with the list of the known ones") {
  std::string known;
  for (const Method& method : methods())
    known += (known.empty() ? "" : ", ") + std::string(method.name);
  for (const char* name : {"", "onehot", "onehot-code2", "Signature"})
    CHECK(test::message_of<UsageError>([&] { find_method(name); }) ==
          "unknown method '" + std::string(name) + "'; known are " + known);
}

/// A graph and an embedding that every method serves.
struct Served {
  Graph graph{4, {{0, 2}, {1, 1}, {2, 0}, {3, 3}}};
  Embedding embedding = one_hot(4);
};

TEST_CASE("every method's plan is what it proposes") {
  const Served served;
  for (const Method& method : methods()) {
    INFO(method.name);
    const Request request{served.graph, served.embedding};
    const Architecture planned = plan(method, request);
    const Channel channel = propose(method, request);
    CHECK(channel.heads.size() == planned.heads);
    CHECK(channel.key_dimension() == planned.key_dimension());
    CHECK_NOTHROW(require_valid(channel, 4));
    CHECK(propose(method, request) == channel);
  }
}

TEST_CASE("parameters that a method does not take, or that are 0, are refused") {
  const Served served;
  for (const Method& method : methods()) {
    const std::string name(method.name);
    const auto refusal = [&](bool heads, std::size_t value) {
      Request request{served.graph, served.embedding};
      (heads ? request.heads : request.head_dim) = value;
      const auto planning = test::message_of<UsageError>([&] { plan(method, request); });
      const auto proposing = test::message_of<UsageError>([&] { propose(method, request); });
      CHECK(planning == proposing);
      return planning;
    };
    for (const bool heads : {true, false}) {
      const std::string subject = name + ": " + (heads ? "heads" : "head-dim");
      if (heads ? method.takes_heads : method.takes_head_dim) {
        CHECK(refusal(heads, 0) == subject + " must be at least 1");
        CHECK(refusal(heads, 2) == "no error");
      } else {
        for (const std::size_t value : {0, 1, 2})
          CHECK(refusal(heads, value) == subject + " cannot be chosen, it follows from the input");
      }
    }
  }
}

TEST_CASE("a key dimension of 0 is refused, another is ignored or kept") {
  const Served served;
  for (const Method& method : methods()) {
    Request request{served.graph, served.embedding};
    request.key_dimension = 0;
    CHECK(test::message_of<UsageError>([&] { plan(method, request); }) ==
          std::string(method.name) + ": key-dimension must be at least 1");
    request.key_dimension = 7;
    const std::size_t planned = plan(method, request).key_dimension();
    CHECK((planned == 7 ||
           planned == plan(method, {served.graph, served.embedding}).key_dimension()));
  }
}

TEST_CASE("one embedding row per vertex is required by every method") {
  const Graph graph(3, {{0, 1}});
  for (const std::size_t rows : {2, 4}) {
    const Embedding embedding = one_hot(rows);
    for (const Method& method : methods())
      CHECK(test::message_of<ShapeError>([&] {
              propose(method, {graph, embedding});
            }) == "plan: one embedding row per vertex is required");
  }
}

TEST_CASE("architectures that would not fit in memory are refused before anything is built") {
  const Served served;
  const Method& method = find_method("signature");
  constexpr std::size_t most = static_cast<std::size_t>(-1);
  for (const std::size_t head_dim : {most, most / 2 + 1, std::size_t{1} << 26}) {
    Request request{served.graph, served.embedding};
    request.heads = 4;
    request.head_dim = head_dim;
    CHECK(test::message_of<SizeError>([&] { propose(method, request); }) ==
          "signature: " + to_decimal(32 * Integer(head_dim)) +
              " weights of up to 64 bits are too large");
  }
}

TEST_CASE("a method that breaks its plan is found out") {
  const Served served;
  const Request request{served.graph, served.embedding};
  Method method = find_method("onehot-code");
  const Channel honest = propose(method, request);
  const auto proposing = [&](Channel channel) {
    method.propose = [channel](const Request&) { return channel; };
    return test::message_of<ShapeError>([&] { propose(method, request); });
  };
  CHECK(proposing(honest) == "no error");
  CHECK(proposing({}) == "Channel: at least one head is required");
  CHECK(proposing({{honest.heads[0], honest.heads[0]}}) ==
        "propose: not the planned number of heads");
  CHECK(proposing({{{Matrix(4, 3), Matrix(4, 3)}}}) == "propose: not the planned width");
  CHECK(proposing({{{Matrix(3, 2), Matrix(3, 2)}}}) == "Channel: the weights need d_model rows");
}

TEST_CASE("a method refuses what it cannot serve before it proposes") {
  const Graph wide(3, {{0, 1}, {0, 2}});
  const Embedding embedding = one_hot(3);
  CHECK_THROWS_AS(plan(find_method("onehot-code"), {wide, embedding}), MethodError);
  CHECK_NOTHROW(plan(find_method("onehot-neighborly"), {wide, embedding}));
}

TEST_CASE("a request runs out of time at its deadline or when it is stopped") {
  const Served served;
  Request request{served.graph, served.embedding};
  CHECK_FALSE(request.out_of_time());
  std::atomic<bool> stop = false;
  request.stop = &stop;
  CHECK_FALSE(request.out_of_time());
  stop = true;
  CHECK(request.out_of_time());
  stop = false;
  request.deadline = std::chrono::steady_clock::now();
  CHECK(request.out_of_time());
}

}  // namespace
}  // namespace qkcert
