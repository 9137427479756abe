#pragma once
/// The exact scores of all pairs, as a histogram and as the pairs nearest to the threshold.

#include <qkcert/core/channel.hpp>
#include <qkcert/core/graph.hpp>
#include <qkcert/core/integer.hpp>
#include <qkcert/core/parallel.hpp>
#include <vector>

namespace qkcert {

struct ScoredPair {
  Edge pair;
  Integer score;
  friend bool operator==(const ScoredPair&, const ScoredPair&) = default;
};

/// How many pairs have a score with above < score <= above + the width of the bins.
struct ScoreBin {
  Integer above;
  std::uint64_t edges = 0, nonedges = 0;
  friend bool operator==(const ScoreBin&, const ScoreBin&) = default;
};

struct Scores {
  std::vector<ScoredPair> edges;     ///< of the least scores, increasing
  std::vector<ScoredPair> nonedges;  ///< of the greatest scores, decreasing
  Integer bin_width;
  std::vector<ScoreBin> bins;  ///< in order and without gaps, the first and the last not empty
};

struct ScoresQuestion {
  const Graph& graph;
  const Matrix& embedding;
  const Channel& channel;
  const Integer& threshold;
  std::size_t pairs = 10;  ///< at most so many of each kind
  std::size_t bins = 64;   ///< at most so many, at least 2
};

/// The scores max_k S^k_uv of all ordered pairs.
///
/// Require  graph.vertices() == embedding.rows() >= 1, a valid channel, bins >= 2.
/// Ensure   exact, and the same for any number of threads. Equal scores are in the order of the pairs.
///          The threshold is a border between bins: a bin's pairs are all above it or none is. The width is the
///          least power of two for which the bins are enough (if the scores spread over more than
///          2^-61 of what the weights allow; else they are fewer and wider than need be).
/// Cost     m²·D_K exact multiply-adds; no memory for the pairs.
/// Errors   ShapeError.
Scores scan_scores(const ScoresQuestion& question, unsigned threads, const Progress& progress = {});

}  // namespace qkcert
