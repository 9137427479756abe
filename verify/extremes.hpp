#pragma once
/// Exact extremes of a channel's scores: all that threshold-max decides (theory.md, Theorem 1).

#include <optional>
#include <qkcert/core/channel.hpp>
#include <qkcert/core/graph.hpp>
#include <qkcert/core/integer.hpp>
#include <qkcert/core/matrix.hpp>
#include <qkcert/core/parallel.hpp>

namespace qkcert {

/// A score and the first pair (source, then target) that has it.
struct Extreme {
  Integer score;
  Edge pair;
};

struct Extremes {
  std::optional<Extreme> least_edge;        ///< absent when the graph has no edge
  std::optional<Extreme> greatest_nonedge;  ///< absent when every pair is an edge

  /// Whether some threshold τ has least_edge > τ >= greatest_nonedge.
  bool separated() const {
    return !least_edge || !greatest_nonedge || least_edge->score > greatest_nonedge->score;
  }
};

/// Exact extremes of max_k S^k_uv over all ordered pairs (u, v), the pairs (v, v) included.
///
/// Shapes   embedding: m × d_model; head k: W_Q, W_K of d_model × d_k.
/// Require  graph.vertices() == embedding.rows(); a valid channel (core/channel.hpp).
/// Ensure   least_edge is the minimum over the edges, greatest_nonedge the maximum over all other
///          pairs, both exact; the same for any thread count.
/// Cost     m²·D_K multiply-adds, O(m·D_K) memory: scores exist one tile at a time. The arithmetic
///          is 64-bit when d_k·max|q|·max|k| < 2^63 in every head, 128-bit when < 2^127, else GMP.
/// Errors   ShapeError.
/// Source   theory.md, Theorem 1.
Extremes score_extremes(const Graph& graph, const Matrix& embedding, const Channel& channel,
                        unsigned threads = 0, const Progress& progress = {});

}  // namespace qkcert
