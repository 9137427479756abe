#include <qkcert/bounds/least.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/search/wilson.hpp>

namespace qkcert {

Rational wilson_z() { return {Integer(1959963984540055), power(Integer(10), 15)}; }

namespace {

/// The lower end times `scale`, rounded down: the last a before those that are inside the interval
/// or above it. p = a/scale below k/n is inside iff (k - np)² < z²·n·p(1-p); the left side is not
/// below at p = 0 and, as both are quadratic and the ends lie on both sides of k/n, stays so up to
/// the lower end and no longer. The last a, scale itself, is never at or below the lower end.
Integer lower_end(const Integer& k, const Integer& n, const Integer& scale) {
  const Integer z_above = numerator(wilson_z()), z_below = denominator(wilson_z());
  const auto inside = [&](const Integer& a) {
    const Integer distance = (k * scale - n * a) * z_below;
    return distance < 0 || distance * distance < z_above * z_above * n * a * (scale - a);
  };
  return least(0, scale, inside) - 1;
}

}  // namespace

WilsonInterval wilson_interval(std::uint64_t successes, std::uint64_t trials, unsigned digits) {
  require(successes <= trials, "wilson_interval: more successes than trials");
  require(digits <= 100, "wilson_interval: at most 100 digits");
  if (trials == 0) return {0, 1};
  const Integer scale = power(Integer(10), digits);
  return {Rational(lower_end(successes, trials, scale), scale),
          Rational(scale - lower_end(trials - successes, trials, scale), scale)};
}

}  // namespace qkcert
