#pragma once
/// Words that several verdicts share.

#include <qkcert/core/graph.hpp>
#include <qkcert/core/matrix.hpp>
#include <string>

namespace qkcert {

/// `(u, v)`.
inline std::string show(Edge pair) {
  return "(" + std::to_string(pair.source) + ", " + std::to_string(pair.target) + ")";
}

/// `M vertices, E edges, d_model D`.
inline std::string instance_text(const Graph& graph, const Matrix& embedding) {
  return std::to_string(graph.vertices()) + " vertices, " + std::to_string(graph.edges().size()) +
         " edges, d_model " + std::to_string(embedding.cols());
}

}  // namespace qkcert
