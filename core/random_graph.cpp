#include <algorithm>
#include <numeric>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/random.hpp>
#include <qkcert/core/random_graph.hpp>
#include <set>

namespace qkcert {

namespace {

std::vector<std::size_t> random_order(std::size_t n, Random& random) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

/// A uniform `count`-subset of 0, …, n-1, increasing (R. Floyd's algorithm: count draws).
std::vector<std::uint64_t> random_subset(std::uint64_t n, std::uint64_t count, Random& random) {
  std::set<std::uint64_t> chosen;
  for (std::uint64_t last = n - count; last < n; ++last) {
    const std::uint64_t candidate = random.below(last + 1);
    chosen.insert(chosen.contains(candidate) ? last : candidate);
  }
  return {chosen.begin(), chosen.end()};
}

/// The vertex numbered `index` among those other than u.
std::size_t other_than(std::size_t u, std::size_t index) { return index < u ? index : index + 1; }

void add_out_edges(std::vector<Edge>& edges, std::size_t m, std::size_t u, std::uint64_t degree,
                   Random& random) {
  for (const std::uint64_t index : random_subset(m - 1, degree, random))
    edges.push_back({u, other_than(u, index)});
}

/// The number of edges that every member of `family` has.
Integer edge_count(const Family& family) {
  const auto& arguments = family.arguments();
  Integer sum = 0;
  switch (family.kind()) {
    case FamilyKind::permutation:
    case FamilyKind::derangement:
    case FamilyKind::functional:
      return arguments[0];
    case FamilyKind::out_regular:
      return Integer(arguments[0]) * arguments[1];
    case FamilyKind::digraph:
    case FamilyKind::digraph_loops:
      return arguments[1];
    case FamilyKind::matching:
      return 2 * Integer(arguments[1]);
    case FamilyKind::out_degrees:
      for (std::size_t u = 1; u < arguments.size(); ++u) sum += arguments[u];
      return sum;
  }
  throw ShapeError("random_graph: not a family");
}

}  // namespace

Graph random_graph(const Family& family, std::uint64_t seed) {
  const std::uint64_t m = family.vertices();
  const auto argument = [&](std::size_t i) { return family.arguments()[i]; };
  const auto refuse = [&](const char* why) {
    throw UsageError("family " + std::string(family.name()) + ": " + why);
  };
  constexpr std::uint64_t limit = std::uint64_t{1} << 28;  // m² fits in 64 bits, m' edges in memory
  if (m >= limit) refuse("a random graph needs m < 2^28");
  if (edge_count(family) >= limit) refuse("too many edges to be stored");

  Random random(seed);
  std::vector<Edge> edges;
  switch (family.kind()) {
    case FamilyKind::permutation:
    case FamilyKind::derangement: {
      if (family.kind() == FamilyKind::derangement && m == 1) refuse("is empty for m = 1");
      do {
        edges.clear();
        const auto order = random_order(m, random);
        for (std::size_t u = 0; u < m; ++u) edges.push_back({u, order[u]});
      } while (!family.contains(Graph(m, edges)));
      break;
    }
    case FamilyKind::functional:
      if (m == 1) refuse("is empty for m = 1");
      for (std::size_t u = 0; u < m; ++u) add_out_edges(edges, m, u, 1, random);
      break;
    case FamilyKind::out_regular:
      for (std::size_t u = 0; u < m; ++u) add_out_edges(edges, m, u, argument(1), random);
      break;
    case FamilyKind::out_degrees:
      for (std::size_t u = 0; u < m; ++u) add_out_edges(edges, m, u, argument(u + 1), random);
      break;
    case FamilyKind::digraph:
      for (const std::uint64_t index : random_subset(m * (m - 1), argument(1), random))
        edges.push_back({index / (m - 1), other_than(index / (m - 1), index % (m - 1))});
      break;
    case FamilyKind::digraph_loops:
      for (const std::uint64_t index : random_subset(m * m, argument(1), random))
        edges.push_back({index / m, index % m});
      break;
    case FamilyKind::matching: {
      const auto order = random_order(m, random);
      for (std::size_t i = 0; i < 2 * argument(1); ++i) edges.push_back({order[i], order[i ^ 1]});
      std::sort(edges.begin(), edges.end());
      break;
    }
  }
  return Graph(m, std::move(edges));
}

}  // namespace qkcert
