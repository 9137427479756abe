#include <algorithm>
#include <qkcert/core/magnitude.hpp>

namespace qkcert {

namespace {

/// floor(x / 2^shift) for x >= 0.
Integer down(const Integer& x, std::size_t shift) {
  Integer result;
  mpz_fdiv_q_2exp(result.backend().data(), x.backend().data(), shift);
  return result;
}

/// ceil(x / 2^shift) for x >= 0.
Integer up(const Integer& x, std::size_t shift) {
  Integer result;
  mpz_cdiv_q_2exp(result.backend().data(), x.backend().data(), shift);
  return result;
}

/// x·2^shift.
Integer left(const Integer& x, std::size_t shift) {
  if (shift >= max_bits) throw SizeError("a shifted number is too large");
  Integer result;
  mpz_mul_2exp(result.backend().data(), x.backend().data(), shift);
  return result;
}

std::int64_t sum(std::int64_t a, std::int64_t b) {
  std::int64_t result;
  if (__builtin_add_overflow(a, b, &result)) throw SizeError("an exponent is too large");
  return result;
}

/// The sign of x·2^a - y·2^b.
int compare(const Integer& x, std::int64_t a, const Integer& y, std::int64_t b) {
  if (x.is_zero() || y.is_zero()) return x.compare(y);
  const std::int64_t x_end = sum(a, static_cast<std::int64_t>(bit_length(x)));
  const std::int64_t y_end = sum(b, static_cast<std::int64_t>(bit_length(y)));
  if (x_end != y_end) return x_end < y_end ? -1 : 1;
  // Equal ends: the exponents differ by no more than the mantissas' lengths.
  if (a >= b) return left(x, static_cast<std::size_t>(a - b)).compare(y);
  return x.compare(left(y, static_cast<std::size_t>(b - a)));
}

}  // namespace

Magnitude::Magnitude(const Integer& x, std::size_t bits) : bits_(bits), low_(x), high_(x) {
  require(x >= 0, "Magnitude: a number that is not negative is required");
  round();
}

void Magnitude::round() {
  // Rounding up may carry into one bit more, 2^bits; the second pass then shifts exactly.
  while (bit_length(high_) > bits_) {
    const std::size_t shift = bit_length(high_) - bits_;
    low_ = down(low_, shift);
    high_ = up(high_, shift);
    exponent_ = sum(exponent_, static_cast<std::int64_t>(shift));
  }
}

Magnitude& Magnitude::operator+=(const Magnitude& other) {
  // Both at the larger exponent. It is positive only when that number has at least `bits` bits.
  const std::int64_t exponent = std::max(exponent_, other.exponent_);
  const auto shift = static_cast<std::size_t>(exponent - exponent_);
  const auto other_shift = static_cast<std::size_t>(exponent - other.exponent_);
  low_ = down(low_, shift) + down(other.low_, other_shift);
  high_ = up(high_, shift) + up(other.high_, other_shift);
  exponent_ = exponent;
  round();
  return *this;
}

Magnitude& Magnitude::operator*=(const Magnitude& other) {
  low_ *= other.low_;
  high_ *= other.high_;
  exponent_ = sum(exponent_, other.exponent_);
  round();
  return *this;
}

Magnitude power(const Magnitude& x, std::uint64_t exponent) {
  Magnitude result(1, x.bits_);
  for (int bit = 63; bit >= 0; --bit) {
    result *= result;
    if ((exponent >> bit & 1) != 0) result *= x;
  }
  return result;
}

Magnitude floor_quotient(const Magnitude& x, const Magnitude& y) {
  require(y.low_ > 0, "floor_quotient: a positive divisor is required");
  Magnitude result(0, x.bits_);
  const std::int64_t exponent = x.exponent_ - y.exponent_;
  if (exponent <= 0) {
    // floor is monotone, so the floors of both ends enclose the floor.
    const auto shift = static_cast<std::size_t>(-exponent);
    result.low_ = x.low_ / left(y.high_, shift);
    result.high_ = x.high_ / left(y.low_, shift);
  } else {
    // Enough of 2^exponent moves into the mantissas to leave `bits` bits of quotient; what stays
    // outside is a whole power of two, which floor leaves alone below, and ceil above.
    const std::size_t shift =
        std::min(static_cast<std::size_t>(exponent), x.bits_ + bit_length(y.high_));
    result.exponent_ = exponent - static_cast<std::int64_t>(shift);
    result.low_ = left(x.low_, shift) / y.high_;
    result.high_ = left(x.high_, shift) / y.low_;
    if (result.exponent_ > 0) ++result.high_;
  }
  result.round();
  return result;
}

std::optional<bool> at_least(const Magnitude& x, const Magnitude& y) {
  if (compare(x.low_, x.exponent_, y.high_, y.exponent_) >= 0) return true;
  if (compare(x.high_, x.exponent_, y.low_, y.exponent_) < 0) return false;
  return std::nullopt;
}

}  // namespace qkcert
