#include <array>
#include <qkcert/core/errors.hpp>
#include <qkcert/verify/projection.hpp>

#include "plain_score.hpp"
#include "support.hpp"

namespace qkcert {
namespace {

using namespace test;

Integer entry(const ExactRows& rows, std::size_t row, std::size_t col) {
  return std::visit([&](const auto& all) { return Integer(all[row * rows.cols + col]); },
                    rows.entries);
}

TEST_CASE("projections are exact for entries of every size and in every arithmetic") {
  repeat(150, [](Random& random) {
    constexpr std::array<unsigned, 10> sizes = {3, 12, 29, 30, 31, 32, 59, 60, 63, 100};
    const unsigned x_bits = sizes[random.below(sizes.size())];
    const unsigned w_bits = sizes[random.below(sizes.size())];
    const std::size_t m = 1 + random.below(9), d_model = 1 + random.below(9);
    Matrix x = random_matrix(random, m, d_model, x_bits);
    x.set(0, 0, Integer(-(power_of_two(x_bits) - 1)));
    Channel channel = random_channel(random, d_model, 3, 12, w_bits);
    const VertexRange part{random.below(m), m};
    const Projections queries = project(x, channel, Side::query, part, kernels(), 1);
    const Projections keys = project(x, channel, Side::key, {0, m}, kernels("scalar"), 2);
    CAPTURE(x_bits, w_bits, m, d_model);
    for (std::size_t u = part.begin; u < m; ++u)
      for (std::size_t v = 0; v < m; ++v) {
        Integer best;
        for (std::size_t k = 0; k < channel.heads.size(); ++k) {
          const Integer score = plain_score(x, channel.heads[k], u, v);
          if (k == 0 || score > best) best = score;
        }
        REQUIRE(exact_score<Integer>(queries, u - part.begin, keys, v) == best);
        if (fits_int64(queries, keys))
          REQUIRE(exact_score<std::int64_t>(queries, u - part.begin, keys, v) == best);
        if (fits_int128(queries, keys))
          REQUIRE(to_integer(exact_score<Int128>(queries, u - part.begin, keys, v)) == best);
      }
    for (const Projections* side : {&queries, &keys})
      for (const ExactRows& rows : side->heads) {
        Integer greatest = 0;
        for (std::size_t u = 0; u < side->range.size(); ++u)
          for (std::size_t j = 0; j < rows.cols; ++j)
            greatest = std::max(greatest, Integer(abs(entry(rows, u, j))));
        CHECK(rows.max_abs == greatest);
        CHECK(rows.entries.index() == (bit_length(greatest) <= 31   ? 0U
                                       : bit_length(greatest) <= 63 ? 1U
                                                                    : 2U));
      }
  });
}

TEST_CASE("the vectors' bound on products is kept") {
  // With t terms of 2^a·2^b the sum passes 2^63 between neighbours.
  for (const unsigned a : {29U, 30U, 31U, 32U, 59U, 60U, 61U})
    for (const unsigned b : {1U, 2U, 3U, 30U, 31U, 32U, 33U})
      for (std::size_t terms = 1; terms <= 4; ++terms)
        for (const int sign : {1, -1}) {
          CAPTURE(a, b, terms, sign);
          Matrix x(1, terms), w(terms, 1);
          for (std::size_t i = 0; i < terms; ++i) {
            x.set(0, i, Integer(sign * (power_of_two(a) - 1)));
            w.set(i, 0, Integer(power_of_two(b) - 1));
          }
          const Projections q = project(x, Channel{{{w, w}}}, Side::query, {0, 1}, kernels(), 1);
          CHECK(entry(q.heads[0], 0, 0) ==
                sign * Integer(terms) * (power_of_two(a) - 1) * (power_of_two(b) - 1));
        }
}

TEST_CASE("64 and 128 bits are used only where they are enough") {
  for (const unsigned bits : {29U, 30U, 31U, 62U, 63U})
    for (const std::size_t width : {3, 4, 5}) {
      Matrix x(1, 1), w(1, width);
      x.set(0, 0, std::int64_t{1});
      for (std::size_t j = 0; j < width; ++j) w.set(0, j, Integer(power_of_two(bits) - 1));
      // A width beyond d_model is W_Q·W_Kᵀ, one number; as an identity it stays.
      const Projections wide = project(x, Channel{{{w, w}}}, Side::query, {0, 1}, kernels(), 1);
      CHECK(wide.heads[0].cols == 1);
      CHECK(fits_int128(wide, wide) == (bits < 31));
      Projections rows{{0, 1}, {}};
      rows.heads.push_back(
          {width, std::vector<std::int64_t>(width, to_int64(power_of_two(bits) - 1).value()),
           power_of_two(bits) - 1});
      CHECK(fits_int64(rows, rows) == (bit_length(Integer(width) * (power_of_two(bits) - 1) *
                                                  (power_of_two(bits) - 1)) <= 62));
      CHECK(fits_int128(rows, rows) == (bit_length(Integer(width) * (power_of_two(bits) - 1) *
                                                   (power_of_two(bits) - 1)) <= 126));
    }
}

TEST_CASE("project refuses vertices that are not there") {
  const Channel channel{{{identity(2), identity(2)}}};
  CHECK_THROWS_AS(project(identity(2), channel, Side::key, {0, 3}, kernels(), 1), ShapeError);
  CHECK_THROWS_AS(project(identity(2), channel, Side::key, {2, 1}, kernels(), 1), ShapeError);
}

}  // namespace
}  // namespace qkcert
