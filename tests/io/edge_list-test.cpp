#include <filesystem>
#include <locale>
#include <map>
#include <qkcert/core/errors.hpp>
#include <qkcert/io/edge_list.hpp>
#include <set>

#include "support.hpp"

namespace qkcert::test {
namespace {

using Names = std::vector<std::string>;

/// The third one is UTF-8, the fourth one is not.
const Names words = {"hot", "cold", "na\xc3\xafve", "\xff"};

std::set<std::string> folder(const std::string& name) {
  std::set<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(QKCERT_TEST_DATA) + "/" + name))
    names.insert(entry.path().filename());
  return names;
}

TEST_CASE("every valid edge list is the graph it should be", "[edge_list]") {
  const Graph square(4, {{0, 1}, {1, 2}, {2, 0}, {3, 3}});
  struct Case {
    Graph graph;
    std::optional<Names> names = {};
  };
  const std::map<std::string, Case> cases = {
      {"tabs.tsv", {square}},
      {"spaces.txt", {square}},
      {"space-runs.txt", {square}},
      {"spaces-beside-tabs.tsv", {square}},
      {"crlf.tsv", {square}},
      {"crlf-no-final-newline.tsv", {square}},
      {"no-final-newline.tsv", {square}},
      {"blank-lines.tsv", {square}},
      {"unsorted.tsv", {square}},
      {"comments-hash.tsv", {square}},
      {"comments-percent.txt", {square}},
      {"snap-header.txt", {square}},
      {"names.tsv", {square, words}},
      {"names-crlf.tsv", {square, words}},
      {"names-like-numbers.tsv", {square, Names{"3", "01", "0", "-1"}}},
      {"empty.tsv", {Graph()}},
      {"comments-only.tsv", {Graph()}},
      {"gaps-in-ids.tsv", {Graph(1001, {{2, 1000}, {7, 2}})}},
      {"both-directions-and-loops.tsv", {Graph(2, {{0, 0}, {0, 1}, {1, 0}, {1, 1}})}},
  };
  for (const std::string& name : folder("edges/valid")) {
    INFO(name);
    REQUIRE(cases.contains(name));
    const auto& [graph, names] = cases.at(name);
    CHECK(parse_edge_list(corpus("edges/valid/" + name), name, {}, names) == graph);
  }
  CHECK(folder("edges/valid").size() == cases.size());
}

TEST_CASE("every invalid edge list is refused with its line", "[edge_list]") {
  struct Case {
    std::string message;
    std::optional<std::size_t> vertices = {};
    std::optional<Names> names = {};
  };
  const std::string id = "expected a vertex from 0 to 268435455, found ";
  const std::map<std::string, Case> cases = {
      {"one-column.tsv", {"line 3: expected two columns, found 1 in '2'"}},
      {"one-column-comma.csv", {"line 1: expected two columns, found 1 in '0,1'"}},
      {"weight.tsv", {"line 3: expected two columns, found 3 in '2\\x090\\x090.5'"}},
      {"weight-empty.tsv", {"line 3: expected two columns, found 3 in '2\\x090\\x09'"}},
      {"matrix-market.mtx", {"line 2: expected two columns, found 3 in '3 3 2'"}},
      {"comment-behind-edge.tsv", {"line 1: expected two columns, found 4 in '0\\x091 # why'"}},
      {"empty-first-column.tsv", {"line 3: expected two columns, found 3 in '\\x092\\x090'"}},
      {"empty-second-column.tsv", {"line 3: expected two columns, found 3 in '2\\x09\\x090'"}},
      {"only-first-column-empty.tsv", {"line 3: " + id + "''"}},
      {"cr-only.tsv", {"line 1: expected two columns, found 3 in '0\\x091\\x0d1\\x092'"}},
      {"cr-twice.tsv", {"line 1: " + id + "'1\\x0d'"}},
      {"id-negative.tsv", {"line 3: " + id + "'-1'"}},
      {"id-minus-zero.tsv", {"line 3: " + id + "'-0'"}},
      {"id-plus.tsv", {"line 3: " + id + "'+2'"}},
      {"id-leading-zero.tsv", {"line 3: " + id + "'00'"}},
      {"id-hexadecimal.tsv", {"line 3: " + id + "'0x2'"}},
      {"id-fraction.tsv", {"line 3: " + id + "'2.0'"}},
      {"id-exponent.tsv", {"line 3: " + id + "'2e0'"}},
      {"id-digit-grouping.tsv", {"line 3: " + id + "'1,000'"}},
      {"id-arabic-digit.tsv", {"line 3: " + id + "'\\xd9\\xa2'"}},
      {"id-name.tsv", {"line 1: " + id + "'hot'"}},
      {"id-nul.tsv", {"line 1: " + id + "'1\\x00'"}},
      {"id-byte-order-mark.tsv", {"line 1: " + id + "'\\xef\\xbb\\xbf0'"}},
      {"id-no-break-space.tsv", {"line 1: expected two columns, found 1 in '0\\xc2\\xa01'"}},
      {"id-2-to-28.tsv", {"line 3: " + id + "'268435456'"}},
      {"id-2-to-32-and-1.tsv", {"line 3: " + id + "'4294967297'"}},
      {"id-2-to-63.tsv", {"line 3: " + id + "'9223372036854775808'"}},
      {"id-2-to-64-minus-1.tsv", {"line 3: " + id + "'18446744073709551615'"}},
      {"id-2-to-64-and-1.tsv", {"line 3: " + id + "'18446744073709551617'"}},
      {"id-thousand-digits.tsv", {"line 3: " + id + "'" + std::string(40, '1') + "…'"}},
      {"vertex-beyond-count.tsv", {"line 3: expected a vertex from 0 to 2, found '3'", 3}},
      {"edge-without-vertices.tsv", {"line 1: expected no edge, found '0'", 0}},
      {"name-unknown.tsv", {"line 2: expected a vertex name, found 'warm'", {}, words}},
      {"name-case-differs.tsv", {"line 1: expected a vertex name, found 'Cold'", {}, words}},
      {"name-for-id.tsv", {"line 1: expected a vertex name, found '0'", {}, words}},
      {"name-third-column.tsv",
       {"line 1: expected two columns, found 3 in 'hot cold na\\xc3\\xafve'", {}, words}},
      {"edge-twice.tsv", {"line 5: expected every edge once, found the edge of line 3 again"}},
      {"edge-twice-spelled-differently.tsv",
       {"line 4: expected every edge once, found the edge of line 1 again"}},
      {"edge-twice-loop.tsv", {"line 3: expected every edge once, found the edge of line 1 again"}},
  };
  for (const std::string& name : folder("edges/invalid")) {
    INFO(name);
    REQUIRE(cases.contains(name));
    const auto& [message, vertices, names] = cases.at(name);
    const std::string bytes = corpus("edges/invalid/" + name);
    CHECK_THROWS_AS(parse_edge_list(bytes, name, vertices, names), FormatError);
    CHECK_THROWS_WITH(parse_edge_list(bytes, name, vertices, names), name + ": " + message);
  }
  CHECK(folder("edges/invalid").size() == cases.size());
}

TEST_CASE("a stated number of vertices adds isolated ones and is never exceeded", "[edge_list]") {
  CHECK(parse_edge_list("0 1\n", "x", 5) == Graph(5, {{0, 1}}));
  CHECK(parse_edge_list("0 1\n", "x", 2) == Graph(2, {{0, 1}}));
  CHECK(parse_edge_list("", "x", 3) == Graph(3, {}));
  CHECK(parse_edge_list("", "x", 0).vertices() == 0);
  CHECK(parse_edge_list("", "x", {}, words) == Graph(4, {}));
  CHECK(parse_edge_list("hot cold", "x", 4, words) == Graph(4, {{0, 1}}));
  CHECK_THROWS_WITH(parse_edge_list("0 1\n", "x", 1),
                    "x: line 1: expected a vertex from 0 to 0, found '1'");
  CHECK_THROWS_AS(parse_edge_list("hot cold", "x", 5, words), UsageError);
  CHECK_THROWS_WITH(parse_edge_list("hot cold", "x", 3, words), "3 vertices, but 4 vertex names");
  for (const std::size_t many : {max_vertices + 1, std::size_t{1} << 32, ~std::size_t{0}})
    CHECK_THROWS_AS(parse_edge_list("0 1\n", "x", many), SizeError);
  CHECK_THROWS_WITH(parse_edge_list("", "x", ~std::size_t{0}),
                    "a graph of 18446744073709551615 vertices; at most 268435456 are read");
}

TEST_CASE("names that an edge list cannot mean are refused", "[edge_list]") {
  CHECK_THROWS_AS(parse_edge_list("", "x", {}, Names{"a", "#b"}), UsageError);
  CHECK_THROWS_WITH(parse_edge_list("", "x", {}, Names{"%"}),
                    "vertex name '%' looks like a comment in an edge list");
  CHECK_THROWS_AS(parse_edge_list("", "x", {}, Names{"a", "b", "a"}), UsageError);
  CHECK_THROWS_WITH(parse_edge_list("", "x", {}, Names{"a", "a"}), "vertex name 'a' stands twice");
}

TEST_CASE("vertex names are the lines", "[edge_list]") {
  CHECK(parse_vertex_names("hot\ncold\n", "v") == Names{"hot", "cold"});
  CHECK(parse_vertex_names("hot\r\ncold\r\n", "v") == Names{"hot", "cold"});
  CHECK(parse_vertex_names("hot\ncold", "v") == Names{"hot", "cold"});
  CHECK(parse_vertex_names("", "v").empty());
  CHECK(parse_vertex_names("na\xc3\xafve\n\xff\n a b\t\n#x\n", "v") ==
        Names{"na\xc3\xafve", "\xff", " a b\t", "#x"});
  CHECK_THROWS_AS(parse_vertex_names("\n", "v"), FormatError);
  CHECK_THROWS_WITH(parse_vertex_names("hot\n\ncold\n", "v"),
                    "v: line 2: expected a vertex name, found an empty line");
  CHECK_THROWS_WITH(parse_vertex_names("hot\n\r\n", "v"),
                    "v: line 2: expected a vertex name, found an empty line");
  CHECK_THROWS_AS(parse_vertex_names("hot\ncold\nhot", "v"), FormatError);
  CHECK_THROWS_WITH(parse_vertex_names("cold\nhot\nwarm\nhot\r\n", "v"),
                    "v: line 4: expected every name once, found 'hot' of line 2 again");
}

/// A random graph, and its edges in random order and dress, by ids or by names.
struct Dressed {
  Graph graph;
  std::string text;
};

Dressed dressed(Random& random, const Names* names) {
  const std::size_t vertices = names ? names->size() : 1 + random.below(20);
  std::set<Edge> edges;
  for (std::size_t i = random.below(60); i > 0; --i)
    edges.insert({random.below(vertices), random.below(vertices)});
  std::vector<Edge> order(edges.begin(), edges.end());
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  const auto pick = [&](std::vector<std::string> from) { return from[random.below(from.size())]; };
  const auto spelled = [&](std::size_t v) { return names ? (*names)[v] : std::to_string(v); };
  std::string text;
  for (const auto& [source, target] : order)
    text += pick({"", "", "# 0 0\n", "\n", "  \t\r\n", "%\r\n", " #x\n"}) + pick({"", " ", "   "}) +
            spelled(source) + pick({"\t", " ", "  ", " \t", "\t  "}) + spelled(target) +
            pick({"", " "}) + pick({"\n", "\r\n"});
  if (!text.empty() && random.below(2) == 0) text.pop_back();
  return {Graph(vertices, std::vector<Edge>(edges.begin(), edges.end())), text};
}

TEST_CASE("order, separators, comments and line ends do not matter", "[edge_list]") {
  repeat(300, [](Random& random) {
    const auto [graph, text] = dressed(random, nullptr);
    CAPTURE(text);
    CHECK(parse_edge_list(text, "x", graph.vertices()) == graph);
    const auto named = dressed(random, &words);
    CAPTURE(named.text);
    CHECK(parse_edge_list(named.text, "x", {}, words) == named.graph);
  });
}

TEST_CASE("what is formatted is read back", "[edge_list]") {
  CHECK(format_edge_list(Graph(3, {{0, 2}, {1, 1}})) == "0\t2\n1\t1\n");
  CHECK(format_edge_list(Graph(3, {})).empty());
  repeat(100, [](Random& random) {
    const Graph graph = dressed(random, nullptr).graph;
    CHECK(parse_edge_list(format_edge_list(graph), "x", graph.vertices()) == graph);
  });
}

TEST_CASE("damaged edge lists give an error or a graph, never anything else", "[edge_list]") {
  repeat(2000, [](Random& random) {
    std::string text = dressed(random, nullptr).text;
    for (std::size_t i = 1 + random.below(3); i > 0 && !text.empty(); --i)
      text[random.below(text.size())] = "\t\r\n 0123456789#%-+x\xff"[random.below(21)];
    CAPTURE(text);
    try {
      const Graph graph = parse_edge_list(text, "x", 1000);
      CHECK(parse_edge_list(format_edge_list(graph), "x", 1000) == graph);
    } catch (const FormatError&) {
    }
  });
}

TEST_CASE("the locale does not matter to edge lists", "[edge_list]") {
  struct Grouping : std::numpunct<char> {
    char do_thousands_sep() const override { return ','; }
    std::string do_grouping() const override { return "\3"; }
  };
  const std::locale old = std::locale::global(std::locale(std::locale(), new Grouping));
  const std::string text = format_edge_list(Graph(1234568, {{1234567, 1000}}));
  const Graph graph = parse_edge_list("1234567 1000", "x");
  std::string message;
  try {
    parse_edge_list("12345 0", "x", 10000);
  } catch (const FormatError& error) {
    message = error.what();
  }
  std::locale::global(old);
  CHECK(text == "1234567\t1000\n");
  CHECK(graph.vertices() == 1234568);
  CHECK(message == "x: line 1: expected a vertex from 0 to 9999, found '12345'");
}

}  // namespace
}  // namespace qkcert::test
