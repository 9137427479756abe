#include "core/enumeration.hpp"

#include <qkcert/core/errors.hpp>
#include <qkcert/core/family.hpp>

#include "support.hpp"

namespace qkcert {
namespace {

TEST_CASE("size and contains agree with the enumeration of all graphs on 1 to 4 vertices") {
  for (std::size_t m = 1; m <= 4; ++m)
    for (const auto& [name, arguments] : test::families_on(m)) {
      const Family family(name, arguments);
      INFO(family.to_string());
      std::uint64_t members = 0;
      std::uint64_t disagreements = 0;
      for (std::uint64_t mask = 0; mask < std::uint64_t{1} << (m * m); ++mask) {
        const bool member = test::is_member(name, arguments, mask);
        members += member;
        disagreements += family.contains(test::numbered_graph(m, mask)) != member;
      }
      CHECK(family.size() == members);
      CHECK(disagreements == 0);
    }
}

TEST_CASE("largest degrees agree with the enumeration of all graphs on 1 to 4 vertices") {
  for (std::size_t m = 1; m <= 4; ++m)
    for (const auto& [name, arguments] : test::families_on(m)) {
      const Family family(name, arguments);
      INFO(family.to_string());
      std::size_t out = 0, in = 0, members = 0;
      for (std::uint64_t mask = 0; mask < std::uint64_t{1} << (m * m); ++mask) {
        if (!test::is_member(name, arguments, mask)) continue;
        const Graph graph = test::numbered_graph(m, mask);
        ++members;
        out = std::max(out, graph.max_out_degree());
        in = std::max(in, graph.max_in_degree());
      }
      if (members == 0) continue;
      CHECK(family.max_out_degree() == out);
      CHECK(family.max_in_degree() == in);
    }
}

TEST_CASE("contains looks at the number of vertices first") {
  for (const auto& [name, arguments] : test::families_on(3)) {
    const Family family(name, arguments);
    CHECK_FALSE(family.contains(Graph(2, {})));
    CHECK_FALSE(family.contains(Graph(4, {})));
    CHECK_FALSE(family.contains(Graph()));
    for (std::uint64_t mask = 0; mask < 512; ++mask)
      if (test::is_member(name, arguments, mask))
        CHECK_FALSE(family.contains(Graph(4, test::numbered_graph(3, mask).edges())));
  }
}

TEST_CASE("sizes of larger families") {
  const auto size = [](std::string_view name, std::vector<std::uint64_t> arguments) {
    return to_decimal(Family(name, std::move(arguments)).size());
  };
  CHECK(size("permutation", {20}) == "2432902008176640000");
  CHECK(size("derangement", {10}) == "1334961");
  CHECK(size("derangement", {20}) == "895014631192902121");
  CHECK(size("functional", {11}) == "100000000000");
  CHECK(size("out-regular", {6, 2}) == "1000000");
  CHECK(size("digraph", {5, 3}) == "1140");
  CHECK(size("digraph-loops", {5, 3}) == "2300");
  CHECK(size("matching", {10, 5}) == "945");
  CHECK(size("out-degrees", {6, 0, 1, 2, 3, 4, 5}) == "2500");
}

TEST_CASE("sizes of families of one kind add up") {
  for (std::uint64_t m = 1; m <= 40; ++m) {
    // Every permutation is a set of fixed points and a derangement of the rest.
    Integer permutations = m >= 1 ? 1 : 0;  // the identity
    for (std::uint64_t moved = 1; moved <= m; ++moved)
      permutations += binomial(m, moved) * Family("derangement", {moved}).size();
    CHECK(permutations == Family("permutation", {m}).size());
    // Involutions: I(m) = I(m-1) + (m-1)·I(m-2).
    const auto involutions = [](std::uint64_t n) {
      Integer sum = n == 0 ? 1 : 0;
      for (std::uint64_t e = 0; n > 0 && 2 * e <= n; ++e) sum += Family("matching", {n, e}).size();
      return sum;
    };
    if (m >= 2) CHECK(involutions(m) == involutions(m - 1) + (m - 1) * involutions(m - 2));
  }
}

TEST_CASE("out-degrees of one value are an out-regular family") {
  for (std::uint64_t r = 0; r < 9; ++r) {
    std::vector<std::uint64_t> arguments(10, r);
    arguments[0] = 9;
    CHECK(Family("out-degrees", arguments).size() == Family("out-regular", {9, r}).size());
  }
}

TEST_CASE("sizes beyond max_bits are refused before they are computed") {
  constexpr std::uint64_t huge = std::uint64_t{1} << 40;
  for (const char* name : {"permutation", "derangement", "functional"})
    CHECK_THROWS_AS(Family(name, {huge}).size(), SizeError);
  CHECK_THROWS_AS(Family("out-regular", {huge, 2}).size(), SizeError);
  CHECK_THROWS_AS(Family("digraph", {huge, huge}).size(), SizeError);
  CHECK_THROWS_AS(Family("digraph-loops", {huge, huge}).size(), SizeError);
  CHECK_THROWS_AS(Family("matching", {huge, huge / 4}).size(), SizeError);
  CHECK(Family("digraph", {huge, 1}).size() == Integer(huge) * (huge - 1));
}

TEST_CASE("a family knows its name and its spelling") {
  CHECK(family_names().size() == 8);
  for (const auto& [name, arguments] : test::families_on(3)) {
    const Family family(name, arguments);
    CHECK(family.name() == name);
    CHECK(family.arguments() == arguments);
    CHECK(family.vertices() == 3);
    std::string text = name;
    for (const auto argument : arguments) text += " " + std::to_string(argument);
    CHECK(family.to_string() == text);
    CHECK(std::count(family_names().begin(), family_names().end(), name) == 1);
  }
  CHECK(Family("digraph", {3, 1}) == Family("digraph", {3, 1}));
  CHECK_FALSE(Family("digraph", {3, 1}) == Family("digraph", {3, 2}));
  CHECK_FALSE(Family("digraph", {3, 1}) == Family("digraph-loops", {3, 1}));
}

TEST_CASE("arguments out of range are refused by name") {
  const auto message = [](std::string_view name, std::vector<std::uint64_t> arguments) {
    try {
      Family(name, std::move(arguments));
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  CHECK(message("perm", {3}) ==
        "unknown family 'perm'; known are permutation, derangement, functional, out-regular, "
        "digraph, digraph-loops, matching, out-degrees");
  for (const auto name : family_names()) {
    const std::string needs = "family " + std::string(name) + ": needs m >= 1 vertices";
    CHECK(message(name, {}) == needs);
    CHECK(message(name, {0}) == needs);
    CHECK(message(name, {0, 0}) == needs);
  }
  for (const std::string name : {"permutation", "derangement", "functional"})
    CHECK(message(name, {3, 1}) == "family " + name + ": takes one argument: m");
  for (const std::string name : {"out-regular", "digraph", "digraph-loops", "matching"})
    for (const std::vector<std::uint64_t>& arguments : {std::vector<std::uint64_t>{3}, {3, 0, 0}})
      CHECK(message(name, arguments) ==
            "family " + name + ": takes two arguments: m " + (name == "out-regular" ? "r" : "e"));
  CHECK(message("out-regular", {3, 3}) == "family out-regular: needs r <= m - 1");
  CHECK(message("digraph", {3, 7}) == "family digraph: needs e <= m(m-1) edges");
  CHECK(message("digraph-loops", {3, 10}) == "family digraph-loops: needs e <= m² edges");
  CHECK(message("matching", {5, 3}) == "family matching: needs 2e <= m");
  for (const std::vector<std::uint64_t>& arguments :
       {std::vector<std::uint64_t>{2}, {2, 0}, {2, 0, 0, 0}})
    CHECK(message("out-degrees", arguments) ==
          "family out-degrees: takes m and then m out-degrees");
  CHECK(message("out-degrees", {2, 2, 0}) == "family out-degrees: needs every out-degree <= m - 1");
  CHECK(message("out-degrees", {2, 0, 2}) == "family out-degrees: needs every out-degree <= m - 1");
}

TEST_CASE("arguments near 2^64 do not wrap") {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  CHECK_NOTHROW(Family("digraph", {most, most}));
  CHECK_NOTHROW(Family("digraph-loops", {std::uint64_t{1} << 32, most}));
  CHECK_THROWS_AS(Family("matching", {most, std::uint64_t{1} << 63}), UsageError);
  CHECK_THROWS_AS(Family("out-degrees", {most}), UsageError);
  CHECK_THROWS_AS(Family("out-degrees", {most, 0}), UsageError);
}

std::vector<std::uint64_t> arguments_of(std::string_view name, const Graph& graph) {
  const std::uint64_t m = graph.vertices();
  const std::uint64_t edges = graph.edges().size();
  if (name == "out-regular") return {m, graph.out_degree(0)};
  if (name == "matching") return {m, edges / 2};
  if (name == "digraph" || name == "digraph-loops") return {m, edges};
  std::vector<std::uint64_t> arguments = {m};
  if (name == "out-degrees")
    for (std::size_t u = 0; u < m; ++u) arguments.push_back(graph.out_degree(u));
  return arguments;
}

TEST_CASE("family_of and narrowest_family agree with the enumeration") {
  const std::vector<std::string> order = {"matching",     "derangement", "permutation",
                                          "functional",   "out-regular", "out-degrees",
                                          "digraph-loops"};
  for (std::size_t m = 1; m <= 4; ++m)
    for (std::uint64_t mask = 0; mask < std::uint64_t{1} << (m * m); ++mask) {
      const Graph graph = test::numbered_graph(m, mask);
      const auto expected = [&](std::string_view name) -> std::optional<std::string> {
        const auto arguments = arguments_of(name, graph);
        if (!test::is_member(std::string(name), arguments, mask)) return std::nullopt;
        std::string text(name);
        for (const auto argument : arguments) text += " " + std::to_string(argument);
        return text;
      };
      for (const auto name : family_names()) {
        const auto family = family_of(name, graph);
        if ((family ? std::optional(family->to_string()) : std::nullopt) != expected(name))
          FAIL_CHECK(name << ", graph " << mask << " on " << m << " vertices");
      }
      std::optional<std::string> narrowest;
      for (const auto& name : order)
        if (!narrowest) narrowest = expected(name);
      if (narrowest_family(graph).to_string() != narrowest)
        FAIL_CHECK("graph " << mask << " on " << m << " vertices: not " << *narrowest);
    }
}

TEST_CASE("a graph without vertices belongs to no family, an unknown name to no graph") {
  for (const auto name : family_names())
    CHECK_THROWS_MATCHES(family_of(name, Graph()), UsageError,
                         Catch::Message("a graph without vertices belongs to no family"));
  CHECK_THROWS_AS(family_of("tree", Graph(1, {})), UsageError);
  CHECK_THROWS_MATCHES(narrowest_family(Graph()), UsageError,
                       Catch::Message("a graph without vertices belongs to no family"));
}

TEST_CASE("edges: what every member has") {
  CHECK(Family("permutation", {7}).edges() == 7);
  CHECK(Family("derangement", {7}).edges() == 7);
  CHECK(Family("functional", {7}).edges() == 7);
  CHECK(Family("out-regular", {6, 2}).edges() == 12);
  CHECK(Family("digraph", {5, 9}).edges() == 9);
  CHECK(Family("digraph-loops", {4, 8}).edges() == 8);
  CHECK(Family("matching", {9, 4}).edges() == 8);
  CHECK(Family("out-degrees", {4, 0, 1, 2, 3}).edges() == 6);
}

}  // namespace
}  // namespace qkcert
