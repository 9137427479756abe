#include <algorithm>
#include <cstdint>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/graph.hpp>

namespace qkcert {

Graph::Graph(std::size_t vertices, std::vector<Edge> edges) : edges_(std::move(edges)) {
  require(vertices < SIZE_MAX, "Graph: too many vertices");
  starts_.assign(vertices + 1, 0);
  for (std::size_t i = 0; i < edges_.size(); ++i) {
    require(edges_[i].source < vertices && edges_[i].target < vertices,
            "Graph: an edge names a vertex that does not exist");
    require(i == 0 || edges_[i - 1] < edges_[i], "Graph: the edges must be strictly increasing");
    ++starts_[edges_[i].source + 1];
  }
  for (std::size_t u = 0; u < vertices; ++u) starts_[u + 1] += starts_[u];
}

std::span<const Edge> Graph::edges_from(std::size_t vertex) const {
  require(vertex < vertices(), "Graph::edges_from: no such vertex");
  return std::span(edges_).subspan(starts_[vertex], starts_[vertex + 1] - starts_[vertex]);
}

std::vector<std::size_t> Graph::in_degrees() const {
  std::vector<std::size_t> degrees(vertices(), 0);
  for (const Edge& edge : edges_) ++degrees[edge.target];
  return degrees;
}

std::size_t Graph::max_out_degree() const {
  std::size_t largest = 0;
  for (std::size_t u = 0; u < vertices(); ++u) largest = std::max(largest, out_degree(u));
  return largest;
}

std::size_t Graph::max_in_degree() const {
  const auto degrees = in_degrees();
  return degrees.empty() ? 0 : *std::max_element(degrees.begin(), degrees.end());
}

std::size_t Graph::loops() const {
  return static_cast<std::size_t>(std::count_if(
      edges_.begin(), edges_.end(), [](const Edge& edge) { return edge.source == edge.target; }));
}

bool Graph::contains(Edge edge) const {
  return std::binary_search(edges_.begin(), edges_.end(), edge);
}

}  // namespace qkcert
