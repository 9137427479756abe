#pragma once
/// Large integers enclosed from both sides, so that most comparisons need no whole power.

#include <cstdint>
#include <optional>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/integer.hpp>

namespace qkcert {

/// An integer x >= 0 known as low·2^exponent <= x <= high·2^exponent, with mantissas of at most
/// `bits` bits and exponent >= 0.
///
/// Every operation encloses the exact result: low is rounded down, high up, by less than one unit
/// 2^exponent. A result whose high mantissa fits is not rounded and keeps its exponent; so with as
/// many bits as the largest intermediate has, every enclosure is one point and decides everything.
///
/// Require  operands of the same `bits`.
/// Errors   SizeError when an exponent leaves 63 bits.
class Magnitude {
 public:
  Magnitude(const Integer& x, std::size_t bits);

  Magnitude& operator+=(const Magnitude& other);
  Magnitude& operator*=(const Magnitude& other);
  friend Magnitude operator*(Magnitude a, const Magnitude& b) { return a *= b; }

  /// x^exponent, by squaring.
  friend Magnitude power(const Magnitude& x, std::uint64_t exponent);

  /// floor(x / y). Errors: ShapeError unless y >= 1 is certain.
  friend Magnitude floor_quotient(const Magnitude& x, const Magnitude& y);

  /// Whether x >= y, when the enclosures decide it.
  friend std::optional<bool> at_least(const Magnitude& x, const Magnitude& y);

 private:
  void round();

  std::size_t bits_;
  Integer low_, high_;
  std::int64_t exponent_ = 0;
};

/// What `evaluate(bits)` answers at the first of bits = 128, 256, 512, … where it has an answer (an
/// std::optional). Errors: SizeError beyond max_bits.
template <class Evaluate>
auto decide_by_enclosures(Evaluate evaluate) {
  for (std::size_t bits = 128; bits <= max_bits; bits *= 2)
    if (const auto answer = evaluate(bits)) return *answer;
  throw SizeError("a comparison needs more bits than are ever computed");
}

}  // namespace qkcert
