#include <qkcert/bounds/advantage.hpp>
#include <qkcert/bounds/margin.hpp>
#include <qkcert/bounds/unit_heads.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/verify/certificate.hpp>
#include <qkcert/verify/check.hpp>

#include "support.hpp"
#include "verify/slow_checker.hpp"

namespace qkcert {
namespace {

using namespace test;

/// Why `bytes`, with the hash that belongs to them, is refused; empty when it is accepted.
std::string refusal(const std::string& bytes) {
  try {
    const Claim claim = read_certificate(rehash(bytes), "c");
    CHECK(write_certificate(claim) == rehash(bytes));
    const Verdict verdict = check(claim, 1);
    return verdict.holds ? "" : verdict.text;
  } catch (const FormatError& error) {
    return error.what();
  }
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

TEST_CASE("bound margin: one spelling, and every number counts") {
  const std::string good = write_certificate(margin_bound(100, Rational(11, 10), Rational(1, 10)));
  CHECK(
      good.starts_with("qkcert 1\nclaim bound margin\nvertices 100\nedge-ratio 11 10\n"
                       "nonedge-ratio 1 10\npower 1\nrank "));
  CHECK(refusal(good).empty());
  const auto refused = [&](const char* from, const char* to, const char* why) {
    CHECK_THAT(refusal(replaced(good, from, to)), Catch::Contains(why));
  };
  refused("vertices 100", "vertices 60", "does not follow from power 1");
  refused("vertices 100", "vertices 0", "at least 1");
  refused("edge-ratio 11 10", "edge-ratio 12 10", "in lowest terms");
  refused("edge-ratio 11 10", "edge-ratio 13 10", "does not follow");
  refused("edge-ratio 11 10", "edge-ratio 9 10", "a ratio of at least 1");
  refused("edge-ratio 11 10", "edge-ratio 11 0", "at least 1");
  refused("nonedge-ratio 1 10", "nonedge-ratio 1 9", "does not follow");
  refused("nonedge-ratio 1 10", "nonedge-ratio -1 10", "a ratio of at least 0");
  refused("nonedge-ratio 1 10", "nonedge-ratio 0 2", "in lowest terms");
  refused("power 1", "power 2", "does not follow from power 2");
  refused("power 1", "power 0", "at least 1");
  refused("power 1", "power 100000000000000000000", "too large to be decided");
  refused("rank ", "rank 1", "does not follow");
  CHECK(refusal(replaced(good, "nonedge-ratio 1 10", "nonedge-ratio 0 1")).empty());
}

TEST_CASE("bound unit-heads: the matching is induced") {
  const Graph graph(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}});
  const std::string good = write_certificate(unit_heads_bound(graph));
  REQUIRE(refusal(good).empty());
  CHECK_THAT(check(unit_heads_bound(graph)).text, Catch::Contains("at least 3 heads"));
  const std::string edges = "0 1\n1 2\n2 3\n3 4\n4 0\n";
  CHECK_THAT(refusal(replaced(good, "matching 5\n0 1", "matching 5\n0 0")),
             Catch::Contains("(0, 0) of the matching is not an edge"));
  CHECK_THAT(refusal(replaced(good, "matching 5\n0 1\n1 2", "matching 5\n1 2\n0 1")),
             Catch::Contains("line 11: expected an edge after"));
  CHECK_THAT(refusal(replaced(good, "matching 5\n0 1\n", "matching 5\n0 1\n0 1\n")),
             Catch::Contains("an edge after"));
  CHECK_THAT(refusal(replaced(good, "matching 5", "matching 4")), Catch::Contains("'end"));
  // One edge more: 0→2 is a cross pair of the edges out of 0 and into 2.
  CHECK_THAT(refusal(replaced(good, "graph 5 5\n0 1\n", "graph 5 6\n0 1\n0 2\n")),
             Catch::Contains("the cross pair (0, 2) is an edge"));
  // Common targets, sources.
  CHECK_THAT(check(UnitHeadsBound{Graph(2, {{0, 1}, {1, 1}}), {{0, 1}, {1, 1}}}).text,
             Catch::Contains("the target of (1, 1)"));
  CHECK_THAT(check(UnitHeadsBound{Graph(2, {{0, 0}, {0, 1}}), {{0, 0}, {0, 1}}}).text,
             Catch::Contains("cross pair"));
  for (const auto& [size, heads] : {std::pair(0, 0), {1, 1}, {2, 1}, {3, 2}, {4, 2}}) {
    UnitHeadsBound claim{graph, {}};
    claim.matching.assign(graph.edges().begin(), graph.edges().begin() + size);
    CHECK(check(claim).holds);
    CHECK(claim.heads() == static_cast<std::size_t>(heads));
  }
}

TEST_CASE("advantage class: every part is needed") {
  const ClassAdvantage claim = class_advantage(Family("permutation", {11}), 2);
  const std::string good = write_certificate(claim);
  REQUIRE(refusal(good).empty());
  const auto refused = [&](const char* from, const char* to, const char* why) {
    CHECK_THAT(refusal(replaced(good, from, to)), Catch::Contains(why));
  };
  refused("graphs 8502671", "graphs 8502670", "stated as 8502670, but is 8502671");
  refused("graphs 8502671", "graphs 8502672", "stated as 8502672, but is 8502671");
  refused("graphs 8502671", "graphs 17005342", "but is 8502671");
  refused("permutation 11", "permutation 12", "as many rows");
  refused("permutation 11", "digraph 11 2", "may reach all");
  refused("\n1 -18\n", "\n1 18\n",
          "row 0 has the norm 325, which is not above 325 at the pair (0, 1)");
  refused("\n1 -18\n", "\n-1 -18\n", "at the pair (0, 1)");
  refused("\n1 -18\n", "\n0 0\n", "row 0 of the embedding is zero");
  refused("\n1 -18\n", "\n1 -19\n", "at the pair (");
  // Derangements of 11: 14684570 graphs, also enough; every other point of the circle does.
  CHECK(refusal(replaced(good, "permutation 11", "derangement 11")).empty());
  CHECK(refusal(replaced(good, "\n1 -18\n", "\n-18 -1\n")).empty());
  // Ten rows: 10! is below the count.
  ClassAdvantage ten{Family("permutation", {10}), points_of_one_norm(10, 2), 3926176};
  CHECK_THAT(check(ten).text, Catch::Contains("may reach all 3628800"));
  ten.family = Family("permutation", {11});
  CHECK_THAT(check(ten).text, Catch::Contains("one row per vertex"));
}

}  // namespace
}  // namespace qkcert
