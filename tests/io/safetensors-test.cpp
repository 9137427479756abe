#include <bit>
#include <cmath>
#include <filesystem>
#include <map>
#include <qkcert/core/errors.hpp>
#include <qkcert/io/arrays.hpp>
#include <qkcert/io/safetensors.hpp>

#include "support.hpp"

namespace qkcert::test {
namespace {

std::vector<std::string> folder(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(QKCERT_TEST_DATA) + "/" + name))
    names.push_back(entry.path().stem());
  return names;
}

std::string valid(const std::string& name) {
  return corpus("safetensors/valid/" + name + ".safetensors");
}

void read_all(const std::string& bytes, const std::string& source) {
  NamedArrays arrays(bytes, source);
  for (const std::string& name : arrays.names()) {
    const Array array = arrays.array(name);
    for (std::size_t i = 0; i < array.size(); ++i) array(i);
  }
}

Rational value(const Dyadic& x) {
  const Integer two = power_of_two(static_cast<std::size_t>(std::abs(x.exponent)));
  const Rational size = x.exponent < 0 ? Rational(Integer(x.magnitude), two)
                                       : Rational(Integer(Integer(x.magnitude) * two));
  return x.negative ? Rational(-size) : size;
}

TEST_CASE("every dtype of a safetensors file is read exactly", "[safetensors]") {
  NamedArrays arrays(valid("every-dtype"), "f");
  const std::map<std::string, Rational> last = {{"f64", Rational(-3, 2)},
                                                {"f32", Rational(-3, 2)},
                                                {"f16", Rational(-3, 2)},
                                                {"bf16", Rational(-3, 2)},
                                                {"i8", -128},
                                                {"i16", -32768},
                                                {"i32", -power_of_two(31)},
                                                {"i64", -power_of_two(63)},
                                                {"u8", 255},
                                                {"u16", 65535},
                                                {"u32", power_of_two(32) - 1},
                                                {"u64", power_of_two(64) - 1},
                                                {"bool", 1}};
  CHECK(arrays.names().size() == last.size());
  for (const std::string& name : arrays.names()) {
    INFO(name);
    const Array array = arrays.array(name);
    CHECK(array.shape() == std::vector<std::size_t>{2, 3});
    CHECK(value(array(0)) == 1);
    CHECK(value(array(1)) == 0);
    CHECK(value(array(2)) == (name == "bool" ? 1 : 96));
    CHECK(value(array(5)) == last.at(name));
  }
}

TEST_CASE("other valid safetensors files", "[safetensors]") {
  NamedArrays padded(valid("padded-header"), "f");
  CHECK(value(padded.array("q")(1)) == 2);
  NamedArrays odd(valid("scalar-and-empty"), "f");
  CHECK(odd.array("s").shape().empty());
  CHECK(value(odd.array("s")(0)) == 7);
  CHECK(odd.array("e").size() == 0);
  CHECK(NamedArrays(valid("no-tensors"), "f").names().empty());
  NamedArrays beside(valid("unknown-dtype-beside"), "f");
  CHECK(value(beside.array("k")(0)) == 3);
  CHECK_THROWS_WITH(
      beside.array("q"),
      "f: tensor 'q': expected a dtype of BOOL I8 I16 I32 I64 U8 U16 U32 U64 F16 BF16 "
      "F32 F64, found 'F8_E4M3'");
  CHECK(folder("safetensors/valid").size() == 5);
}

TEST_CASE("every bfloat16 is the upper half of a float", "[safetensors]") {
  std::string data;
  for (unsigned bits = 0; bits < 0x10000; ++bits)
    if ((bits >> 7 & 255) != 255) {
      data += static_cast<char>(bits & 255);
      data += static_cast<char>(bits >> 8);
    }
  const std::string header = "{\"q\":{\"dtype\":\"BF16\",\"shape\":[" +
                             std::to_string(data.size() / 2) + "],\"data_offsets\":[0," +
                             std::to_string(data.size()) + "]}}";
  std::string length(8, '\0');
  length[0] = static_cast<char>(header.size());
  NamedArrays arrays(length + header + data, "f");
  const Array array = arrays.array("q");
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < array.size(); ++i) {
    const auto bits = static_cast<std::uint32_t>(i < 255 * 128 ? i : i + 128) << 16;
    int exponent;
    const auto fraction = static_cast<std::int64_t>(
        std::ldexp(std::frexp(std::bit_cast<float>(bits), &exponent), 24));
    const Dyadic expected{fraction < 0, static_cast<std::uint64_t>(std::abs(fraction)),
                          exponent - 24};
    if (value(array(i)) != value(expected)) ++wrong;
  }
  CHECK(wrong == 0);
}

TEST_CASE("every invalid safetensors file is refused for the fault it is named after",
          "[safetensors]") {
  const std::map<std::string, std::string> reasons = {
      {"begin-behind-end", "f: tensor 'q': expected data_offsets begin <= end, found 8 and 0"},
      {"bf16-infinity", "f: byte 78: expected a finite number, found inf at index (0, 0, 1)"},
      {"bool-2", "f: byte 70: expected a bool, 0 or 1, found 2 at index (0)"},
      {"bytes-of-no-tensor", "f: byte 77: expected the end, found bytes of no tensor"},
      {"dtype-missing",
       "f: tensor 'q': expected dtype, shape and data_offsets, found something else"},
      {"dtype-number", "f: tensor 'q': expected a dtype, found something else"},
      {"dtype-unknown",
       "f: tensor 'q': expected a dtype of BOOL I8 I16 I32 I64 U8 U16 U32 U64 F16 BF16 F32 F64, "
       "found 'F8_E4M3'"},
      {"empty", "f: byte 0: expected 8 bytes of header length, found 0 bytes"},
      {"end-behind-data", "f: tensor 'q': expected data_offsets up to 7, found 0 and 8"},
      {"header-array", "f: byte 8: expected a JSON object, found '[]'"},
      {"header-length-2-to-63",
       "f: byte 0: expected a header of at most 100000000 bytes, found 9223372036854775808"},
      {"header-length-near-2-to-64",
       "f: byte 0: expected a header of at most 100000000 bytes, found 18446744073709551608"},
      {"header-length-one-less", "f: byte 8: expected a header in JSON, found other bytes"},
      {"header-length-takes-data", "f: tensor 'q': expected data_offsets up to 4, found 0 and 8"},
      {"header-no-json", "f: byte 8: expected a header in JSON, found other bytes"},
      {"header-not-utf8", "f: byte 8: expected a header in JSON, found other bytes"},
      {"header-space-first", "f: byte 8: expected a JSON object, found ' {}'"},
      {"header-trailing-brace", "f: byte 8: expected a header in JSON, found other bytes"},
      {"inner-key-twice", "f: byte 8: expected every key once, found 'dtype' again"},
      {"key-twice", "f: byte 8: expected every key once, found 'q' again"},
      {"key-unknown",
       "f: tensor 'q': expected dtype, shape and data_offsets, found something else"},
      {"metadata-number",
       "f: tensor '__metadata__': expected an object of strings, found something else"},
      {"nan", "f: byte 73: expected a finite number, found nan at index (1)"},
      {"offset-above-2-to-64", "f: tensor 'q': expected two data_offsets, found something else"},
      {"offset-float", "f: tensor 'q': expected two data_offsets, found something else"},
      {"offset-negative", "f: tensor 'q': expected two data_offsets, found something else"},
      {"offsets-of-three", "f: tensor 'q': expected two data_offsets, found something else"},
      {"seven-bytes", "f: byte 0: expected 8 bytes of header length, found 7 bytes"},
      {"shape-negative",
       "f: tensor 'q': expected a shape of sizes from 0 to 2^64 - 1, found something else"},
      {"shape-no-list",
       "f: tensor 'q': expected a shape of sizes from 0 to 2^64 - 1, found something else"},
      {"shape-product-wraps", "f: tensor 'q': expected 36893488147419103232 bytes, found 8"},
      {"shape-too-large", "f: tensor 'q': expected 12 bytes, found 8"},
      {"shape-too-small", "f: tensor 'q': expected 4 bytes, found 8"},
      {"tensor-no-object",
       "f: tensor 'q': expected dtype, shape and data_offsets, found something else"},
      {"tensors-overlap", "f: byte 138: expected tensors apart from each other, found an overlap"},
      {"tensors-with-a-gap", "f: byte 133: expected a tensor, found bytes of none"},
  };
  for (const std::string& name : folder("safetensors/invalid")) {
    INFO(name);
    REQUIRE(reasons.contains(name));
    const std::string bytes = corpus("safetensors/invalid/" + name + ".safetensors");
    CHECK_THROWS_AS(read_all(bytes, "f"), FormatError);
    CHECK_THROWS_WITH(read_all(bytes, "f"), reasons.at(name));
  }
  CHECK(folder("safetensors/invalid").size() == reasons.size());
}

TEST_CASE("prefixes of a safetensors file are refused, damaged ones give an error or arrays",
          "[safetensors]") {
  const std::string bytes = valid("every-dtype");
  for (std::size_t size = 0; size < bytes.size(); ++size)
    CHECK_THROWS_AS(read_all(bytes.substr(0, size), "f"), FormatError);
  CHECK_THROWS_AS(read_all(bytes + '\0', "f"), FormatError);
  repeat(3000, [&](Random& random) {
    std::string damaged = bytes;
    for (std::size_t i = 1 + random.below(3); i > 0; --i)
      damaged[random.below(damaged.size())] =
          static_cast<char>(random.below(2) == 0 ? random.below(256) : '0' + random.below(10));
    try {
      read_all(damaged, "f");
    } catch (const FormatError&) {
    }
  });
}

}  // namespace
}  // namespace qkcert::test
