#pragma once
/// Words that several verdicts share.

#include <qkcert/core/decimal.hpp>
#include <qkcert/core/graph.hpp>
#include <qkcert/core/matrix.hpp>
#include <string>

namespace qkcert {

/// `(u, v)`.
inline std::string show(Edge pair) {
  return "(" + std::to_string(pair.source) + ", " + std::to_string(pair.target) + ")";
}

/// The number, or its length when it is long.
inline std::string count_text(const Integer& count) {
  if (bit_length(count) <= 256) return to_decimal(count);
  return "(a number of " + std::to_string(bit_length(count)) + " bits)";
}

/// `M vertices, E edges, d_model D`.
inline std::string instance_text(const Graph& graph, const Matrix& embedding) {
  return std::to_string(graph.vertices()) + " vertices, " + std::to_string(graph.edges().size()) +
         " edges, d_model " + std::to_string(embedding.cols());
}

}  // namespace qkcert
