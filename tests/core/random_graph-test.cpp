#include "core/enumeration.hpp"

#include <map>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/random_graph.hpp>

#include "support.hpp"

namespace qkcert {
namespace {

TEST_CASE("every member of a small family is reached, about equally often") {
  constexpr std::uint64_t expected = 400;
  for (std::size_t m = 1; m <= 4; ++m)
    for (const auto& [name, arguments] : test::families_on(m)) {
      const Family family(name, arguments);
      const auto size = to_uint64(family.size()).value();
      if (size == 0 || size > 30) continue;
      INFO(family.to_string() << ", QKCERT_TEST_SEED=" << test::seed());
      std::map<std::uint64_t, std::uint64_t> drawn;
      for (std::uint64_t i = 0; i < expected * size; ++i) {
        const std::uint64_t mask = test::number_of(random_graph(family, test::seed() * 100000 + i));
        if (++drawn[mask] == 1) CHECK(test::is_member(name, arguments, mask));
      }
      CHECK(drawn.size() == size);
      // A frequency has standard deviation below √400 = 20; 140 is seven of them.
      for (const auto& [mask, count] : drawn) {
        CHECK(count > expected - 140);
        CHECK(count < expected + 140);
      }
    }
}

TEST_CASE("random graphs of larger families are members, and depend on the seed alone") {
  test::repeat(20, [](Random& random) {
    const std::uint64_t m = 2 + random.below(60);
    std::vector<std::uint64_t> degrees = {m};
    for (std::uint64_t u = 0; u < m; ++u) degrees.push_back(random.below(m));
    const std::vector<Family> families = {Family("permutation", {m}),
                                          Family("derangement", {m}),
                                          Family("functional", {m}),
                                          Family("out-regular", {m, random.below(m)}),
                                          Family("digraph", {m, random.below(m * (m - 1) + 1)}),
                                          Family("digraph-loops", {m, random.below(m * m + 1)}),
                                          Family("matching", {m, random.below(m / 2 + 1)}),
                                          Family("out-degrees", degrees)};
    const std::uint64_t seed = random.below(1000);
    for (const Family& family : families) {
      INFO(family.to_string());
      const Graph graph = random_graph(family, seed);
      CHECK(family.contains(graph));
      CHECK(graph == random_graph(family, seed));
    }
  });
  CHECK_FALSE(random_graph(Family("permutation", {40}), 1) ==
              random_graph(Family("permutation", {40}), 2));
}

TEST_CASE("seeds keep their meaning") {
  CHECK(random_graph(Family("permutation", {6}), 1) ==
        Graph(6, {{0, 3}, {1, 2}, {2, 4}, {3, 1}, {4, 5}, {5, 0}}));
  CHECK(random_graph(Family("digraph", {5, 4}), 7) == Graph(5, {{0, 3}, {3, 0}, {4, 1}, {4, 3}}));
  CHECK(random_graph(Family("matching", {6, 2}), 3) == Graph(6, {{1, 2}, {2, 1}, {4, 5}, {5, 4}}));
}

TEST_CASE("the largest and smallest members") {
  CHECK(random_graph(Family("digraph", {1, 0}), 1) == Graph(1, {}));
  CHECK(random_graph(Family("permutation", {1}), 1) == Graph(1, {{0, 0}}));
  CHECK(random_graph(Family("out-regular", {1, 0}), 1) == Graph(1, {}));
  CHECK(random_graph(Family("digraph-loops", {9, 81}), 1).edges().size() == 81);
  CHECK(random_graph(Family("digraph", {9, 72}), 1).loops() == 0);
}

TEST_CASE("families that are empty or too large are refused") {
  const auto message = [](const Family& family) {
    try {
      random_graph(family, 1);
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  constexpr std::uint64_t limit = std::uint64_t{1} << 28;
  CHECK(message(Family("derangement", {1})) == "family derangement: is empty for m = 1");
  CHECK(message(Family("functional", {1})) == "family functional: is empty for m = 1");
  for (const char* name : {"permutation", "derangement", "functional"})
    CHECK(message(Family(name, {limit})) ==
          "family " + std::string(name) + ": a random graph needs m < 2^28");
  for (const Family& family :
       {Family("digraph", {limit - 1, limit}), Family("digraph-loops", {limit - 1, limit}),
        Family("out-regular", {limit / 2, 2})})
    CHECK(message(family) ==
          "family " + std::string(family.name()) + ": too many edges to be stored");
}

}  // namespace
}  // namespace qkcert
