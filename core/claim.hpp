#pragma once
/// The claims a certificate can make. Each holds everything that is needed to decide it.

#include <optional>
#include <qkcert/core/channel.hpp>
#include <qkcert/core/family.hpp>
#include <qkcert/core/graph.hpp>
#include <qkcert/core/integer.hpp>
#include <qkcert/core/matrix.hpp>
#include <variant>
#include <vector>

namespace qkcert {

/// The channel recovers every context's neighbours under threshold-max (theory.md, Theorem 1):
/// least_edge > threshold >= greatest_nonedge, and both are the exact extremes of max_k S^k.
/// An extreme is absent when there is no such pair.
struct RecoveryClaim {
  Graph graph;
  Matrix embedding;
  Integer threshold;
  Channel channel;
  std::optional<Integer> least_edge;
  std::optional<Integer> greatest_nonedge;
};

/// A positive integer on an ordered pair.
struct Multiplier {
  Edge pair;
  Integer weight;
};

/// Integer multipliers that prove that no single head, of any key dimension and any real weights,
/// recognises the graph with a threshold decoder (theory.md, B3).
struct SingleHeadImpossibility {
  Graph graph;
  Matrix embedding;
  std::vector<Multiplier> edge_multipliers;
  std::vector<Multiplier> nonedge_multipliers;
};

/// key_dimension is the least D with (2·weight_max + 1)^(2·d_model·D) >= |family| (theory.md, B1):
/// no channel of smaller D_K with such weights serves every graph of the family.
struct CountingBound {
  Family family;
  Integer d_model;
  Integer weight_max;
  Integer key_dimension;
};

/// key_dimension is the least D with L^(2·d_model·D)·2^failure_bits >= |family| (B1): for a graph
/// drawn uniformly from the family, D_K >= key_dimension but with probability < 2^-failure_bits.
struct RandomCountingBound {
  Family family;
  Integer d_model;
  Integer weight_max;
  Integer failure_bits;  ///< at least 1
  Integer key_dimension;
};

/// The same with the channels of D columns counted as multisets of heads, and a head as a multiset
/// of rank-one forms (B1+, core/counts.hpp). failure_bits 0 speaks of the class itself.
struct ColumnsBound {
  Family family;
  Integer d_model;
  Integer weight_max;
  Integer failure_bits;
  Integer key_dimension;
};

/// The least D_K that Warren's bound on sign vectors leaves to real weights (B2).
struct WarrenBound {
  Family family;
  Integer d_model;
  Integer failure_bits;
  Integer key_dimension;
};

/// The same with heads counted by their ranks (B2+).
struct WarrenRanksBound {
  Family family;
  Integer d_model;
  Integer failure_bits;
  Integer key_dimension;
};

/// On every embedding some graph of the family is out of reach of one head of any width and any
/// real weights: there are fewer dichotomies than graphs (B2').
struct SingleHeadClassImpossibility {
  Family family;
  Integer d_model;
};

/// The least h with dichotomies^h >= |family| (B2''): heads of any widths and any real weights.
struct HeadsBound {
  Family family;
  Integer d_model;
  Integer heads;
};

using Claim = std::variant<RecoveryClaim, SingleHeadImpossibility, CountingBound,
                           RandomCountingBound, ColumnsBound, WarrenBound, WarrenRanksBound,
                           SingleHeadClassImpossibility, HeadsBound>;

}  // namespace qkcert
