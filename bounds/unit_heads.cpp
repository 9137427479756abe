#include <algorithm>
#include <qkcert/bounds/unit_heads.hpp>

namespace qkcert {

namespace {

constexpr std::size_t most_steps = std::size_t{1} << 26;

/// A set of edges that grows and shrinks, and which edges it leaves free: an edge (u, v) can be
/// added iff u has no edge to a chosen target and v none from a chosen source.
class InducedMatching {
 public:
  explicit InducedMatching(const Graph& graph)
      : graph_(graph),
        sources_of_(graph.vertices()),
        at_source_(graph.vertices(), 0),
        at_target_(graph.vertices(), 0) {
    for (const auto& [u, v] : graph.edges()) sources_of_[v].push_back(u);
  }

  bool free(Edge edge) const {
    return at_source_[edge.source] == 0 && at_target_[edge.target] == 0;
  }
  void add(Edge edge) { change(edge, 1); }
  void remove(Edge edge) { change(edge, -1); }

 private:
  void change(Edge edge, int by) {
    for (const std::size_t u : sources_of_[edge.target]) at_source_[u] += by;
    for (const Edge& each : graph_.edges_from(edge.source)) at_target_[each.target] += by;
  }

  const Graph& graph_;
  std::vector<std::vector<std::size_t>> sources_of_;
  std::vector<int> at_source_, at_target_;  // edges to chosen targets, from chosen sources
};

/// The edges, those with few edges at their ends first.
std::vector<Edge> by_degree(const Graph& graph) {
  const auto in = graph.in_degrees();
  std::vector<Edge> edges = graph.edges();
  std::stable_sort(edges.begin(), edges.end(), [&](const Edge& a, const Edge& b) {
    return graph.out_degree(a.source) + in[a.target] < graph.out_degree(b.source) + in[b.target];
  });
  return edges;
}

}  // namespace

UnitHeadsBound unit_heads_bound(const Graph& graph) {
  const std::vector<Edge> edges = by_degree(graph);
  InducedMatching set(graph);
  std::vector<Edge> chosen;
  const auto add_free = [&](std::vector<Edge>& to, const Edge* but) {
    for (const Edge& edge : edges)
      if (set.free(edge) && !(but && edge == *but)) set.add(edge), to.push_back(edge);
  };
  add_free(chosen, nullptr);
  std::size_t steps = 0;
  std::size_t i = 0, failed = 0;
  while (failed < chosen.size() && chosen.size() < edges.size() && steps < most_steps) {
    const Edge left = chosen[i];
    set.remove(left);
    std::vector<Edge> instead;
    add_free(instead, &left);
    steps += edges.size();
    if (instead.size() > 1) {
      chosen[i] = instead.back();
      chosen.insert(chosen.end(), instead.begin(), instead.end() - 1);
      failed = 0;
    } else {
      for (const Edge& edge : instead) set.remove(edge);
      set.add(left);
      ++failed;
    }
    i = (i + 1) % chosen.size();
  }
  std::sort(chosen.begin(), chosen.end());
  return {graph, std::move(chosen)};
}

}  // namespace qkcert
