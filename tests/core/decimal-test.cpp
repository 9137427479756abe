#include <limits>
#include <locale>
#include <qkcert/core/errors.hpp>

#include "support.hpp"

namespace qkcert::test {
namespace {

/// What no parser takes for an integer.
const std::vector<std::string> no_integers = {"",
                                              "-",
                                              "--1",
                                              "+1",
                                              "-0",
                                              "00",
                                              "01",
                                              "-01",
                                              "010",
                                              "0x10",
                                              "0b1",
                                              "1e3",
                                              "1.0",
                                              "1.",
                                              ".5",
                                              " 1",
                                              "1 ",
                                              "1\n",
                                              "\t1",
                                              "1,000",
                                              "1'0",
                                              "1_0",
                                              "1a",
                                              "a",
                                              "inf",
                                              "nan",
                                              "1/2",
                                              "- 1",
                                              "−1",
                                              "１",
                                              "\xd9\xa1",
                                              "1-",
                                              "1-2",
                                              std::string("1\0", 2),
                                              std::string("\0", 1),
                                              std::string("1\0"
                                                          "2",
                                                          3)};

/// The digits of x by division, without GMP's printer.
std::string digits_by_division(Integer x) {
  const bool negative = x < 0;
  if (negative) x = -x;
  std::string text;
  do {
    text.insert(text.begin(), static_cast<char>('0' + static_cast<int>(x % 10)));
    x /= 10;
  } while (x != 0);
  return negative ? "-" + text : text;
}

TEST_CASE("what is not a canonical decimal integer is nothing", "[decimal]") {
  for (const std::string& text : no_integers) {
    CAPTURE(text);
    CHECK_FALSE(parse_integer(text));
    CHECK_FALSE(parse_int64(text));
    CHECK_FALSE(parse_uint64(text));
  }
  CHECK_FALSE(parse_integer("0" + std::string(30, '1')));
  CHECK_FALSE(parse_integer("-0" + std::string(30, '1')));
  CHECK_FALSE(parse_integer("+" + std::string(30, '1')));
  CHECK_FALSE(parse_integer(std::string(30, '1') + "-"));
}

TEST_CASE("every byte but a digit is refused at every place", "[decimal]") {
  for (const std::string& digits : {std::string("17"), std::string(25, '9')})
    for (std::size_t at = 0; at <= digits.size(); ++at)
      for (int byte = 0; byte < 256; ++byte) {
        std::string text = digits;
        text.insert(at, 1, static_cast<char>(byte));
        const bool good =
            (byte >= '0' && byte <= '9' && (at > 0 || byte != '0')) || (at == 0 && byte == '-');
        if (parse_integer(text).has_value() != good) FAIL("byte " << byte << " at " << at);
      }
}

TEST_CASE("integers of any size are parsed and printed", "[decimal]") {
  CHECK(parse_integer("0") == Integer(0));
  CHECK(parse_integer("-1") == Integer(-1));
  CHECK(to_decimal(Integer(0)) == "0");
  CHECK(to_decimal(Integer(-10)) == "-10");
  CHECK(to_decimal(power(10, 30)) == "1" + std::string(30, '0'));
  CHECK(parse_integer("-1" + std::string(400, '0')) == -power(10, 400));
  repeat(500, [](Random& random) {
    const Integer x = random_integer(random, static_cast<unsigned>(random.below(300)));
    const std::string text = digits_by_division(x);
    CHECK(to_decimal(x) == text);
    CHECK(parse_integer(text) == x);
    CHECK(parse_int64(text) == to_int64(x));
    CHECK(parse_uint64(text) == to_uint64(x));
  });
}

TEST_CASE("numbers around every power of two and of ten are parsed alike", "[decimal]") {
  for (const int base : {2, 10})
    for (unsigned exponent = 0; exponent < 130; ++exponent)
      for (int offset = -2; offset <= 2; ++offset)
        for (const int sign : {1, -1}) {
          const Integer x = sign * (power(base, exponent) + offset);
          const std::string text = digits_by_division(x);
          CAPTURE(text);
          CHECK(to_decimal(x) == text);
          CHECK(parse_integer(text) == x);
          CHECK(parse_int64(text) == to_int64(x));
          CHECK(parse_uint64(text) == to_uint64(x));
        }
}

TEST_CASE("machine integers end exactly where they should", "[decimal]") {
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  CHECK(parse_int64("9223372036854775807") == largest);
  CHECK(parse_int64("-9223372036854775807") == -largest);
  CHECK_FALSE(parse_int64("9223372036854775808"));
  CHECK_FALSE(parse_int64("-9223372036854775808"));
  CHECK_FALSE(parse_int64("18446744073709551617"));  // 2^64 + 1
  CHECK_FALSE(parse_int64("9999999999999999999"));
  CHECK(parse_uint64("18446744073709551615") == ~std::uint64_t{0});
  CHECK(parse_uint64("9223372036854775808") == std::uint64_t{1} << 63);
  CHECK_FALSE(parse_uint64("18446744073709551616"));
  CHECK_FALSE(parse_uint64("18446744073709551617"));
  CHECK_FALSE(parse_uint64("99999999999999999999"));
  CHECK_FALSE(parse_uint64("100000000000000000000"));
  CHECK_FALSE(parse_uint64("-1"));
  CHECK(parse_uint64("0") == std::uint64_t{0});
}

TEST_CASE("decimals are exact rationals", "[decimal]") {
  CHECK(parse_decimal("0") == Rational(0));
  CHECK(parse_decimal("0.1") == Rational(1, 10));
  CHECK(parse_decimal("12.50") == Rational(25, 2));
  CHECK(parse_decimal("007.0") == Rational(7));
  CHECK(parse_decimal("0." + std::string(37, '0') + "1") == 1 / Rational(power(10, 38)));
  CHECK(parse_decimal(std::string(40, '9')) == Rational(power(10, 40) - 1));
  CHECK_FALSE(parse_decimal(std::string(41, '9')));
  CHECK_FALSE(parse_decimal("0." + std::string(39, '0')));
  for (const char* text : {"", ".", "1.", ".5", "-1", "-0.5", "+1", "1e3", "1,5", "1.2.3", " 1",
                           "1 ", "1. 5", "0x1", "inf", "nan", "1/2", "1.-5", "1..5"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_decimal(text));
  }
}

TEST_CASE("rationals are rounded in the direction that is asked for", "[decimal]") {
  const auto down = [](const Rational& x, unsigned digits) {
    return to_decimal(x, digits, Rounding::down);
  };
  const auto up = [](const Rational& x, unsigned digits) {
    return to_decimal(x, digits, Rounding::up);
  };
  CHECK((down(Rational(2, 3), 3) == "0.666" && up(Rational(2, 3), 3) == "0.667"));
  CHECK((down(Rational(-2, 3), 3) == "-0.667" && up(Rational(-2, 3), 3) == "-0.666"));
  CHECK((down(Rational(5, 2), 0) == "2" && up(Rational(5, 2), 0) == "3"));
  CHECK((down(Rational(5, 2), 1) == "2.5" && up(Rational(5, 2), 1) == "2.5"));
  CHECK((down(Rational(1, 1000), 2) == "0.00" && up(Rational(1, 1000), 2) == "0.01"));
  CHECK((down(Rational(-1, 1000), 2) == "-0.01" && up(Rational(-1, 1000), 2) == "0.00"));
  CHECK((down(Rational(999, 1000), 2) == "0.99" && up(Rational(999, 1000), 2) == "1.00"));
  CHECK((down(-12, 2) == "-12.00" && up(0, 1) == "0.0"));
  CHECK(down(Rational(1, 3), 100) == "0." + std::string(100, '3'));
  CHECK_THROWS_AS(down(1, 101), ShapeError);
}

TEST_CASE("a rounded rational is on its side and less than one unit away", "[decimal]") {
  repeat(500, [](Random& random) {
    const Integer top = random_integer(random, static_cast<unsigned>(random.below(80)));
    const Integer bottom = abs(random_integer(random, static_cast<unsigned>(random.below(60)))) + 1;
    const Rational x(top, bottom);
    const auto digits = static_cast<unsigned>(random.below(8));
    const Rational unit = 1 / Rational(power(10, digits));
    for (const Rounding rounding : {Rounding::down, Rounding::up}) {
      std::string text = to_decimal(x, digits, rounding);
      CAPTURE(text);
      CHECK(text.size() - (digits == 0 ? text.size() : text.find('.') + 1) == digits);
      const bool negative = text.starts_with('-');
      if (negative) text.erase(0, 1);
      const Rational size = parse_decimal(text).value();
      const Rational error = (negative ? Rational(-size) : size) - x;
      if (rounding == Rounding::down) CHECK((error <= 0 && error > -unit));
      if (rounding == Rounding::up) CHECK((error >= 0 && error < unit));
    }
  });
}

TEST_CASE("the locale does not matter to decimals", "[decimal]") {
  struct Grouping : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  const std::locale old = std::locale::global(std::locale(std::locale(), new Grouping));
  const std::string integer = to_decimal(power(10, 9));
  const std::string rational = to_decimal(Rational(12345, 10), 2, Rounding::down);
  const auto comma = parse_decimal("1,5");
  const auto point = parse_decimal("1.5");
  std::locale::global(old);
  CHECK(integer == "1000000000");
  CHECK(rational == "1234.50");
  CHECK_FALSE(comma);
  CHECK(point == Rational(3, 2));
}

}  // namespace
}  // namespace qkcert::test
