#include <array>
#include <filesystem>
#include <map>
#include <qkcert/io/toml.hpp>
#include <support.hpp>

using namespace qkcert;
using test::corpus;

namespace {

/// Reads everything that the corpus has.
void read_items(const Toml& file) {
  static constexpr std::array<std::string_view, 2> kinds = {"counting", "heads"};
  for (const Toml& item : file.at("item").tables()) {
    item.at("name").text();
    item.at("vertices").count(1, 1000);
    item.at("kind").one_of(kinds);
    item.at("ratio").ratio();
    if (const auto loops = item.find("loops")) loops->flag();
    item.at("least").integer();
    for (const Toml& size : item.at("sizes").list()) size.count();
    item.finish();
  }
  file.finish();
}

std::string failure(const std::string& bytes, const std::string& name) {
  try {
    read_items(parse_toml(bytes, name));
  } catch (const PlacedError& error) {
    CHECK(error.what() == name + ":" + std::to_string(error.place.line) + ":" +
                              std::to_string(error.place.column) + ": " + error.reason);
    return std::string(error.what()).substr(name.size() + 1);
  }
  return "";
}

Toml value(const std::string& spelling) {
  return parse_toml("x = " + spelling + "\n", "file").at("x");
}

}  // namespace

TEST_CASE("toml: every bad file of the corpus is refused at its fault", "[toml]") {
  const std::map<std::string, std::string> expected = {
      {"unknown-key",
       "6:1: expected one of the keys kind, least, loops, name, ratio, sizes, "
       "vertices, found 'loop' (nearest: 'loops')"},
      {"misspelt-optional-key",
       "6:1: expected one of the keys kind, least, loops, name, ratio, "
       "sizes, vertices, found 'lops' (nearest: 'loops')"},
      {"misspelt-needed-key",
       "3:1: expected the key 'vertices', found 'vertcies' (nearest: 'vertices')"},
      {"missing-key", "1:1: expected the key 'name', found no such key"},
      {"integer-as-string",
       "3:12: vertices: expected an integer from 1 to 1000, found the string '8'"},
      {"integer-as-decimal",
       "3:12: vertices: expected an integer from 1 to 1000, found the number 8.0"},
      {"negative-count", "3:12: vertices: expected an integer from 1 to 1000, found the number -8"},
      {"count-beyond-range",
       "3:12: vertices: expected an integer from 1 to 1000, found the number 1001"},
      {"string-as-integer", "2:8: name: expected a string, found the number 7"},
      {"flag-as-string", "6:9: loops: expected true or false, found the string 'true'"},
      {"unknown-word",
       "4:8: kind: expected one of counting, heads, found the string 'couting' "
       "(nearest: 'counting')"},
      {"word-as-list", "4:8: kind: expected one of counting, heads, found a list"},
      {"ratio-negative",
       "5:9: ratio: expected a number such as 3, 0.25 or \"1/3\", found the number -0.25"},
      {"ratio-with-exponent",
       "5:9: ratio: expected a number such as 3, 0.25 or \"1/3\", found the number 1e-2"},
      {"ratio-not-a-number",
       "5:9: ratio: expected a number such as 3, 0.25 or \"1/3\", found the number nan"},
      {"ratio-infinite",
       "5:9: ratio: expected a number such as 3, 0.25 or \"1/3\", found the number inf"},
      {"ratio-fraction-of-zero",
       "5:9: ratio: expected a number such as 3, 0.25 or \"1/3\", found the string '1/0'"},
      {"ratio-fraction-negative",
       "5:9: ratio: expected a number such as 3, 0.25 or \"1/3\", found the string '-1/2'"},
      {"integer-string-octal",
       "7:9: least: expected an integer, or a string of its digits, found the string '020'"},
      {"integer-string-empty",
       "7:9: least: expected an integer, or a string of its digits, found the string ''"},
      {"integer-as-date",
       "7:9: least: expected an integer, or a string of its digits, found the time 2026-01-01"},
      {"list-as-integer", "8:9: sizes: expected a list, found the number 1"},
      {"list-of-strings", "8:13: expected an integer of at least 0, found the string '2'"},
      {"item-as-table", "1:1: item: expected a list of tables, found a table"},
      {"item-as-value", "1:8: item: expected a list of tables, found the number 1"},
      {"duplicate-key", "6:8: not TOML: "},
      {"integer-beyond-64-bits", "7:29: not TOML: "},
      {"leading-zero", "3:14: not TOML: "},
      {"unclosed-string", "2:10: not TOML: "},
      {"unclosed-list", "8:15: not TOML: "},
      {"unclosed-header", "1:8: not TOML: "},
      {"no-value", "3:11: not TOML: "},
      {"two-values", "3:14: not TOML: "},
      {"not-utf8", "2:8: not TOML: "},
      {"nul-byte", "2:9: not TOML: "},
      {"carriage-returns", "1:10: not TOML: "},
      {"nested-1000-deep", "1:"},
  };
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(QKCERT_TEST_DATA "/toml/invalid")) {
    const std::string name = entry.path().stem().string();
    INFO(name);
    REQUIRE(expected.contains(name));
    const std::string& beginning = expected.at(name);
    const std::string message = failure(corpus("toml/invalid/" + name + ".toml"), name + ".toml");
    if (beginning.ends_with(": "))
      CHECK(message.substr(0, beginning.size()) == beginning);
    else if (name == "nested-1000-deep")
      CHECK(message.substr(0, 2) == beginning);
    else
      CHECK(message == beginning);
    ++files;
  }
  CHECK(files == expected.size());
}

TEST_CASE("toml: values are taken as they are spelled", "[toml]") {
  CHECK(value("\"a\\tb\"").text() == "a\tb");
  CHECK(value("9223372036854775807").count() == 9223372036854775807U);
  CHECK(value("0xff").count() == 255);
  CHECK(value("1_000").count(1000, 1000) == 1000);
  CHECK(value("\"123456789012345678901234567890\"").integer() ==
        parse_integer("123456789012345678901234567890"));
  CHECK(value("-5").integer() == -5);
  CHECK(value("0.1").ratio() == Rational(1, 10));  // no double is
  CHECK(value("0.12345678901234567890123").ratio() * power(10, 23) ==
        Rational(parse_integer("12345678901234567890123").value()));
  CHECK(value("1_0.2_5").ratio() == Rational(41, 4));
  CHECK(value("3").ratio() == 3);
  CHECK(value("\"2/6\"").ratio() == Rational(1, 3));
  CHECK(value("\"0.5\"").ratio() == Rational(1, 2));
  CHECK(value("false").flag() == false);
  CHECK(value("[1, [2], 'x']").list().size() == 3);
}

TEST_CASE("toml: decimals are found behind wide characters, BOM and CRLF", "[toml]") {
  const Toml file = parse_toml(
      "\xef\xbb\xbf\"\xc3\xa9\xe2\x82\xac\" = 0.5\r\ny = { \"\xc3\xa9\" = 0.75 }\r\n", "f");
  CHECK(file.at("\xc3\xa9\xe2\x82\xac").ratio() == Rational(1, 2));
  CHECK(file.at("y").at("\xc3\xa9").ratio() == Rational(3, 4));
}

TEST_CASE("toml: places of keys, values and headers", "[toml]") {
  const Toml file = parse_toml("a = 1\n[[t]]\n  b = [ 1, 2 ]\n[[t]]\nc = {d = true}\n", "file");
  CHECK(file.at("a").place() == Place{1, 5});
  CHECK(file.at("a").key() == "a");
  CHECK(file.source() == "file");
  const auto tables = file.at("t").tables();
  REQUIRE(tables.size() == 2);
  CHECK(tables[0].place() == Place{2, 1});
  CHECK(tables[1].place() == Place{4, 1});
  CHECK(tables[0].at("b").list()[1].place() == Place{3, 12});
  CHECK(tables[1].at("c").at("d").place() == Place{5, 10});
  CHECK_THROWS_WITH(tables[0].fail("x", "y"), "file:2:1: expected x, found y");
}

TEST_CASE("toml: finish() names the first key in the file that nobody asked for", "[toml]") {
  const Toml file = parse_toml("z = 1\nb = 2\na = 3\n", "file");
  CHECK_THROWS_WITH(file.finish(), Catch::StartsWith("file:1:1: "));
  file.find("z");
  file.find("q");  // known, though not there
  CHECK_THROWS_WITH(file.finish(), "file:2:1: expected one of the keys q, z, found 'b'");
  file.at("b");
  file.at("a");
  CHECK_NOTHROW(file.finish());
  CHECK_THROWS_AS(value("1").at("x"), PlacedError);
}

TEST_CASE("toml: the canonical spelling forgets places, order and comments", "[toml]") {
  const auto canonical = [](const std::string& text) { return parse_toml(text, "f").canonical(); };
  CHECK(canonical("b = \"x\\n\\\"\" # c\na = [1, 0.50, true]\n\n[t]\nd = 2026-01-01\n") ==
        R"({"a":[1,0.50,true],"b":"x\u000a\"","t":{"d":"2026-01-01"}})");
  CHECK(canonical("a = 1\nb = 2\n") == canonical("\n# x\nb   = 0x2\na = +1\n"));
  CHECK(canonical("a = 1") != canonical("a = \"1\""));
}
