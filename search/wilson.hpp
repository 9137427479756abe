#pragma once
/// Wilson's score interval for a success rate, with digits that are provably outside.

#include <cstdint>
#include <qkcert/core/integer.hpp>

namespace qkcert {

/// A decimal enclosure: both ends are multiples of 10^-digits.
struct WilsonInterval {
  Rational lower, upper;
};

/// z, the 97.5 % quantile of the normal distribution, 1.95996398454005423…, rounded up to 15
/// digits: the interval is that of a confidence a little above 95 %, so it contains that of 95 %.
Rational wilson_z();

/// The rates p that `successes` of `trials` do not contradict:
///
///   {p : |k/n - p| <= z·√(p(1-p)/n)},  k successes, n trials,
///
/// which is (2k + z² ± z·√(z² + 4k(n-k)/n)) / (2(n + z²)).
///
/// Require  successes <= trials; digits <= 100. Without trials it is [0, 1].
/// Ensure   lower is the greatest multiple of 10^-digits that is not above the true lower end,
///          upper the least that is not below the true upper end. They are found by bisection on
///          the inequality above, squared, in integers: no root is taken.
/// Errors   ShapeError.
/// Source   E. B. Wilson, Probable inference, the law of succession, and statistical inference,
///          J. Amer. Statist. Assoc. 22 (1927).
WilsonInterval wilson_interval(std::uint64_t successes, std::uint64_t trials, unsigned digits);

}  // namespace qkcert
