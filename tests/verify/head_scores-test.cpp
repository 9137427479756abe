#include <array>
#include <qkcert/verify/head_scores.hpp>

#include "plain_score.hpp"
#include "support.hpp"

namespace qkcert {
namespace {

using namespace test;

/// Rows of sizes far apart, so that blocks get exponents far apart.
Matrix uneven(Random& random, std::size_t rows, std::size_t cols, unsigned bits) {
  Matrix matrix(rows, cols);
  for (std::size_t i = 0; i < rows; ++i) {
    const Integer size = power_of_two(random.below(bits + 1));
    for (std::size_t j = 0; j < cols; ++j)
      matrix.set(
          i, j,
          Integer(size * Integer(random.below(bits == 0 ? 20 : 1000)) * Integer(random.sign())));
  }
  return matrix;
}

TEST_CASE("bounds enclose every score of every head, and `above` misses none") {
  int exact_blocks = 0, rounded_blocks = 0;
  repeat(12, [&](Random& random) {
    const std::size_t m = 1 + random.below(330), d_model = 1 + random.below(3);
    const unsigned bits = std::array{0U, 8U, 40U, 300U}[random.below(4)];
    const Matrix x = uneven(random, m, d_model, bits);
    Channel channel;
    for (std::size_t k = 0; k < 2; ++k) {
      const std::size_t width = 1 + random.below(4);
      channel.heads.push_back(
          {uneven(random, d_model, width, bits), uneven(random, d_model, width, 0)});
    }
    const ScoresByHead scores(x, channel, 1);
    for (std::size_t k = 0; k < 2; ++k)
      for (std::size_t block = 0; block < scores.packed(k).queries.blocks.size(); ++block) {
        EnclosedScores enclosed(scores, k, block);
        ++(enclosed.exact() ? exact_blocks : rounded_blocks);
        const std::size_t row = random.below(enclosed.rows()), u = enclosed.source(row);
        const Integer pivot = scores.score<Integer>(k, u, random.below(m));
        const std::int64_t limit =
            to_int64(floor_quotient(pivot, power_of_two(enclosed.unit()))).value();
        std::vector<bool> found(m);
        for (std::size_t tile = 0; tile < enclosed.tiles(); ++tile) {
          enclosed.score_tile(tile, kernels());
          enclosed.above(row, limit, [&](std::size_t v) { found[v] = true; });
          enclosed.keep(row);
        }
        std::vector<std::int64_t> lower, upper;
        enclosed.lower(row, lower);
        enclosed.upper(row, upper);
        for (std::size_t v = 0; v < m; ++v) {
          const Integer exact = scores.score<Integer>(k, u, v),
                        unit = power_of_two(enclosed.unit());
          const std::size_t at = scores.packed(k).key_positions[v];
          if (v % 7 == 0) REQUIRE(exact == plain_score(x, channel.heads[k], u, v));
          REQUIRE(unit * lower[at] <= exact);
          REQUIRE(unit * upper[at] >= exact);
          if (enclosed.exact()) REQUIRE(lower[at] == upper[at]);
          if (exact > unit * limit) REQUIRE(found[v]);
          if (enclosed.exact()) REQUIRE(found[v] == (exact > limit));
        }
      }
  });
  CHECK(exact_blocks > 0);
  CHECK(rounded_blocks > 0);
}

}  // namespace
}  // namespace qkcert
