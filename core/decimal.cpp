#include <algorithm>
#include <limits>
#include <qkcert/core/decimal.hpp>
#include <qkcert/core/errors.hpp>

namespace qkcert {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

/// Whether `text` matches `0` or `-?[1-9][0-9]*`.
bool canonical(std::string_view text) {
  if (text == "0") return true;
  if (text.starts_with('-')) text.remove_prefix(1);
  return all_digits(text) && text[0] != '0';
}

}  // namespace

std::optional<Integer> parse_integer(std::string_view text) {
  if (const auto small = parse_int64(text)) return Integer(*small);
  if (!canonical(text)) return std::nullopt;
  Integer value;  // base 10 is stated and the grammar is checked: nothing is left to guess
  mpz_set_str(value.backend().data(), std::string(text).c_str(), 10);
  return value;
}

std::optional<std::int64_t> parse_int64(std::string_view text) {
  const bool negative = text.starts_with('-');
  const std::string_view digits = text.substr(negative ? 1 : 0);
  if (digits.empty() || digits.size() > 19) return std::nullopt;  // 10^19 < 2^64: no wrap below
  if (digits[0] == '0' && text.size() > 1) return std::nullopt;
  std::uint64_t magnitude = 0;
  for (const char c : digits) {
    if (!is_digit(c)) return std::nullopt;
    magnitude = 10 * magnitude + static_cast<std::uint64_t>(c - '0');
  }
  if (magnitude > std::numeric_limits<std::int64_t>::max()) return std::nullopt;
  const auto value = static_cast<std::int64_t>(magnitude);
  return negative ? -value : value;
}

std::optional<std::uint64_t> parse_uint64(std::string_view text) {
  if (text.size() > 20) return std::nullopt;  // 2^64 has 20 digits
  if (const auto small = parse_int64(text))
    return *small < 0 ? std::nullopt : std::optional(static_cast<std::uint64_t>(*small));
  const auto value = parse_integer(text);
  return value ? to_uint64(*value) : std::nullopt;
}

std::optional<Rational> parse_decimal(std::string_view text) {
  if (text.size() > 40) return std::nullopt;
  const auto point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  const std::string_view part = point == text.npos ? "0" : text.substr(point + 1);
  if (!all_digits(whole) || !all_digits(part)) return std::nullopt;
  Integer numerator = 0;
  for (const char c : std::string(whole) + std::string(part))
    numerator = 10 * numerator + (c - '0');
  return Rational(numerator, power(10, part.size()));
}

std::string to_decimal(const Integer& x) {
  std::string text(mpz_sizeinbase(x.backend().data(), 10) + 2, '\0');
  mpz_get_str(text.data(), 10, x.backend().data());
  text.resize(text.find('\0'));
  return text;
}

std::string to_decimal(const Rational& x, unsigned digits, Rounding rounding) {
  require(digits <= 100, "to_decimal: at most 100 digits");
  const Integer scale = power(10, digits);
  const Integer top = numerator(x) * scale;
  const Integer bottom = denominator(x);
  const Integer rounded = rounding == Rounding::down ? floor_quotient(top, bottom)
                                                     : Integer(-floor_quotient(-top, bottom));
  std::string text = to_decimal(Integer(abs(rounded)));
  if (text.size() <= digits) text.insert(0, digits + 1 - text.size(), '0');
  if (digits > 0) text.insert(text.size() - digits, ".");
  return rounded < 0 ? "-" + text : text;
}

}  // namespace qkcert
