#pragma once
/// Words that several verdicts share.

#include <qkcert/core/decimal.hpp>
#include <qkcert/core/family.hpp>
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

/// What channels need: all of a class or, with failure bits, a random graph of it.
inline std::string need_text(const Family& family, const Integer& failure_bits,
                             const std::string& need) {
  const bool all = failure_bits == 0;
  return std::string(all ? "that can serve every graph" : "that serve a graph drawn uniformly") +
         (all ? " of" : " from") + " the class " + family.to_string() + " need " + need +
         (all ? "" : ", except with probability below 2^-" + to_decimal(failure_bits)) +
         "; it bounds the class and not one chosen graph";
}

/// Why the least D with count(D) >= target is not `stated`.
inline std::string not_least_text(const Integer& stated, bool too_low, const std::string& count) {
  return "key-dimension " + to_decimal(stated) + " is too " + (too_low ? "low: " : "high: ") +
         count +
         (too_low ? " is below the family's size there" : " reaches the family's size one below");
}

}  // namespace qkcert
