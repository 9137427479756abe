#pragma once
/// Exact numbers: GMP through Boost.Multiprecision, without expression templates (an `auto` of an
/// expression template dangles).
///
/// Policy  Never build an Integer from text with Boost's or GMP's constructors ("010" is 8 there):
///         core/decimal.hpp is the one parser. Never shift or raise to a power but through the
///         functions below, which bound the size of the result first.

#include <boost/multiprecision/gmp.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace qkcert {

using Integer =
    boost::multiprecision::number<boost::multiprecision::gmp_int, boost::multiprecision::et_off>;
using Rational = boost::multiprecision::number<boost::multiprecision::gmp_rational,
                                               boost::multiprecision::et_off>;

/// The functions below compute no number with more bits than this: 2^28 bits are 32 MiB and hold the
/// permutations of 12 million points, or a million choices of eight in a million.
inline constexpr std::size_t max_bits = std::size_t{1} << 28;

/// The number of bits of |x|: the least b with |x| < 2^b; 0 for 0. Cost O(1).
std::size_t bit_length(const Integer& x);

/// x as a machine integer, when |x| <= 2^63 - 1 (so that it can always be negated).
std::optional<std::int64_t> to_int64(const Integer& x);

/// x as a size, when 0 <= x < 2^64.
std::optional<std::uint64_t> to_uint64(const Integer& x);

/// 2^exponent. Errors: SizeError when exponent >= max_bits.
Integer power_of_two(std::size_t exponent);

/// base^exponent.
/// Errors: SizeError when exponent·bit_length(base) > max_bits and base is neither 0 nor 1; nothing
/// is computed then.
Integer power(const Integer& base, std::uint64_t exponent);

/// Whether base^exponent >= target, exactly.
///
/// Require  base >= 2, exponent >= 0 (of any size).
/// Cost     O(1) when the bit lengths decide; else O(log exponent) products of 128-bit enclosures
///          (core/magnitude.hpp), and longer ones only as near to the target as 128 bits cannot
///          tell, at worst one power of at most 2·bit_length(target) bits:
///          2^((b-1)·exponent) <= base^exponent < 2^(b·exponent) with b = bit_length(base), so when
///          neither side decides, (b-1)·exponent < bit_length(target).
/// Errors   ShapeError; SizeError when that power would exceed max_bits.
bool power_at_least(const Integer& base, const Integer& exponent, const Integer& target);

/// The product of first, first + 1, …, first + count - 1 by a product tree; 1 when count is 0.
/// Errors: SizeError when the product may exceed max_bits.
Integer rising_product(const Integer& first, std::uint64_t count);

/// The binomial coefficient C(n, k), n >= 0; 0 when k > n.
/// Errors: SizeError when min(k, n-k)·bit_length(n) > max_bits.
Integer binomial(const Integer& n, const Integer& k);

/// The sum of C(n, i) over 0 <= i <= k, n >= 0; any partial sum that is at least `limit` when it
/// gets that far.
/// Cost    one multiplication and division a term; at most min(k, n) terms.
/// Errors  SizeError beyond max_bits.
Integer binomial_sum(const Integer& n, const Integer& k, const Integer& limit);

/// ceil(x / 2^exponent) for x >= 0 and exponent >= 0 of any size: the least integer t such that
/// count >= t is the same as 2^exponent·count >= x, for integers `count`.
Integer over_power_of_two(const Integer& x, const Integer& exponent);

/// floor(a / b) for b > 0 (the quotient operator truncates towards zero).
Integer floor_quotient(const Integer& a, const Integer& b);

}  // namespace qkcert
