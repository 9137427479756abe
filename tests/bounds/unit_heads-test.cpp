#include <algorithm>
#include <qkcert/bounds/unit_heads.hpp>
#include <qkcert/core/random_graph.hpp>
#include <qkcert/verify/check.hpp>
#include <set>

#include "core/enumeration.hpp"
#include "support.hpp"

namespace qkcert {
namespace {

using namespace test;

/// Which pairs unit heads S_uv = p_u·r_v hold above a threshold, for all p, r in {-most, …, most}
/// and all τ, as masks of numbered_graph.
std::set<std::uint64_t> unit_patterns(std::size_t m, int most) {
  std::set<std::uint64_t> patterns;
  std::vector<int> x(2 * m, -most);
  for (bool more = true; more;) {
    for (std::size_t t = 0; t < m * m; ++t) {
      std::uint64_t mask = 0;
      for (std::size_t i = 0; i < m * m; ++i)
        if (x[i / m] * x[m + i % m] > x[t / m] * x[m + t % m]) mask |= std::uint64_t{1} << i;
      patterns.insert(mask);
    }
    patterns.insert((std::uint64_t{1} << m * m) - 1);
    more = false;
    for (int& each : x) {
      if (each < most) {
        ++each, more = true;
        break;
      }
      each = -most;
    }
  }
  return patterns;
}

/// The least number of heads whose patterns, free of non-edges, cover the edges. Each pattern may
/// have a threshold of its own, so that this is at most what a channel needs.
std::size_t least_heads(std::uint64_t edges, const std::set<std::uint64_t>& patterns) {
  std::set<std::uint64_t> reached{0};
  for (std::size_t heads = 0;; ++heads) {
    if (reached.contains(edges)) return heads;
    std::set<std::uint64_t> next;
    for (const std::uint64_t mask : reached)
      for (const std::uint64_t pattern : patterns)
        if ((pattern & ~edges) == 0) next.insert(mask | pattern);
    if (next == reached) return SIZE_MAX;
    reached = std::move(next);
  }
}

TEST_CASE("no channel of unit heads beats the bound: every graph of two and three vertices") {
  for (const std::size_t m : {2, 3}) {
    const auto patterns = unit_patterns(m, 2);
    for (std::uint64_t mask = 0; mask < std::uint64_t{1} << m * m; ++mask) {
      const UnitHeadsBound bound = unit_heads_bound(numbered_graph(m, mask));
      const std::size_t least = least_heads(mask, patterns);
      CAPTURE(m, mask, bound.matching.size(), least);
      CHECK(check(bound).holds);
      CHECK(bound.heads() <= least);
      CHECK(bound.matching.empty() == (mask == 0));
    }
  }
}

TEST_CASE("permutations of four vertices need two unit heads, and two are enough") {
  const auto patterns = unit_patterns(4, 1);
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Graph graph = random_graph(Family("permutation", {4}), seed);
    CHECK(unit_heads_bound(graph).heads() == 2);
    CHECK(least_heads(number_of(graph), patterns) >= 2);
  }
}

TEST_CASE("all edges of permutations and matchings are taken") {
  for (const std::uint64_t m : {1, 2, 3, 4, 63, 64, 2000}) {
    const Graph graph = random_graph(Family("permutation", {m}), 5);
    const UnitHeadsBound bound = unit_heads_bound(graph);
    CHECK(bound.matching == graph.edges());
    CHECK(bound.heads() == (m + 1) / 2);
  }
  CHECK(unit_heads_bound(random_graph(Family("matching", {20, 7}), 5)).matching.size() == 14);
  CHECK(unit_heads_bound(Graph(0, {})).heads() == 0);
}

/// The size of a largest induced matching, by trying all subsets.
std::size_t largest(const Graph& graph) {
  std::size_t best = 0;
  for (std::uint64_t mask = 0; mask < std::uint64_t{1} << graph.edges().size(); ++mask) {
    UnitHeadsBound subset{graph, {}};
    for (std::size_t i = 0; i < graph.edges().size(); ++i)
      if (mask >> i & 1) subset.matching.push_back(graph.edges()[i]);
    if (subset.matching.size() > best && check(subset).holds) best = subset.matching.size();
  }
  return best;
}

TEST_CASE("the matching is induced, maximal and close to a largest one") {
  std::size_t found = 0, possible = 0;
  repeat(40, [&](Random& random) {
    const Graph graph = random_digraph(random, 3 + random.below(6), 15);
    if (graph.edges().size() > 12) return;
    UnitHeadsBound bound = unit_heads_bound(graph);
    CHECK(check(bound).holds);
    CHECK(std::is_sorted(bound.matching.begin(), bound.matching.end()));
    found += bound.matching.size();
    possible += largest(graph);
    for (const Edge& edge : graph.edges()) {
      if (std::binary_search(bound.matching.begin(), bound.matching.end(), edge)) continue;
      UnitHeadsBound more = bound;
      more.matching.push_back(edge);
      std::sort(more.matching.begin(), more.matching.end());
      CHECK_FALSE(check(more).holds);
    }
  });
  CHECK(10 * found >= 9 * possible);
}

}  // namespace
}  // namespace qkcert
