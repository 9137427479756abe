#pragma once
/// Exact decisions about sums of exponentials, by intervals of growing precision.
///
/// With β rational, distinct integers a_i and rational c_i that are not all zero, Σ c_i·e^(β·a_i) is
/// not zero (Lindemann and Weierstrass); and ln r / β is irrational for rational r > 0, r ≠ 1, β ≠ 0.
/// So when equal exponents are added up first, every comparison below ends with a proof: there is no
/// tolerance. Intervals are MPFI's, each with a precision of its own; no default precision is used.

#include <array>
#include <cstdint>
#include <qkcert/core/integer.hpp>
#include <vector>

namespace qkcert {

/// No interval gets more bits than this.
inline constexpr std::size_t max_interval_bits = std::size_t{1} << 20;

/// coefficient·e^(β·exponent).
struct ExponentialTerm {
  Integer coefficient;
  Integer exponent;
};

/// The sign of Σ coefficient·e^(β·exponent): -1, 0 or 1.
///
/// Require  beta > 0.
/// Ensure   exact. 0 only when all coefficients vanish after equal exponents are added up.
/// Cost     exponents of any size: the largest is factored out, and with p bits of precision e^-x is
///          enclosed by [0, 2^-p] as soon as x >= p, without being computed.
/// Errors   SizeError when max_interval_bits do not decide.
int sign_of_sum(std::vector<ExponentialTerm> terms, const Rational& beta);

/// The greatest integer D with e^(β·D) <= ratio: floor(ln ratio / β).
/// Require: ratio > 0, beta > 0. Errors: SizeError when max_interval_bits do not decide.
Integer floor_log(const Rational& ratio, const Rational& beta);

/// low <= 2^40·Σ e^(-β·d_i) <= high.
struct ExponentialSum {
  std::uint64_t low = 0, high = 0;
};

/// A table that bounds e^(-β·d) in a few machine instructions, within four percent.
///
/// With t = 64·β·d/ln 2, e^(-β·d) = 2^(-t/64). rate_ = floor(2^48·64·β/ln 2), so for d <= 2^48
///   i = floor(d·rate_ / 2^48) <= t < (d·rate_ + d) / 2^48 < i + 2,
/// and 2^(-i/64) and 2^(-(i+2)/64) bound e^(-β·d). A larger d is bounded from above like 2^48 and
/// from below by 0; so is every d when β is so large that rate_ is capped at 2^62.
class ExponentialTable {
 public:
  /// No more terms than this are added to one sum: high stays below 2^22·(2^40 + 2) < 2^63.
  static constexpr std::size_t max_terms = std::size_t{1} << 22;

  /// Require: beta > 0.
  explicit ExponentialTable(const Rational& beta);

  /// Adds the term of the distance d.
  void add(std::uint64_t d, ExponentialSum& sum) const;

 private:
  std::array<std::uint64_t, 64> low_, high_;  ///< bounds of 2^40·2^(-f/64)
  std::uint64_t rate_;
  bool capped_;
};

}  // namespace qkcert
