#include <algorithm>
#include <qkcert/constructions/common_threshold.hpp>
#include <qkcert/core/errors.hpp>

#include "support.hpp"

namespace qkcert {
namespace {

using namespace test;

TEST_CASE("the factors leave room for one threshold") {
  repeat(300, [](Random& random) {
    std::vector<HeadScores> heads;
    for (std::size_t k = 1 + random.below(5); k > 0; --k) {
      const Integer least = 1 + abs(random_integer(random, 1 + unsigned(random.below(70))));
      const bool tight = random.below(2) == 0;
      heads.push_back({least, tight ? Integer(least - 1) : random_integer(random, 60) % least});
    }
    const auto factors = common_threshold_factors(heads);
    REQUIRE(factors.size() == heads.size());
    Integer edges = factors[0] * heads[0].least, nonedges = factors[0] * heads[0].greatest;
    for (std::size_t k = 0; k < heads.size(); ++k) {
      CHECK(factors[k] >= 1);
      edges = std::min<Integer>(edges, factors[k] * heads[k].least);
      nonedges = std::max<Integer>(nonedges, factors[k] * heads[k].greatest);
    }
    CHECK(edges > nonedges);
    CHECK(edges > 0);  // the pairs that no head sees score 0
  });
  CHECK(common_threshold_factors({}).empty());
  CHECK(common_threshold_factors({{7, -3}, {2, 0}}) == std::vector<Integer>{1, 1});
  CHECK(common_threshold_factors({{4, 2}, {10, 3}}) == std::vector<Integer>{2, 1});
}

TEST_CASE("heads that do not separate have no factors") {
  for (const HeadScores& head : {HeadScores{3, 3}, {3, 4}, {0, -1}, {-1, -2}})
    CHECK_THROWS_AS(common_threshold_factors({head}), ShapeError);
}

}  // namespace
}  // namespace qkcert
