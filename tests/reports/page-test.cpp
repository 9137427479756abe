#include <qkcert/core/errors.hpp>
#include <qkcert/reports/page.hpp>

#include "surveyed.hpp"

namespace qkcert::test {

namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

PageInput example() {
  Surveyed refused{"dir/<b>.qkc", {}, {}, false, "dir/<b>.qkc: not dir/<b> but subdir/<b>"};
  PageInput input{.title = "a<b", .folder = "dir", .certificates = {}};
  input.certificates = {surveyed_cycle(4), surveyed_cycle(8), std::move(refused)};
  return input;
}

}  // namespace

TEST_CASE("make_page counts what holds and escapes what files say") {
  const Page page = make_page(example());
  CHECK(page.holding == 2);
  CHECK(page.refused == 1);
  CHECK(page.plots == 3);  // two histograms, and a map of two cells
  CHECK(count(page.html, "<title>a&lt;b</title>") == 1);
  CHECK(count(page.html, "<b>") == 0);
  CHECK(count(page.html, "&lt;b&gt;.qkc: not &lt;b&gt; but subdir/&lt;b&gt;") == 2);
  CHECK(count(page.html, "dir/") == 2);
  CHECK(count(page.html, "<article ") == 3);
  CHECK(count(page.html, "<svg ") == 3);
  CHECK(count(page.html, "@") == count(page.html, "@media"));
  CHECK(make_page(example()).html == page.html);
}

TEST_CASE("a page keeps to its limits and says so") {
  PageInput input = example();
  input.limits = {.pairs = 1, .contexts = 2, .heads = 0, .articles = 1, .plots = 0};
  const Page page = make_page(input);
  CHECK(count(page.html, "<article ") == 1);
  // A caption names its box, too.
  for (const auto& [part, times] :
       {std::pair("1 of 3 certificates shown", 1U), std::pair("Not shown: 1 more plots", 1U),
        std::pair("2 of 4 vertices with edges shown", 1U), std::pair("0 of 1 heads shown", 2U),
        std::pair("1 of 4 edges shown", 2U), std::pair("1 of 12 pairs shown", 2U)}) {
    INFO(part);
    CHECK(count(page.html, part) == times);
  }
  CHECK(page.plots == 1);
  input.limits.work = 10;
  CHECK(count(make_page(input).html, "Scores are not shown") == 1);
}

TEST_CASE("vertices have names when the graphs are equal") {
  PageInput input = example();
  const auto view = channel_of(*input.certificates[0].claim);
  input.named = {{view->graph, {"a", "b", "c", "d&"}}};
  CHECK(count(make_page(input).html, "<bdi>c</bdi> → <bdi>d&amp;</bdi>") ==
        2);  // a pair and a context
  input.named[0].graph = Graph(4, {{0, 1}});
  CHECK(count(make_page(input).html, "<bdi>") == 0);
}

}  // namespace qkcert::test
