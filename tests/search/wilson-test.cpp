#include <boost/multiprecision/mpfi.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/search/wilson.hpp>

#include "support.hpp"

namespace qkcert {

namespace {

using Float = boost::multiprecision::number<boost::multiprecision::mpfi_float_backend<60>,
                                            boost::multiprecision::et_off>;

Float to_float(const Integer& x) { return Float(to_decimal(x)); }

/// The closed form in intervals: (2k + z² ± z·√(z² + 4k(n-k)/n)) / (2(n + z²)).
Float closed_form(std::uint64_t successes, std::uint64_t trials, int sign) {
  const Float k(successes), n(trials);
  const Float z = to_float(numerator(wilson_z())) / to_float(denominator(wilson_z()));
  const Float root = z * sqrt(z * z + 4 * k * (n - k) / n);
  return (2 * k + z * z + sign * root) / (2 * (n + z * z));
}

/// The greatest multiple of 10^-digits up to x, times 10^digits; unless 60 digits cannot tell.
std::optional<Integer> floor_of(const Float& x, unsigned digits) {
  const Float scaled = x * pow(Float(10), digits);
  const Integer below(floor(lower(scaled)));
  return below == Integer(floor(upper(scaled))) ? std::optional(below) : std::nullopt;
}

}  // namespace

TEST_CASE("wilson_z is the 97.5 % quantile, rounded up") {
  // The quantile as in any table, 1.95996398454005423552….
  const Rational below(Integer("195996398454005423552"), power(Integer(10), 20));
  CHECK(wilson_z() > below);
  CHECK(wilson_z() - below < Rational(1, power(Integer(10), 15)));
}

TEST_CASE("wilson_interval: values of hand and of tables") {
  const auto text = [](std::uint64_t k, std::uint64_t n) {
    const auto [low, high] = wilson_interval(k, n, 4);
    return to_decimal(low, 4, Rounding::down) + " " + to_decimal(high, 4, Rounding::up);
  };
  // k = 0: [0, z²/(n+z²)] with z² = 3.84145882…; k = n: its mirror image.
  CHECK(text(0, 1) == "0.0000 0.7935");     // 3.84146/4.84146 = 0.79345…
  CHECK(text(1, 1) == "0.2065 1.0000");     // 1/4.84146 = 0.20654…
  CHECK(text(0, 20) == "0.0000 0.1612");    // 3.84146/23.84146 = 0.16112…
  CHECK(text(20, 20) == "0.8388 1.0000");   // 20/23.84146 = 0.83887…
  CHECK(text(1, 2) == "0.0945 0.9055");     // 1/2 ± z·√(z²+2)/(2(2+z²)) = 0.5 ± 0.40546…
  CHECK(text(10, 20) == "0.2992 0.7008");   // 0.5 ± 0.20071…
  CHECK(text(81, 263) == "0.2552 0.3663");  // Newcombe 1998: 0.2553, 0.3662, here outward
  CHECK(text(15, 148) == "0.0623 0.1605");  // the same: 0.0624, 0.1605
  CHECK(text(0, 0) == "0.0000 1.0000");
}

TEST_CASE("wilson_interval is the closed form, rounded outward") {
  for (std::uint64_t n : {1, 2, 3, 7, 20, 50, 101})
    for (std::uint64_t k = 0; k <= n; ++k)
      for (unsigned digits : {0U, 1U, 4U, 12U}) {
        INFO(k << " of " << n << ", " << digits << " digits");
        const Integer scale = power(Integer(10), digits);
        const auto [low, high] = wilson_interval(k, n, digits);
        const auto below =
            k == 0 ? std::optional(Integer(0)) : floor_of(closed_form(k, n, -1), digits);
        const auto above =
            k == n ? std::optional(Integer(-scale)) : floor_of(-closed_form(k, n, 1), digits);
        REQUIRE(below);
        REQUIRE(above);
        CHECK(low * scale == *below);
        CHECK(high * scale == -*above);
      }
}

TEST_CASE("wilson_interval: large counts, nested digits, the mirror image") {
  test::repeat(200, [](Random& random) {
    const std::uint64_t n = 1 + random.below(std::uint64_t{1} << (1 + random.below(40)));
    const std::uint64_t k = random.below(n + 1);
    INFO(k << " of " << n);
    const auto coarse = wilson_interval(k, n, 3), fine = wilson_interval(k, n, 9);
    CHECK(coarse.lower <= fine.lower);
    CHECK(fine.upper <= coarse.upper);
    CHECK(fine.lower - coarse.lower < Rational(1, 1000));
    CHECK(coarse.upper - fine.upper < Rational(1, 1000));
    CHECK(fine.lower <= Rational(k, n));
    CHECK(Rational(k, n) <= fine.upper);
    const auto mirror = wilson_interval(n - k, n, 9);
    CHECK(mirror.lower == 1 - fine.upper);
    CHECK(mirror.upper == 1 - fine.lower);
  });
}

TEST_CASE("wilson_interval refuses what makes no sense") {
  CHECK_THROWS_AS(wilson_interval(2, 1, 4), ShapeError);
  CHECK_THROWS_AS(wilson_interval(1, 0, 4), ShapeError);
  CHECK_THROWS_AS(wilson_interval(1, 1, 101), ShapeError);
}

}  // namespace qkcert
