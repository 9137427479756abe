#pragma once
/// Directed graphs on the vertices 0, …, m-1; loops allowed, no parallel edges.

#include <compare>
#include <cstddef>
#include <span>
#include <vector>

namespace qkcert {

struct Edge {
  std::size_t source;
  std::size_t target;
  auto operator<=>(const Edge&) const = default;
};

class Graph {
 public:
  Graph() = default;

  /// Require  edges strictly increasing (source, then target), both ends below `vertices`.
  /// Errors   ShapeError naming what is violated.
  /// Cost     O(vertices + edges) time and memory.
  Graph(std::size_t vertices, std::vector<Edge> edges);

  std::size_t vertices() const { return starts_.size() - 1; }
  const std::vector<Edge>& edges() const { return edges_; }
  /// The edges that leave `vertex`, by increasing target.
  std::span<const Edge> edges_from(std::size_t vertex) const;

  std::size_t out_degree(std::size_t vertex) const { return edges_from(vertex).size(); }
  std::vector<std::size_t> in_degrees() const;
  std::size_t max_out_degree() const;
  std::size_t max_in_degree() const;
  std::size_t loops() const;
  bool contains(Edge edge) const;

  friend bool operator==(const Graph&, const Graph&) = default;

 private:
  std::vector<Edge> edges_;
  std::vector<std::size_t> starts_{0};
};

}  // namespace qkcert
