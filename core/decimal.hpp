#pragma once
/// The one parser and printer of decimal numbers. Strict, locale-free, any length.

#include <optional>
#include <qkcert/core/integer.hpp>
#include <string>
#include <string_view>

namespace qkcert {

/// The integer that `text` spells, or nothing unless all of it matches `0` or `-?[1-9][0-9]*`.
/// Cost: subquadratic in the digits.
std::optional<Integer> parse_integer(std::string_view text);

/// The same when |value| <= 2^63 - 1, without touching GMP; nothing for larger values.
std::optional<std::int64_t> parse_int64(std::string_view text);

/// A non-negative integer below 2^64 in the same grammar.
std::optional<std::uint64_t> parse_uint64(std::string_view text);

/// A non-negative decimal `digits[.digits]`, both runs non-empty, at most 40 characters, as an
/// exact rational.
std::optional<Rational> parse_decimal(std::string_view text);

/// The canonical spelling: what parse_integer reads back.
std::string to_decimal(const Integer& x);

enum class Rounding { down, up };

/// x with `digits` digits behind the point, rounded towards -inf or +inf: a lower bound is printed
/// with Rounding::down, an upper bound with Rounding::up, so that what is printed still holds.
/// Require: digits <= 100.
std::string to_decimal(const Rational& x, unsigned digits, Rounding rounding);

}  // namespace qkcert
