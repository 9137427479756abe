#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <limits>
#include <locale>
#include <map>
#include <qkcert/core/errors.hpp>
#include <qkcert/io/npy.hpp>
#include <set>

#include "support.hpp"

namespace qkcert::test {
namespace {

std::set<std::string> folder(const std::string& name) {
  std::set<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(QKCERT_TEST_DATA) + "/" + name))
    names.insert(entry.path().filename());
  return names;
}

/// The array's value at (row, col): the stored integer times 2^scale.
Rational value(const Embedding& embedding, std::size_t row, std::size_t col) {
  const Rational stored = embedding.rows.at(row, col);
  const auto shift = static_cast<std::size_t>(std::abs(embedding.scale));
  return embedding.scale < 0 ? stored / power_of_two(shift) : stored * power_of_two(shift);
}

using Values = std::vector<std::vector<Rational>>;

Values values(const Embedding& embedding) {
  Values all(embedding.vertices(), std::vector<Rational>(embedding.d_model()));
  for (std::size_t v = 0; v < embedding.vertices(); ++v)
    for (std::size_t j = 0; j < embedding.d_model(); ++j) all[v][j] = value(embedding, v, j);
  return all;
}

/// 2^exponent.
Rational two_to(int exponent) {
  const Rational positive = power_of_two(static_cast<std::size_t>(std::abs(exponent)));
  return exponent < 0 ? 1 / positive : positive;
}

/// Largest, its negative, least normal, largest subnormal, ± least subnormal, 1 + epsilon: of the
/// format with `p` bits of fraction and the exponents from 1-bias to bias.
Values float_extremes(int p, int bias) {
  const Rational largest = (2 - two_to(-p)) * two_to(bias);
  const Rational normal = two_to(1 - bias);
  const Rational least = two_to(1 - bias - p);
  return {{largest, -largest, normal, normal - least, least, -least, 1 + two_to(-p)}};
}

TEST_CASE("every valid .npy file has the values it should have", "[npy]") {
  const Values table = {{1, 0, 96}, {64, 32, 1}};
  const auto two = [](int bits) { return Integer(power_of_two(static_cast<std::size_t>(bits))); };
  std::map<std::string, Values> cases = {
      {"bool.npy", {{1, 0}, {0, 1}}},
      {"bool-fortran.npy", {{1, 1}, {0, 1}}},
      {"extremes-f2.npy", float_extremes(10, 15)},
      {"extremes-f4.npy", float_extremes(23, 127)},
      {"extremes-f8.npy", float_extremes(52, 1023)},
      {"minus-zero.npy", {{0, 0}, {0, 0}}},
      {"minus-zero-beside-number.npy", {{0, -3}}},
      {"even-integers.npy", {{-4, 8}, {12, 0}}},
      {"no-rows.npy", {}},
      {"no-columns.npy", {{}, {}, {}}},
  };
  for (const char* name : {"version-2", "version-3", "header-300-bytes", "header-70000-bytes",
                           "header-keys-reversed", "header-tight", "header-spacious"})
    cases[name + std::string(".npy")] = table;
  for (const std::string type : {"i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"})
    for (const std::string order : {"le", "be"})
      for (const std::string memory : {"c", "fortran"})
        if (type[1] != '1' || order == "le")
          cases["table-" + type + "-" + order + "-" + memory + ".npy"] = table;
  for (const int bits : {8, 16, 32, 64}) {
    const std::string bytes = std::to_string(bits / 8) + ".npy";
    cases["extremes-i" + bytes] = {{-two(bits - 1), -1, two(bits - 1) - 1}};
    cases["extremes-u" + bytes] = {{0, two(bits) - 1}};
  }
  for (const std::string& name : folder("npy/valid")) {
    INFO(name);
    REQUIRE(cases.contains(name));
    CHECK(values(parse_npy(corpus("npy/valid/" + name), name)) == cases.at(name));
  }
  CHECK(folder("npy/valid").size() == cases.size());
}

TEST_CASE("integers are divided by their common power of two", "[npy]") {
  const Embedding embedding = parse_npy(corpus("npy/valid/even-integers.npy"), "x");
  CHECK(embedding.scale == 2);
  CHECK(embedding.rows.at(0, 0) == -1);
  CHECK(embedding.rows.at(1, 0) == 3);
}

TEST_CASE("arrays without entries keep their shape", "[npy]") {
  const Embedding no_rows = parse_npy(corpus("npy/valid/no-rows.npy"), "x");
  CHECK((no_rows.vertices() == 0 && no_rows.d_model() == 3 && no_rows.scale == 0));
  const Embedding no_columns = parse_npy(corpus("npy/valid/no-columns.npy"), "x");
  CHECK((no_columns.vertices() == 3 && no_columns.d_model() == 0));
}

TEST_CASE("every invalid .npy file is refused with its byte", "[npy]") {
  const std::string dtype =
      "byte 20: expected a dtype '<…' or '>…' of b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8, found ";
  const std::map<std::string, std::string> cases = {
      {"bool-2", "byte 74: expected a bool, 0 or 1, found 2 at row 1, column 1"},
      {"data-behind-no-rows", "byte 70: expected 0 bytes of data, found 12"},
      {"data-missing", "byte 70: expected 12 bytes of data, found 0"},
      {"data-one-byte-more", "byte 70: expected 12 bytes of data, found 13"},
      {"data-truncated", "byte 70: expected 12 bytes of data, found 11"},
      {"dtype-bool-two-bytes", dtype + "'<b2'"},
      {"dtype-bytes", dtype + "'|S2'"},
      {"dtype-complex", dtype + "'<c8'"},
      {"dtype-datetime", dtype + "'<M8[ns]'"},
      {"dtype-empty", dtype + "''"},
      {"dtype-int-three-bytes", dtype + "'<i3'"},
      {"dtype-longdouble", dtype + "'<f16'"},
      {"dtype-native-order", dtype + "'=i2'"},
      {"dtype-no-order", dtype + "'i2'"},
      {"dtype-object", dtype + "'|O'"},
      {"dtype-order-not-applicable", dtype + "'|i2'"},
      {"dtype-string", dtype + "'<U1'"},
      {"dtype-structured", dtype + "'[('x', '<i2'), ('y', '<f4')], 'fortran_o…'"},
      {"dtype-subarray", dtype + "'('<i2', (2,)), 'fortran_order': False, '…'"},
      {"dtype-unclosed", dtype + "'<i2, '"},
      {"dtype-unclosed-at-end", "byte 65: expected ''', found the end"},
      {"dtype-void", dtype + "'|V2'"},
      {"eleven-bytes-version-2", "byte 8: expected 4 bytes of header length, found 3 bytes"},
      {"empty", "byte 0: expected '\\x93NUMPY', found the end"},
      {"fortran-order-0", "byte 44: expected True or False, found '0, 'shape': (2, 3), }'"},
      {"header-call", "byte 10: expected '{', found 'dict(descr='<i2', fortran_order=False, s…'"},
      {"header-colon-missing",
       "byte 19: expected ':', found ''<i2', 'fortran_order': False, 'shape': …'"},
      {"header-comma-missing",
       "byte 26: expected ',', found ''fortran_order': False, 'shape': (2, 3),…'"},
      {"header-comma-twice",
       "byte 67: expected the key 'descr', 'fortran_order' or 'shape', found ', }'"},
      {"header-double-quotes",
       "byte 11: expected the key 'descr', 'fortran_order' or 'shape', found '\"descr\": \"<i2\", "
       "\"fortran_order\": False, …'"},
      {"header-empty", "byte 10: expected '{', found the end"},
      {"header-length-0xfffffff0", "byte 12: expected 4294967280 bytes of header, found 71 bytes"},
      {"header-length-65535", "byte 10: expected 65535 bytes of header, found 71 bytes"},
      {"header-length-cuts-dictionary",
       "byte 68: expected the key 'descr', 'fortran_order' or 'shape', found the end"},
      {"header-length-takes-data",
       "byte 69: expected nothing but padding behind the dictionary, found '\\x01\\x00'"},
      {"header-not-a-dictionary", "byte 10: expected '{', found '['<i2', False, (2, 3)]'"},
      {"header-nul-padding",
       "byte 69: expected nothing but padding behind the dictionary, found '\\x00\\x00\\x00'"},
      {"header-second-line",
       "byte 70: expected nothing but padding behind the dictionary, found '{'descr': '<i2', "
       "'fortran_order': False,…'"},
      {"header-text-behind",
       "byte 70: expected nothing but padding behind the dictionary, found '# C order'"},
      {"inf-f2", "byte 78: expected a finite number, found inf at row 1, column 1"},
      {"inf-f8", "byte 78: expected a finite number, found inf at row 0, column 1"},
      {"key-missing-descr", "byte 10: expected the key 'descr', found none"},
      {"key-missing-fortran-order", "byte 10: expected the key 'fortran_order', found none"},
      {"key-missing-shape", "byte 10: expected the key 'shape', found none"},
      {"key-twice", "byte 68: expected every key once, found 'shape' again"},
      {"key-unknown",
       "byte 68: expected the key 'descr', 'fortran_order' or 'shape', found ''order': 'C', }'"},
      {"magic-of-a-zip",
       "byte 0: expected '\\x93NUMPY', found 'PK\\x03\\x04\\x93NUMPY\\x01\\x00;\\x00{'descr': "
       "'<i2', 'fortran_…'"},
      {"magic-only", "byte 6: expected format version 1.0, 2.0 or 3.0, found the end"},
      {"magic-wrong",
       "byte 0: expected '\\x93NUMPY', found '\\x92NUMPY\\x01\\x00;\\x00{'descr': '<i2', "
       "'fortran_orde…'"},
      {"minus-inf-f4-big-endian",
       "byte 78: expected a finite number, found -inf at row 0, column 2"},
      {"nan-f2-big-endian", "byte 76: expected a finite number, found nan at row 1, column 0"},
      {"nan-f4-first", "byte 70: expected a finite number, found nan at row 0, column 0"},
      {"nan-f4-fortran", "byte 81: expected a finite number, found nan at row 1, column 1"},
      {"nan-f8", "byte 110: expected a finite number, found nan at row 1, column 2"},
      {"nan-signalling-f8", "byte 110: expected a finite number, found nan at row 1, column 2"},
      {"shape-1d", "byte 60: expected a shape of two dimensions, found 1"},
      {"shape-2-to-64-and-2",
       "byte 61: expected a size from 0 to 2^64 - 1, found '18446744073709551618'"},
      {"shape-2-to-64",
       "byte 61: expected a size from 0 to 2^64 - 1, found '18446744073709551616'"},
      {"shape-3d", "byte 60: expected a shape of two dimensions, found 3"},
      {"shape-comma-missing", "byte 63: expected ',', found '3), }'"},
      {"shape-digit-grouping-2d", "byte 61: expected a size from 0 to 2^64 - 1, found '2'621'"},
      {"shape-digit-grouping", "byte 60: expected a shape of two dimensions, found 3"},
      {"shape-float", "byte 61: expected a size from 0 to 2^64 - 1, found '2.0'"},
      {"shape-hexadecimal", "byte 61: expected a size from 0 to 2^64 - 1, found '0x2'"},
      {"shape-leading-zero", "byte 61: expected a size from 0 to 2^64 - 1, found '02'"},
      {"shape-list", "byte 60: expected '(', found '[2, 3], }'"},
      {"shape-minus-one", "byte 64: expected a size from 0 to 2^64 - 1, found '-1'"},
      {"shape-negative", "byte 61: expected a size from 0 to 2^64 - 1, found '-2'"},
      {"shape-none", "byte 61: expected a size from 0 to 2^64 - 1, found 'None'"},
      {"shape-number", "byte 60: expected '(', found '6, }'"},
      {"shape-plus", "byte 61: expected a size from 0 to 2^64 - 1, found '+2'"},
      {"shape-product-2-to-64-and-12",
       "byte 88: expected 18446744073709551628 bytes of data, found 12"},
      {"shape-product-2-to-64", "byte 88: expected 18446744073709551616 bytes of data, found 0"},
      {"shape-product-wraps-negative",
       "byte 88: expected 18446744073709551616 bytes of data, found 0"},
      {"shape-python-2-long", "byte 61: expected a size from 0 to 2^64 - 1, found '2L'"},
      {"shape-scalar", "byte 60: expected a shape of two dimensions, found 0"},
      {"shape-too-large", "byte 70: expected 16 bytes of data, found 12"},
      {"shape-too-small", "byte 70: expected 8 bytes of data, found 12"},
      {"shape-unclosed", "byte 67: expected a size from 0 to 2^64 - 1, found '}\\x0a'"},
      {"shape-underscore", "byte 61: expected a size from 0 to 2^64 - 1, found '0_2'"},
      {"ten-bytes", "byte 10: expected 118 bytes of header, found 0 bytes"},
      {"version-0",
       "byte 6: expected format version 1.0, 2.0 or 3.0, found "
       "'\\x00\\x00\\x00\\x00\\x00\\x00{'descr': '<i2', 'fortran_order': …'"},
      {"version-1-1",
       "byte 6: expected format version 1.0, 2.0 or 3.0, found "
       "'\\x01\\x01;\\x00\\x00\\x00{'descr': '<i2', 'fortran_order': …'"},
      {"version-4",
       "byte 6: expected format version 1.0, 2.0 or 3.0, found "
       "'\\x04\\x00;\\x00\\x00\\x00{'descr': '<i2', 'fortran_order': …'"},
  };
  for (const std::string& file : folder("npy/invalid")) {
    const std::string name = file.substr(0, file.size() - 4);
    INFO(name);
    REQUIRE(cases.contains(name));
    const std::string bytes = corpus("npy/invalid/" + file);
    CHECK_THROWS_AS(parse_npy(bytes, name), FormatError);
    CHECK_THROWS_WITH(parse_npy(bytes, name), name + ": " + cases.at(name));
  }
  CHECK(folder("npy/invalid").size() == cases.size());
}

/// A version 1.0 file.
std::string file(const std::string& descr, bool fortran_order, std::size_t rows, std::size_t cols,
                 const std::string& data) {
  const std::string header =
      "{'descr': '" + descr + "', 'fortran_order': " + (fortran_order ? "True" : "False") +
      ", 'shape': (" + std::to_string(rows) + ", " + std::to_string(cols) + "), }\n";
  return std::string("\x93NUMPY\1\0", 8) + static_cast<char>(header.size()) + '\0' + header + data;
}

std::string bytes_of(std::uint64_t bits, std::size_t size, bool big_endian) {
  std::string bytes;
  for (std::size_t k = 0; k < size; ++k) bytes += static_cast<char>(bits >> (8 * k));
  if (big_endian) std::reverse(bytes.begin(), bytes.end());
  return bytes;
}

/// The exact value of a finite double, by the library.
Rational exact(double x) {
  int exponent;
  const double fraction = std::frexp(x, &exponent);
  return Rational(Integer(static_cast<std::int64_t>(std::ldexp(fraction, 53)))) *
         two_to(exponent - 53);
}

/// A half by its definition in float arithmetic, which is exact here.
double half(unsigned bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const double fraction = bits & 1023;
  const double size =
      exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  return bits >> 15 ? -size : size;
}

TEST_CASE("every half is read exactly", "[npy]") {
  std::string data;
  for (unsigned bits = 0; bits < 0x10000; ++bits)
    if ((bits >> 10 & 31) != 31) data += bytes_of(bits, 2, false);
  const Embedding embedding = parse_npy(file("<f2", false, data.size() / 2, 1, data), "x");
  REQUIRE(embedding.vertices() == 2 * 31 * 1024);
  CHECK(embedding.scale == -24);
  std::size_t wrong = 0;
  for (std::size_t v = 0; v < embedding.vertices(); ++v) {
    const auto bits = static_cast<unsigned>(v < 31 * 1024 ? v : v + 1024);
    if (value(embedding, v, 0) != exact(half(bits))) ++wrong;
  }
  CHECK(wrong == 0);
}

TEST_CASE("floats of any bits are what the machine takes them for", "[npy]") {
  repeat(100, [](Random& random) {
    const std::size_t rows = 1 + random.below(5), cols = 1 + random.below(5);
    const bool fortran = random.below(2) == 0, big = random.below(2) == 0;
    const bool wide = random.below(2) == 0;
    std::vector<double> numbers;
    std::vector<std::string> items;
    while (numbers.size() < rows * cols) {
      const std::uint64_t bits = wide ? random.below(~std::uint64_t{0}) : random.below(1ULL << 32);
      const double number = wide ? std::bit_cast<double>(bits)
                                 : double{std::bit_cast<float>(static_cast<std::uint32_t>(bits))};
      if (!std::isfinite(number)) continue;
      numbers.push_back(number);
      items.push_back(bytes_of(bits, wide ? 8 : 4, big));
    }
    std::string data;
    for (const std::string& item : items) data += item;
    const std::string descr = std::string(big ? ">" : "<") + (wide ? "f8" : "f4");
    const Embedding embedding = parse_npy(file(descr, fortran, rows, cols, data), "x");
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < cols; ++j)
        CHECK(value(embedding, i, j) == exact(numbers[fortran ? j * rows + i : i * cols + j]));
  });
}

TEST_CASE("integers of any bits are what the machine takes them for", "[npy]") {
  repeat(100, [](Random& random) {
    const std::size_t size = std::size_t{1} << random.below(4);
    const bool with_sign = random.below(2) == 0, big = random.below(2) == 0;
    std::string data;
    std::vector<Integer> numbers;
    for (int i = 0; i < 6; ++i) {
      const std::uint64_t bits = random.below(~std::uint64_t{0}) >> (64 - 8 * size);
      data += bytes_of(bits, size, big);
      Integer number = bits;
      if (with_sign && bits >> (8 * size - 1) != 0) number -= power_of_two(8 * size);
      numbers.push_back(number);
    }
    const std::string descr =
        std::string(big ? ">" : "<") + (with_sign ? "i" : "u") + std::to_string(size);
    const Embedding embedding = parse_npy(file(descr, false, 3, 2, data), "x");
    for (std::size_t i = 0; i < 6; ++i)
      CHECK(value(embedding, i / 2, i % 2) == Rational(numbers[i]));
  });
}

TEST_CASE("the place of a NaN is its own in both orders and endians", "[npy]") {
  for (const bool fortran : {false, true})
    for (const bool big : {false, true})
      for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t col = 0; col < 2; ++col) {
          const std::size_t index = fortran ? col * 3 + row : row * 2 + col;
          std::string data;
          for (std::size_t i = 0; i < 6; ++i)
            data += bytes_of(i == index ? 0xffc00000 : 0x3f800000, 4, big);
          const std::string bytes = file(big ? ">f4" : "<f4", fortran, 3, 2, data);
          const std::size_t at = bytes.size() - 24 + 4 * index;
          CHECK_THROWS_WITH(parse_npy(bytes, "x"),
                            "x: byte " + std::to_string(at) +
                                ": expected a finite number, found nan at row " +
                                std::to_string(row) + ", column " + std::to_string(col));
        }
}

TEST_CASE("every prefix and every extension of a file is refused", "[npy]") {
  for (const char* name : {"version-2", "table-f4-be-fortran", "header-spacious"}) {
    const std::string bytes = corpus("npy/valid/" + std::string(name) + ".npy");
    CHECK_NOTHROW(parse_npy(bytes, "x"));
    for (std::size_t size = 0; size < bytes.size(); ++size)
      CHECK_THROWS_AS(parse_npy(bytes.substr(0, size), "x"), FormatError);
    CHECK_THROWS_AS(parse_npy(bytes + '\0', "x"), FormatError);
    CHECK_THROWS_AS(parse_npy(bytes + bytes, "x"), FormatError);
  }
}

TEST_CASE("damaged files give an error or an embedding of the right size", "[npy]") {
  std::vector<std::string> files;
  for (const std::string& name : folder("npy/valid"))
    if (name != "header-70000-bytes.npy") files.push_back(corpus("npy/valid/" + name));
  repeat(5000, [&](Random& random) {
    std::string bytes = files[random.below(files.size())];
    for (std::size_t i = 1 + random.below(3); i > 0; --i) {
      const std::size_t header = std::min<std::size_t>(bytes.size(), 80);
      bytes[random.below(random.below(4) == 0 ? bytes.size() : header)] =
          static_cast<char>(random.below(2) == 0 ? random.below(256) : '0' + random.below(10));
    }
    try {
      const Embedding embedding = parse_npy(bytes, "x");
      CHECK(embedding.vertices() * embedding.d_model() < bytes.size());
    } catch (const FormatError&) {
    }
  });
}

TEST_CASE("the locale does not matter to .npy files", "[npy]") {
  struct Grouping : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return ','; }
    std::string do_grouping() const override { return "\3"; }
  };
  const std::string bytes = file("<u1", false, 2621, 1, std::string(2621, '\3'));
  const std::locale old = std::locale::global(std::locale(std::locale(), new Grouping));
  const Embedding embedding = parse_npy(bytes, "x");
  std::string message;
  try {
    parse_npy(bytes.substr(0, bytes.size() - 1), "x");
  } catch (const FormatError& error) {
    message = error.what();
  }
  std::locale::global(old);
  CHECK(embedding.vertices() == 2621);
  CHECK(embedding.rows.at(2620, 0) == 3);
  CHECK(message == "x: byte 73: expected 2621 bytes of data, found 2620");
}

TEST_CASE("the shipped example is read", "[npy]") {
  const Embedding embedding =
      parse_npy(corpus("../../examples/antonyms/embedding.npy"), "embedding.npy");
  CHECK(embedding.vertices() == 512);
  CHECK(embedding.d_model() == 100);
}

}  // namespace
}  // namespace qkcert::test
