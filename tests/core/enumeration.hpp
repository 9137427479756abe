#pragma once
/// Every graph on a few vertices, and membership in the named families from their definitions.

#include <algorithm>
#include <cstdint>
#include <qkcert/core/graph.hpp>
#include <string>
#include <vector>

namespace qkcert::test {

/// Graph number `mask`, below 2^(m²): the pair (u, v) is an edge iff bit u·m + v is set.
inline Graph numbered_graph(std::size_t m, std::uint64_t mask) {
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < m * m; ++i)
    if (mask >> i & 1) edges.push_back({i / m, i % m});
  return Graph(m, std::move(edges));
}

inline std::uint64_t number_of(const Graph& graph) {
  std::uint64_t mask = 0;
  for (const Edge& edge : graph.edges())
    mask |= std::uint64_t{1} << (edge.source * graph.vertices() + edge.target);
  return mask;
}

/// Whether graph number `mask` is in the family, straight from the table in core/family.hpp.
inline bool is_member(const std::string& name, const std::vector<std::uint64_t>& arguments,
                      std::uint64_t mask) {
  const std::size_t m = arguments[0];
  std::vector<std::uint64_t> out(m, 0), in(m, 0);
  std::uint64_t edges = 0, loops = 0;
  bool symmetric = true;
  for (std::size_t u = 0; u < m; ++u)
    for (std::size_t v = 0; v < m; ++v) {
      if (!(mask >> (u * m + v) & 1)) continue;
      ++edges, ++out[u], ++in[v];
      loops += u == v;
      symmetric = symmetric && (mask >> (v * m + u) & 1);
    }
  const auto all = [](const std::vector<std::uint64_t>& degrees, std::uint64_t degree) {
    return std::all_of(degrees.begin(), degrees.end(), [&](auto d) { return d == degree; });
  };
  if (name == "permutation") return all(out, 1) && all(in, 1);
  if (name == "derangement") return all(out, 1) && all(in, 1) && loops == 0;
  if (name == "functional") return all(out, 1) && loops == 0;
  if (name == "out-regular") return all(out, arguments[1]) && loops == 0;
  if (name == "digraph") return edges == arguments[1] && loops == 0;
  if (name == "digraph-loops") return edges == arguments[1];
  if (name == "matching")
    return edges == 2 * arguments[1] && symmetric && loops == 0 &&
           std::all_of(out.begin(), out.end(), [](auto d) { return d <= 1; });
  return loops == 0 && std::equal(out.begin(), out.end(), arguments.begin() + 1);  // out-degrees
}

struct FamilyArguments {
  std::string name;
  std::vector<std::uint64_t> arguments;
};

/// Every named family on m vertices; with m > 3, of the out-degrees only the increasing ones.
inline std::vector<FamilyArguments> families_on(std::uint64_t m) {
  std::vector<FamilyArguments> list = {
      {"permutation", {m}}, {"derangement", {m}}, {"functional", {m}}};
  for (std::uint64_t r = 0; r < m; ++r) list.push_back({"out-regular", {m, r}});
  for (std::uint64_t e = 0; e <= m * (m - 1); ++e) list.push_back({"digraph", {m, e}});
  for (std::uint64_t e = 0; e <= m * m; ++e) list.push_back({"digraph-loops", {m, e}});
  for (std::uint64_t e = 0; 2 * e <= m; ++e) list.push_back({"matching", {m, e}});
  std::vector<std::uint64_t> degrees(m + 1, 0);
  degrees[0] = m;
  for (bool done = false; !done;) {
    if (m <= 3 || std::is_sorted(degrees.begin() + 1, degrees.end()))
      list.push_back({"out-degrees", degrees});
    std::size_t i = m;  // count up in base m, the last digit fastest
    while (i > 0 && degrees[i] + 1 == m) degrees[i--] = 0;
    done = i == 0;
    if (!done) ++degrees[i];
  }
  return list;
}

}  // namespace qkcert::test
