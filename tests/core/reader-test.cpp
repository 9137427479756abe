#include <qkcert/core/errors.hpp>
#include <qkcert/core/reader.hpp>

#include "support.hpp"

namespace qkcert::test {
namespace {

constexpr auto by_line = Reader::Position::line;
constexpr auto by_byte = Reader::Position::byte;

TEST_CASE("quoted shows every byte in printable ASCII", "[reader]") {
  CHECK(quoted("") == "''");
  CHECK(quoted(" a~") == "' a~'");
  CHECK(quoted(std::string_view("\0\x1f\x7f\x80\xff\n", 6)) == "'\\x00\\x1f\\x7f\\x80\\xff\\x0a'");
  CHECK(quoted(std::string_view(std::string(40, 'x'))) == "'" + std::string(40, 'x') + "'");
  CHECK(quoted(std::string_view(std::string(41, 'x'))) == "'" + std::string(40, 'x') + "…'");
}

TEST_CASE("take gives bytes and never more than there are", "[reader]") {
  Reader in("abcdef", "s", by_byte);
  CHECK(in.take(0, "nothing").empty());
  CHECK(in.take(2, "letters") == "ab");
  CHECK((in.offset() == 2 && in.remaining() == 4 && in.consumed() == "ab" && !in.at_end()));
  for (const std::size_t count : {std::size_t{5}, std::size_t{1} << 63, ~std::size_t{0}})
    CHECK_THROWS_WITH(in.take(count, "letters"), "s: byte 2: expected " + std::to_string(count) +
                                                     " bytes of letters, found 4 bytes");
  CHECK(in.offset() == 2);
  CHECK(in.take(4, "letters") == "cdef");
  CHECK((in.at_end() && in.remaining() == 0));
  CHECK(in.take(0, "nothing").empty());
  CHECK_THROWS_AS(in.take(1, "letters"), FormatError);
}

TEST_CASE("word, until and line stop where they should", "[reader]") {
  Reader words("ab  c\n", "s", by_line);
  CHECK(words.word() == "ab");
  CHECK(words.accept(" "));
  CHECK(words.word() == "");
  CHECK(words.accept(" "));
  CHECK(words.word() == "c");
  CHECK(words.word() == "");
  CHECK(words.accept("\n"));
  CHECK(words.word() == "");
  CHECK(Reader("a\tb", "s", by_line).word() == "a\tb");

  Reader in("(12, 3)", "s", by_byte);
  CHECK(in.until(",)") == "(12");
  CHECK(in.until(",)") == "");
  CHECK(in.take(1, "comma") == ",");
  CHECK(in.until(",)") == " 3");
  CHECK(in.take(1, "parenthesis") == ")");
  CHECK(in.until(",)") == "");
  CHECK(Reader("abc", "s", by_byte).until("x") == "abc");

  Reader lines("a b\n\n\r\nlast", "s", by_line);
  CHECK(lines.line() == "a b");
  CHECK(lines.line() == "");
  CHECK(lines.line() == "\r");
  CHECK_FALSE(lines.at_end());
  CHECK(lines.line() == "last");
  CHECK(lines.at_end());
  CHECK(lines.line() == "");
  Reader closed("a\n", "s", by_line);
  CHECK(closed.line() == "a");
  CHECK(closed.at_end());
}

TEST_CASE("the lines of a text, put together again, are the text", "[reader]") {
  repeat(200, [](Random& random) {
    std::string text;
    for (std::size_t i = random.below(30); i > 0; --i) text += "ab \n"[random.below(4)];
    Reader in(text, "s", by_line);
    std::string joined;
    while (!in.at_end()) {
      joined += in.line();
      if (in.consumed().ends_with('\n')) joined += '\n';
      CHECK(in.consumed() == joined);
    }
    CHECK(joined == text);
  });
}

TEST_CASE("expect and accept consume the text or nothing", "[reader]") {
  Reader in("claim bound\n", "s", by_line);
  CHECK_FALSE(in.accept("claims"));
  CHECK_FALSE(in.accept("claim bound\n and more"));
  CHECK(in.offset() == 0);
  CHECK(in.accept(""));
  CHECK(in.accept("claim "));
  CHECK(in.offset() == 6);
  CHECK_THROWS_AS(in.expect("recovery"), FormatError);
  CHECK_THROWS_WITH(in.expect("recovery"), "s: line 1: expected 'recovery', found 'bound'");
  CHECK(in.offset() == 6);
  in.expect("bound");
  CHECK_THROWS_WITH(in.expect("x"), "s: line 1: expected 'x', found the end of the line");
  in.expect("\n");
  CHECK_THROWS_WITH(in.expect("x"), "s: line 2: expected 'x', found the end");
}

TEST_CASE("expect_room refuses what cannot follow, without multiplying", "[reader]") {
  Reader in("0123456789", "s", by_byte);
  in.take(1, "byte");
  CHECK_NOTHROW(in.expect_room(0, 1, "items"));
  CHECK_NOTHROW(in.expect_room(9, 1, "items"));
  CHECK_NOTHROW(in.expect_room(4, 2, "items"));
  CHECK_NOTHROW(in.expect_room(1, 9, "items"));
  CHECK_THROWS_WITH(in.expect_room(5, 2, "edges"),
                    "s: byte 1: expected 5 edges, found only 9 bytes");
  CHECK_THROWS_AS(in.expect_room(10, 1, "items"), FormatError);
  CHECK_THROWS_AS(in.expect_room(1, 10, "items"), FormatError);
  CHECK_THROWS_AS(in.expect_room(std::uint64_t{1} << 63, 2, "items"), FormatError);  // 2^64 = 0
  CHECK_THROWS_AS(in.expect_room(~std::uint64_t{0}, ~std::size_t{0}, "items"), FormatError);
  CHECK_THROWS_AS(in.expect_room(0, 0, "items"), ShapeError);
}

TEST_CASE("failures name source, place, expectation and finding", "[reader]") {
  const std::string_view text = "one\ntwo\n\nfour";
  const Reader lines(text, "a file", by_line);
  CHECK(lines.place(0) == "line 1");
  CHECK(lines.place(3) == "line 1");
  CHECK(lines.place(4) == "line 2");
  CHECK(lines.place(text.size()) == "line 4");
  CHECK(Reader(text, "s", by_byte).place(9) == "byte 9");
  CHECK_THROWS_WITH(lines.fail("zero"), "a file: line 1: expected zero, found 'one'");
  CHECK_THROWS_WITH(lines.fail_at(5, "x"), "a file: line 2: expected x, found 'wo'");
  CHECK_THROWS_WITH(lines.fail_at(8, "x"), "a file: line 3: expected x, found the end of the line");
  CHECK_THROWS_WITH(lines.fail_at(text.size(), "x"), "a file: line 4: expected x, found the end");
  CHECK_THROWS_WITH(lines.fail_at(4, "x", "y"), "a file: line 2: expected x, found y");
  CHECK_THROWS_AS(lines.fail("x"), FormatError);
  CHECK_THROWS_WITH(Reader("", "s", by_byte).fail("x"), "s: byte 0: expected x, found the end");
}

}  // namespace
}  // namespace qkcert::test
