#include <qkcert/reports/utf8.hpp>
#include <support.hpp>

using namespace qkcert;

TEST_CASE("utf8: valid text stays, every other byte becomes U+FFFD", "[utf8]") {
  const std::string bad = "\xef\xbf\xbd";
  for (const std::string text :
       {"", "abc\n", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80",
        "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"})
    CHECK(valid_utf8(text) == text);
  CHECK(valid_utf8("a\xff"
                   "b") == "a" + bad + "b");
  CHECK(valid_utf8("\xc1\x81") == bad + bad);            // overlong
  CHECK(valid_utf8("\xe0\x9f\xbf") == bad + bad + bad);  // overlong
  CHECK(valid_utf8("\xf0\x8f\xbf\xbf") == bad + bad + bad + bad);
  CHECK(valid_utf8("\xed\xa0\x80") == bad + bad + bad);  // a surrogate
  CHECK(valid_utf8("\xf4\x90\x80\x80") == bad + bad + bad + bad);
  CHECK(valid_utf8("\xf5\x80\x80\x80") == bad + bad + bad + bad);
  CHECK(valid_utf8("x\xe2\x82") == "x" + bad + bad);  // cut short
  CHECK(valid_utf8("\xe2\x82"
                   "a") == bad + bad + "a");
}
