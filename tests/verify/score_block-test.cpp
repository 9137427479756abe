/// Exact blocks of scores against exact scores pair by pair.

#include <array>
#include <qkcert/verify/score_block.hpp>

#include "support.hpp"

namespace qkcert {
namespace {

using namespace test;

TEST_CASE("score_block gives the exact score of every pair") {
  repeat(200, [](Random& random) {
    const std::size_t m = 1 + random.below(40), d_model = 1 + random.below(4);
    const unsigned bits = std::array{1U, 7U, 14U}[random.below(3)];
    const Channel channel = random_channel(random, d_model, 4, 5, bits);
    const Matrix x = random_matrix(random, m, d_model, bits);
    const Projections queries = project(x, channel, Side::query, {0, m}, kernels(), 1);
    const Projections keys = project(x, channel, Side::key, {0, m}, kernels(), 1);
    if (!fits_score_block(queries, keys)) return;
    std::vector<std::size_t> rows(random.below(m + 1)), columns(1 + random.below(m));
    for (auto* list : {&rows, &columns})
      for (std::size_t& each : *list) each = random.below(m);
    for (const std::string simd : {"", "scalar"}) {
      std::vector<std::int64_t> scores(7, 99);
      const std::size_t stride = score_block(queries, rows, keys, columns, kernels(simd), scores);
      REQUIRE(stride >= columns.size());
      for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < columns.size(); ++j)
          REQUIRE(scores[i * stride + j] ==
                  exact_score<Integer>(queries, rows[i], keys, columns[j]));
    }
  });
}

TEST_CASE("score_block is refused where 64 bits could be too few") {
  const auto rows = [](std::size_t width, std::int64_t entry) {
    Projections side{{0, 1}, {}};
    if (entry < std::int64_t{1} << 31)
      side.heads.push_back(
          {width, std::vector<std::int32_t>(width, static_cast<std::int32_t>(entry)), entry});
    else
      side.heads.push_back({width, std::vector<std::int64_t>(width, entry), entry});
    return side;
  };
  const std::int64_t most = (std::int64_t{1} << 31) - 1;
  CHECK(fits_score_block(rows(1, most), rows(1, most)));
  CHECK_FALSE(fits_score_block(rows(2, most), rows(2, most)));  // 2·(2^31 - 1)² > 2^62
  CHECK(fits_int64(rows(2, most + 1), rows(2, 1)));
  CHECK_FALSE(fits_score_block(rows(2, most + 1), rows(2, 1)));
  CHECK_FALSE(fits_score_block(rows(2, 1), rows(2, most + 1)));
}

}  // namespace
}  // namespace qkcert
