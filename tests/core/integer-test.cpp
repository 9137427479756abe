#include <array>
#include <limits>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/integer.hpp>

#include "support.hpp"

namespace qkcert {
namespace {

using namespace test;

/// base·base·…, one factor at a time.
Integer plain_power(const Integer& base, std::uint64_t exponent) {
  Integer result = 1;
  for (std::uint64_t i = 0; i < exponent; ++i) result *= base;
  return result;
}

Integer ten_to(unsigned exponent) { return plain_power(10, exponent); }

TEST_CASE("bit_length is the least b with |x| < 2^b") {
  CHECK(bit_length(0) == 0);
  CHECK(bit_length(1) == 1);
  Integer power = 1;
  for (std::size_t b = 1; b < 300; ++b) {
    power *= 2;  // 2^b
    for (const int sign : {1, -1}) {
      CHECK(bit_length(sign * (power - 1)) == b);
      CHECK(bit_length(sign * power) == b + 1);
      CHECK(bit_length(sign * (power + 1)) == b + 1);
    }
  }
}

TEST_CASE("to_int64 and to_uint64 give the value or nothing") {
  const Integer two63 = plain_power(2, 63);
  const Integer two64 = plain_power(2, 64);
  constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();
  CHECK(to_int64(two63 - 1) == greatest);
  CHECK(to_int64(-two63 + 1) == -greatest);
  CHECK(to_int64(0) == 0);
  CHECK(to_uint64(two63) == std::uint64_t{1} << 63);
  CHECK(to_uint64(two64 - 1) == std::numeric_limits<std::uint64_t>::max());
  CHECK(to_uint64(0) == 0U);
  for (const Integer& x : {two63, Integer(-two63), two64, Integer(two64 + 1), Integer(-two64 - 1),
                           Integer(two64 * two64)}) {
    CHECK_FALSE(to_int64(x));
    CHECK(to_uint64(x).has_value() == (x == two63));
  }
  CHECK_FALSE(to_uint64(-1));
  CHECK_FALSE(to_uint64(-two64));
}

TEST_CASE("power and power_of_two are exact or refuse") {
  for (const std::size_t exponent : {0, 1, 63, 64, 65, 200})
    CHECK(power_of_two(exponent) == plain_power(2, exponent));
  CHECK_THROWS_AS(power_of_two(max_bits), SizeError);
  CHECK_THROWS_AS(power_of_two(std::numeric_limits<std::size_t>::max()), SizeError);

  for (int base = -4; base <= 12; ++base)
    for (std::uint64_t exponent = 0; exponent < 12; ++exponent)
      CHECK(power(base, exponent) == plain_power(base, exponent));
  constexpr std::uint64_t huge = std::numeric_limits<std::uint64_t>::max();
  CHECK(power(0, huge) == 0);
  CHECK(power(1, huge) == 1);
  CHECK(power(ten_to(1000), 0) == 1);
  CHECK_THROWS_AS(power(2, huge), SizeError);
  CHECK_THROWS_AS(power(-1, huge), SizeError);
  CHECK_THROWS_AS(power(2, max_bits / 2 + 1), SizeError);
  CHECK_THROWS_AS(power(ten_to(30), std::uint64_t{1} << 62), SizeError);
}

TEST_CASE("binomial_sum adds binomials up, and stops at its limit") {
  for (int n = 0; n <= 12; ++n) {
    Integer sum = 0;
    for (int k = 0; k <= 14; ++k) {
      sum += binomial(n, k);
      CHECK(binomial_sum(n, k, power(2, 13)) == sum);
    }
  }
  CHECK(binomial_sum(120, 4, power(2, 30)) == 8502671);
  const Integer stopped = binomial_sum(ten_to(9), ten_to(9), ten_to(40));
  CHECK((stopped >= ten_to(40) && stopped < ten_to(50)));
  CHECK_THROWS_AS(binomial_sum(-1, 2, 5), ShapeError);
}

TEST_CASE("power_at_least agrees with the plain power") {
  for (int base = 2; base <= 40; ++base) {
    Integer value = 1;
    for (int exponent = 0; exponent < 40; ++exponent, value *= base)
      for (const int offset : {-2, -1, 0, 1, 2})
        CHECK(power_at_least(base, exponent, value + offset) == (offset <= 0));
  }
  repeat(300, [](Random& random) {
    const Integer base =
        2 + abs(random_integer(random, 1 + static_cast<unsigned>(random.below(80))));
    const std::uint64_t exponent = random.below(30);
    const Integer value = plain_power(base, exponent);
    const Integer target = random_integer(random, 1 + static_cast<unsigned>(random.below(2500)));
    CHECK(power_at_least(base, exponent, target) == (value >= target));
    CHECK(power_at_least(base, exponent, value));
    CHECK_FALSE(power_at_least(base, exponent, value + 1));
  });
}

TEST_CASE("power_at_least decides huge exponents at once") {
  CHECK(power_at_least(3, ten_to(30), ten_to(1000)));
  CHECK(power_at_least(ten_to(1000), ten_to(30), ten_to(1000)));
  CHECK_FALSE(power_at_least(2, 1000, power_of_two(1001)));
  CHECK(power_at_least(2, 0, 1));
  CHECK(power_at_least(2, 0, -5));
  CHECK_FALSE(power_at_least(ten_to(1000), 0, 2));
  CHECK_THROWS_AS(power_at_least(1, 5, 2), ShapeError);
  CHECK_THROWS_AS(power_at_least(3, -1, 2), ShapeError);
}

TEST_CASE("rising_product and binomial agree with their definitions") {
  for (int first = -3; first <= 5; ++first) {
    Integer product = 1;
    for (int count = 0; count <= 70; ++count) {
      CHECK(rising_product(first, static_cast<std::uint64_t>(count)) == product);
      product *= first + count;
    }
  }
  std::vector<Integer> row{1};  // Pascal's triangle
  for (int n = 0; n <= 80; ++n) {
    for (int k = 0; k <= n; ++k) CHECK(binomial(n, k) == row[static_cast<std::size_t>(k)]);
    CHECK(binomial(n, n + 1) == 0);
    CHECK(binomial(n, ten_to(30)) == 0);
    row.push_back(0);
    for (std::size_t k = row.size() - 1; k > 0; --k) row[k] += row[k - 1];
  }
  const Integer n = ten_to(30);
  CHECK(binomial(n, 0) == 1);
  CHECK(binomial(n, n) == 1);
  CHECK(binomial(n, 2) == n * (n - 1) / 2);
  CHECK(binomial(n, n - 2) == n * (n - 1) / 2);
  CHECK_THROWS_AS(binomial(n, n / 2), SizeError);
  CHECK_THROWS_AS(binomial(n, 1000000000), SizeError);
  CHECK_THROWS_AS(binomial(-1, 0), ShapeError);
  CHECK_THROWS_AS(binomial(3, -1), ShapeError);
  CHECK(rising_product(n, 0) == 1);
  CHECK_THROWS_AS(rising_product(1, std::numeric_limits<std::uint64_t>::max()), SizeError);
  CHECK_THROWS_AS(rising_product(n, 1000000000), SizeError);
}

TEST_CASE("floor_quotient rounds towards minus infinity") {
  for (int b = 1; b <= 7; ++b)
    for (int a = -30; a <= 30; ++a) {
      const Integer q = floor_quotient(a, b);
      CHECK((q * b <= a && a < (q + 1) * b));
    }
  CHECK_THROWS_AS(floor_quotient(1, 0), ShapeError);
  CHECK_THROWS_AS(floor_quotient(1, -2), ShapeError);
}

}  // namespace
}  // namespace qkcert
