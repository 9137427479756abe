#include <qkcert/core/errors.hpp>
#include <qkcert/verify/exponentials.hpp>

#include "support.hpp"

namespace qkcert {
namespace {

using namespace test;

/// e^x for rational x in [-40, 0], as a rational within 2^-bits: Taylor's series with an exact tail.
Rational exponential(const Rational& x, unsigned bits) {
  const Rational half = x / 64;  // |half| < 1
  Rational sum = 1, term = 1;
  for (unsigned n = 1; abs(term) * power_of_two(bits + 80) > 1; ++n) {
    term = term * half / n;
    sum += term;
  }
  for (int i = 0; i < 6; ++i) {
    sum *= sum;
    // Keep it short: rounded to bits + 80 bits, an error that six squarings multiply by 64.
    const Integer unit = power_of_two(bits + 80);
    sum = Rational(floor_quotient(numerator(sum) * unit, denominator(sum)), unit);
  }
  return sum;
}

TEST_CASE("the sign of a sum is that of rational arithmetic with a series") {
  int seen[3] = {0, 0, 0};
  repeat(300, [&](Random& random) {
    const Rational beta(1 + random.below(9), 1 + random.below(9));
    std::vector<ExponentialTerm> terms;
    Rational sum = 0;
    for (std::size_t i = 0; i < 1 + random.below(4); ++i) {
      const Integer exponent = -Integer(random.below(4));
      const Integer coefficient = random_integer(random, 4);
      terms.push_back({coefficient, exponent + 1000});
      sum += coefficient * exponential(beta * exponent, 100);
    }
    const Rational small(1, power_of_two(60));
    const int expected = abs(sum) < small ? 0 : sum.sign();
    CHECK(sign_of_sum(terms, beta) == expected);
    ++seen[expected + 1];
  });
  CHECK(seen[0] > 50);
  CHECK(seen[1] > 0);
  CHECK(seen[2] > 50);
}

TEST_CASE("equal exponents cancel exactly, whatever their size") {
  const Integer huge = power(10, 3000);
  CHECK(sign_of_sum({}, 1) == 0);
  CHECK(sign_of_sum({{0, 5}}, 1) == 0);
  CHECK(sign_of_sum({{2, huge}, {-1, huge}, {-1, huge}}, Rational(7, 3)) == 0);
  CHECK(sign_of_sum({{1, huge}, {-1, huge}, {-1, -huge}}, 1) == -1);
  CHECK(sign_of_sum({{-1, huge}, {huge, huge - 1}}, 1) == 1);
  CHECK(sign_of_sum({{-1, 2 * huge}, {huge, huge}}, 1) == -1);
  CHECK(sign_of_sum({{1, 1}, {-1, 0}}, Rational(Integer(1), huge)) == 1);
  CHECK_THROWS_AS(sign_of_sum({{1, 1}, {-1, 0}}, 0), ShapeError);
}

TEST_CASE("near ties at a distance of 2^-200 and less are decided, in both directions") {
  for (const unsigned bits : {100U, 200U, 1000U}) {
    const Integer unit = power_of_two(bits);
    // r·e^0 - 1·e^(-1·β) with β = 1 and r = e^-1 rounded down and up to a multiple of 2^-bits.
    const Rational e = exponential(-1, bits + 100);
    const Integer low = floor_quotient(numerator(e) * unit, denominator(e));
    CHECK(sign_of_sum({{low, 0}, {-unit, -1}}, 1) == -1);
    CHECK(sign_of_sum({{low + 1, 0}, {-unit, -1}}, 1) == 1);
  }
}

TEST_CASE("floor_log is the greatest exponent that stays at or below the ratio") {
  CHECK(floor_log(1, Rational(3, 7)) == 0);
  CHECK(floor_log(Rational(1, 2), 1) == -1);
  CHECK(floor_log(3, 1) == 1);
  repeat(200, [](Random& random) {
    const Rational ratio(1 + random.below(1000), 1 + random.below(1000));
    const Rational beta(1 + random.below(50), 1 + random.below(50));
    const Integer d = floor_log(ratio, beta);
    const Integer p = numerator(ratio), q = denominator(ratio);
    CHECK(sign_of_sum({{q, d}, {-p, 0}}, beta) <= 0);
    CHECK(sign_of_sum({{q, d + 1}, {-p, 0}}, beta) > 0);
  });
  CHECK_THROWS_AS(floor_log(0, 1), ShapeError);
  CHECK_THROWS_AS(floor_log(1, 0), ShapeError);
}

TEST_CASE("the table encloses every exponential, and closely") {
  repeat(200, [](Random& random) {
    const Rational beta(1 + random.below(2000), 1 + random.below(2000));
    const ExponentialTable table(beta);
    for (int i = 0; i < 10; ++i) {
      const std::uint64_t d = random.below(std::uint64_t{1} << random.below(64));
      ExponentialSum sum;
      table.add(d, sum);
      const Integer unit = power_of_two(40);
      CHECK(sign_of_sum({{Integer(sum.low), 0}, {-unit, -Integer(d)}}, beta) <= 0);
      CHECK(sign_of_sum({{Integer(sum.high), 0}, {-unit, -Integer(d)}}, beta) >= 0);
      CHECK(sum.high - sum.low <= sum.high / 25 + 2);
    }
  });
}

TEST_CASE("the table takes inverse temperatures of any size") {
  for (const Rational& beta : {Rational(power(10, 500)), Rational(Integer(1), power(10, 500))}) {
    const ExponentialTable table(beta);
    for (const std::uint64_t d : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}}) {
      ExponentialSum sum;
      table.add(d, sum);
      CHECK(sum.low <= power_of_two(40));
      CHECK(sum.high >= (beta > 1 && d > 0 ? 1 : power_of_two(40)));
    }
  }
}

}  // namespace
}  // namespace qkcert
