#include <array>
#include <qkcert/core/errors.hpp>
#include <qkcert/verify/packing.hpp>

#include "support.hpp"

namespace qkcert {
namespace {

using namespace test;

constexpr std::int64_t max_score = (std::int64_t{1} << 31) - 1;

/// Entry j of head k in row i of a block.
std::int64_t packed(const Packing& packing, const PackedBlock& block, std::size_t i, std::size_t k,
                    std::size_t j, std::size_t interleave) {
  std::size_t pair = j / 2;
  for (std::size_t h = 0; h < k; ++h) pair += packing.head_pairs[h];
  return packing
      .entries[block.at +
               ((i / interleave * packing.pairs + pair) * interleave + i % interleave) * 2 + j % 2];
}

/// Rows of norms that differ by powers of two, so that blocks have different exponents.
Projections random_side(Random& random, std::size_t rows, const std::vector<std::size_t>& widths,
                        unsigned bits) {
  Matrix x = random_matrix(random, rows, 4, 8);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < 4; ++j)
      x.set(i, j, Integer(x.at(i, j) * power_of_two(random.below(1 + bits / 2))));
  Channel channel;
  for (const std::size_t width : widths)
    channel.heads.push_back(
        {random_matrix(random, 4, width, bits), random_matrix(random, 4, width, 3)});
  return project(x, channel, Side::query, {0, rows}, kernels(), 1);
}

TEST_CASE("the filter's error bound holds, and what fits is exact") {
  repeat(60, [](Random& random) {
    constexpr std::array<unsigned, 8> sizes = {2, 4, 8, 16, 24, 40, 60, 100};
    const std::vector<std::size_t> widths = {1 + random.below(4), 1 + random.below(4)};
    const std::size_t rows = 1 + random.below(40);
    const Projections queries =
        random_side(random, rows, widths, sizes[random.below(sizes.size())]);
    const Projections keys = random_side(random, rows, widths, sizes[random.below(sizes.size())]);
    const auto query_squares = row_squares(queries, 1), key_squares = row_squares(keys, 2);
    const PackingLimits limits = packing_limits(query_squares, key_squares);
    CHECK(Integer(limits.query) * limits.key <= Integer(max_score) * max_score);
    const Packing q = pack(queries, query_squares, limits.query, 12, 4, 1, 1);
    const Packing k = pack(keys, key_squares, limits.key, 8, 4, 2, 2);
    const auto greatest = [](const Projections& side) {
      Integer result = 0;
      for (const ExactRows& head : side.heads) result = std::max(result, head.max_abs);
      return result;
    };
    const Integer a = greatest(queries), b = greatest(keys);
    const bool fits =
        a < 32768 && b < 32768 && Integer(std::max(widths[0], widths[1])) * a * b <= max_score;
    for (const PackedBlock& one : q.blocks)
      for (const PackedBlock& other : k.blocks) {
        if (fits) CHECK((one.exponent == 0 && one.exact && other.exact));
        const std::int64_t error = filter_error(q, one, other);
        if (one.exact && other.exact) CHECK(error == 0);
        for (std::size_t i = 0; i < one.end - one.begin; ++i)
          for (std::size_t j = 0; j < other.end - other.begin; ++j) {
            std::int64_t best = std::numeric_limits<std::int64_t>::min();
            for (std::size_t h = 0; h < 2; ++h) {
              std::int64_t score = 0, left = 0, right = 0;
              for (std::size_t c = 0; c < q.head_pairs[h] * 2; ++c) {
                const std::int64_t x = packed(q, one, i, h, c, 1), y = packed(k, other, j, h, c, 2);
                if (c >= widths[h]) CHECK((x == 0 && y == 0));
                score += x * y;
                left += x * x;
                right += y * y;
              }
              CHECK((left <= limits.query && right <= limits.key));
              best = std::max(best, score);
            }
            const Integer unit = power_of_two(one.exponent + other.exponent);
            const Integer exact = exact_score<Integer>(queries, q.order[one.begin + i], keys,
                                                       k.order[other.begin + j]);
            CHECK(abs(Integer(exact - unit * best)) <= unit * error);
            CHECK(exact * exact <= one.squares * other.squares);
          }
      }
  });
}

TEST_CASE("packing orders rows by falling norm, ties by number") {
  Projections side{{0, 5}, {}};
  side.heads.push_back({1, std::vector<std::int32_t>{1, -3, 3, 0, 100000}, 100000});
  const auto squares = row_squares(side, 1);
  const Packing packing = pack(side, squares, max_score, 2, 2, 1, 1);
  CHECK(packing.order == std::vector<std::size_t>{4, 1, 2, 0, 3});
  CHECK(packing.blocks.size() == 3);
  CHECK(packing.blocks[0].exponent == 2);   // 100000 = 4·25000
  CHECK(packing.blocks[0].exact == false);  // -3
  CHECK(packing.blocks[1].exponent == 0);
  CHECK(packing.blocks[2].padded == 2);
  CHECK(packing.blocks[2].sum_abs == 0);
  CHECK_THROWS_AS(pack(side, {}, max_score, 2, 2, 1, 1), ShapeError);
  CHECK_THROWS_AS(pack(side, squares, 0, 2, 2, 1, 1), ShapeError);
  CHECK_THROWS_AS(pack(side, squares, max_score, 3, 2, 1, 1), ShapeError);
}

TEST_CASE("packing never gives -2^15, and a block of multiples of a power of two is exact") {
  Projections side{{0, 2}, {}};
  side.heads.push_back({2, std::vector<std::int32_t>{-32768, 2, 32768, 4}, 32768});
  const Packing packing = pack(side, row_squares(side, 1), max_score, 2, 2, 1, 1);
  CHECK(packing.blocks[0].exponent == 1);
  CHECK(packing.blocks[0].exact);
  CHECK(packing.entries[0] == 16384);
}

}  // namespace
}  // namespace qkcert
