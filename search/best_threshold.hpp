#pragma once
/// How many pairs a channel gets wrong at the best threshold, exactly.

#include <qkcert/core/channel.hpp>
#include <qkcert/core/graph.hpp>
#include <qkcert/core/parallel.hpp>
#include <vector>

namespace qkcert {

/// The decisions `score > threshold` over all ordered pairs.
struct Decisions {
  Integer threshold;
  Integer true_positives, false_positives, false_negatives, true_negatives;

  Integer errors() const { return false_positives + false_negatives; }
  friend bool operator==(const Decisions&, const Decisions&) = default;
};

/// The best threshold of each head alone, and of max over all heads.
struct BestDecisions {
  std::vector<Decisions> heads;
  Decisions all;
};

/// For each score the τ with the fewest errors; of those the one with the fewest false negatives.
/// That fixes τ up to an interval [s, t) between neighbouring scores, of which ⌊(s+t)/2⌋ is taken;
/// t - 1 when no score is below, s when none is above: the τ of a recovery certificate when there
/// are no errors.
///
/// Shapes   as in verify/extremes.hpp.
/// Require  graph.vertices() == embedding.rows() >= 1; a valid channel.
/// Method   Raising τ up to the next edge's score loses no edge and only sheds non-edges, so the best τ
///          lies just below some edge's score, or above all scores. One pass scores the edges; a
///          second counts, for each distinct edge score, the other pairs above it.
/// Ensure   exact; the same for any number of threads.
/// Cost     m²·D_K multiply-adds in 128 bits where every partial sum fits, else GMP; memory
///          O(m·D_K + threads·h·m').
/// Errors   ShapeError.
BestDecisions best_decisions(const Graph& graph, const Matrix& embedding, const Channel& channel,
                             unsigned threads = 0, const Progress& progress = {});

}  // namespace qkcert
