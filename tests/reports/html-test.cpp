#include <qkcert/core/errors.hpp>
#include <qkcert/reports/html.hpp>
#include <qkcert/verify/sha256.hpp>

#include "support.hpp"

namespace qkcert {

TEST_CASE("html_text: no character of a file is markup") {
  CHECK(html_text("a<b>&\"'c") == "a&lt;b&gt;&amp;&quot;&#39;c");
  CHECK(html_text("</script><!--") == "&lt;/script&gt;&lt;!--");
  CHECK(html_text("&lt;") == "&amp;lt;");
  CHECK(html_text("café → τ 𝔽") == "café → τ 𝔽");
  CHECK(html_text("a\nb\tc") == "a\nb\tc");
  CHECK(html_text("") == "");
}

TEST_CASE("html_text: what is no text is replaced") {
  const std::string mark = "\xEF\xBF\xBD";
  CHECK(html_text(std::string("a\0b", 3)) == "a" + mark + "b");
  CHECK(html_text("\x1b[0m\x7f\r") == mark + "[0m" + mark + mark);
  // Lone, cut, overlong and surrogate sequences, and one beyond U+10FFFF.
  CHECK(html_text("\x80") == mark);
  CHECK(html_text("\xC3") == mark);
  CHECK(html_text("\xC3<") == mark + "&lt;");
  CHECK(html_text("\xC0\xBC") == mark + mark);
  CHECK(html_text("\xE0\x80\xBC") == mark + mark + mark);
  CHECK(html_text("\xED\xA0\x80") == mark + mark + mark);
  CHECK(html_text("\xF4\x90\x80\x80") == mark + mark + mark + mark);
  CHECK(html_text("\xF0\x9F\x98") == mark + mark + mark);
  CHECK(html_text("\xED\x9F\xBF\xF4\x8F\xBF\xBF") == "\xED\x9F\xBF\xF4\x8F\xBF\xBF");
}

TEST_CASE("html_text: long text is cut between characters") {
  CHECK(html_text("abcd", 4) == "abcd");
  CHECK(html_text("abcd", 3) == "abc…");
  CHECK(html_text("aéb", 2) == "a…");
  CHECK(html_text("<<<", 2) == "&lt;&lt;…");
  CHECK(html_word("<b>") == "<bdi>&lt;b&gt;</bdi>");
}

TEST_CASE("html_table: sorted by exact values, described, escaped") {
  const std::string html = html_table(
      {"a<b",
       {"name", "x>y"},
       {{{html_text("<i>")}, ratio_cell(Rational(5, 2), "2.50")}, {{"t"}, number_cell(-7)}}});
  CHECK(
      html ==
      "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"a&lt;b\">\n"
      "<table class=\"sortable\"><caption>a&lt;b</caption>\n<thead><tr><th scope=\"col\">name</th>"
      "<th scope=\"col\" class=\"number\">x&gt;y</th></tr></thead>\n<tbody>\n"
      "<tr><td>&lt;i&gt;</td><td class=\"number\" data-value=\"5/2\">2.50</td></tr>\n"
      "<tr><td>t</td><td class=\"number\">-7</td></tr>\n</tbody></table>\n</div>\n");
  CHECK_THROWS_AS(html_table({"", {"a", "b"}, {{{"c"}}}}), ShapeError);
}

TEST_CASE("inline_svg: without prolog and titles, ids of its own") {
  CHECK(inline_svg("<?xml?>\n<svg a=\"1\">\n\n<title>plot</title><desc>d</desc><g id=\"x\"><path "
                   "id='gp1'/>\t<use "
                   "xlink:href='#gp1'/></g></svg>",
                   "p7-", "x \"y\"") ==
        "<svg role=\"img\" aria-label=\"x &quot;y&quot;\" a=\"1\">\n<g><path id='p7-gp1'/><use "
        "href='#p7-gp1'/></g></svg>");
  CHECK_THROWS_AS(inline_svg("<html>", "", ""), ShapeError);
}

TEST_CASE("filled: each name once, and nothing that a value says") {
  CHECK(filled("@a@-@b@-@c@ a@b", {{"a", "@b@"}, {"b", "2"}}) == "@b@-2-@c@ a@b");
  CHECK(filled("", {}).empty());
  CHECK(filled("@", {{"", "x"}}) == "@");
}

TEST_CASE("base64_of_hex") {
  // RFC 4648, section 10.
  CHECK(base64_of_hex("").empty());
  CHECK(base64_of_hex("66") == "Zg==");
  CHECK(base64_of_hex("666f") == "Zm8=");
  CHECK(base64_of_hex("666f6f") == "Zm9v");
  CHECK(base64_of_hex("666f6f626172") == "Zm9vYmFy");
  CHECK(base64_of_hex(sha256("")) == "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
  CHECK_THROWS_AS(base64_of_hex("6"), ShapeError);
  CHECK_THROWS_AS(base64_of_hex("6G"), ShapeError);
}

}  // namespace qkcert
