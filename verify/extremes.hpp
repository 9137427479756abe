#pragma once
/// Exact extremes of a channel's scores: all that threshold-max decides (theory.md, Theorem 1).

#include <functional>
#include <optional>
#include <qkcert/core/channel.hpp>
#include <qkcert/core/graph.hpp>
#include <qkcert/core/integer.hpp>
#include <qkcert/core/matrix.hpp>
#include <qkcert/core/parallel.hpp>
#include <qkcert/verify/projection.hpp>
#include <string>
#include <vector>

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

  /// The extremes of both sets of pairs together. Equal scores go to the first pair, so that the
  /// order in which parts are merged does not matter.
  void merge(const Extremes& other);
};

/// How far a scan has come: which blocks of sources are done, and the extremes of all pairs looked
/// at so far, those of the done blocks among them; and a hash of the sources in each block, which
/// `resume` compares unless it is empty.
struct ScanState {
  std::vector<bool> done;
  Extremes extremes;
  std::string blocks_sha256 = {};
};

/// How to compute, which changes no result.
struct Execution {
  unsigned threads = 0;  ///< 0: one per processor
  Progress progress = {};
  std::string simd = {};  ///< an instruction set (verify/kernel.hpp); empty: the best
  /// Continues from here. Errors: UsageError when the blocks are not those of this scan, or a score
  /// is not that of its pair; what the state says to be done is believed.
  const ScanState* resume = nullptr;
  /// Told after every block, by one thread at a time.
  std::function<void(const ScanState&)> save = {};
  /// The exact extremes of other pairs of the graph: the result is that of all together, and what
  /// cannot beat these is not looked at. Not together with `resume` and `save`.
  Extremes known = {};
};

/// Exact extremes of max_k S^k_uv over all ordered pairs (u, v), the pairs (v, v) included.
///
/// Shapes   embedding: m × d_model; head k: W_Q, W_K of d_model × d_k.
/// Require  graph.vertices() == embedding.rows(); a valid channel (core/channel.hpp).
/// Ensure   least_edge is the minimum over the edges, greatest_nonedge the maximum over all other
///          pairs, both exact; the same for any execution.
/// Cost     m²·D_K multiply-adds on 16-bit entries, less those of blocks that Cauchy and Schwarz
///          exclude, and exact ones in 64 or 128 bits or GMP, by bound, for the pairs near the
///          extremes; O(m·D_K) memory.
/// Method   The rows are sorted by norm, cut into blocks and rounded to 16 bits with one exponent a
///          block (verify/packing.hpp). A tile of pairs is scored by the kernel; with e and E the
///          exponent and error of the tile and F the kernel's score, |S/2^e - F| <= E. A pair is
///          scored again, exactly, unless F shows that it is no extreme: an edge when
///          F > ⌊least/2^e⌋ + E, which implies S > least; another pair when F < ⌈best/2^e⌉ - E,
///          which implies S < best. So nothing that the filter computes is a result. Where it
///          leaves too much of a tile in doubt the rest of the tile is scored exactly, in 64-bit
///          vectors if these are enough (verify/score_block.hpp).
/// Errors   ShapeError, UsageError.
/// Source   theory.md, Theorem 1.
Extremes score_extremes(const Graph& graph, const Matrix& embedding, const Channel& channel,
                        const Execution& execution);
Extremes score_extremes(const Graph& graph, const Matrix& embedding, const Channel& channel,
                        unsigned threads = 0, const Progress& progress = {});

/// The same over the pairs of sources × targets. Extremes of parts merge to those of the whole.
Extremes score_extremes(const Graph& graph, const Matrix& embedding, const Channel& channel,
                        VertexRange sources, VertexRange targets, const Execution& execution);

/// The same over the pairs of queries.range × keys.range, projected before.
///
/// Require  the projections of one channel; both ranges within the graph's vertices.
Extremes score_extremes(const Graph& graph, const Projections& queries, const Projections& keys,
                        const Execution& execution);

}  // namespace qkcert
