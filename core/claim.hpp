#pragma once
/// The claims a certificate can make. Each holds everything that is needed to decide it.

#include <optional>
#include <qkcert/core/channel.hpp>
#include <qkcert/core/family.hpp>
#include <qkcert/core/float_format.hpp>
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

/// λ on edges and μ on non-edges, each strictly increasing by pair.
struct Multipliers {
  std::vector<Multiplier> edges;
  std::vector<Multiplier> nonedges;
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

/// One head with edges scoring in [1, edge_ratio] and all other pairs in [-nonedge_ratio,
/// nonedge_ratio], on a permutation of `vertices`, needs min(d_k, rank X) >= rank (theory.md, B4);
/// the witness is the power t with C(rank-1+t-1, t)·(ρ^2t + (m-1)ε^2t) < m.
struct MarginBound {
  Integer vertices;
  Rational edge_ratio;
  Rational nonedge_ratio;
  Integer power;
  Integer rank;
};

/// An induced matching: no channel of fewer than heads() heads, all of width one, recognises the
/// graph on any embedding (theory.md, B5).
struct UnitHeadsBound {
  Graph graph;
  std::vector<Edge> matching;

  std::size_t heads() const { return matching.size() / 2 + matching.size() % 2; }
};

/// On every embedding of this d_model, single heads recognise at most single_head_graphs < |family|
/// graphs of the family; on this embedding a unit head per edge serves all of them (theory.md,
/// advantage theorem).
struct ClassAdvantage {
  Family family;
  Matrix embedding;
  Integer single_head_graphs;
};

/// Multipliers that prove that no single head of width up to `width` with integer weights up to
/// `weight_max` recognises the graph with a threshold decoder (theory.md, B3″).
struct NarrowHeadImpossibility {
  Graph graph;
  Matrix embedding;
  Integer width;
  Integer weight_max;
  Multipliers multipliers;
};

/// Edges of which no single head, of any key dimension and any real weights, holds two: every
/// channel that recognises the graph with threshold-max has at least as many heads (theory.md,
/// B3′). `clashes` has the multipliers of the pairs (0,1), (0,2), …, (1,2), … of the clique.
struct HeadsCliqueBound {
  Graph graph;
  Matrix embedding;
  std::vector<Edge> clique;
  std::vector<Multipliers> clashes;
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

/// On this embedding `heads` heads of width one, one for each edge, serve every graph of the family:
/// every row dominates (theory.md, section 3, `edge-per-head`).
struct UniversalEdgePerHead {
  Family family;
  Matrix embedding;
  Integer heads;
};

/// On this embedding `heads` heads of width one, one for each two edges, serve every graph of the
/// family (theory.md, section 3, `edge-pairs`). Row k of `vectors` is the witness that pairs[k], i < j,
/// is a good pair.
struct UniversalEdgePairs {
  Family family;
  Matrix embedding;
  std::vector<Edge> pairs;  ///< strictly increasing
  Matrix vectors;
  Integer heads;
};

/// The channel recovers the neighbours of every context of at most context_size vertices under
/// softmax with a null key (theory.md, Theorem 2): v is declared a neighbour of u in C iff some head k
/// gives it the weight e^(βS^k_uv) / (e^(βτ) + Σ_{w∈C} e^(βS^k_uw)) > θ.
struct SoftmaxRecovery {
  Graph graph;
  Matrix embedding;
  Integer threshold;     ///< τ
  Rational beta;         ///< > 0
  Rational theta;        ///< 0 < θ < 1
  Integer context_size;  ///< ℓ >= 2; more than all vertices stands for all
  Channel channel;
  /// For each edge, in order, a head that recovers it in every context.
  std::vector<std::size_t> recovering_heads;
};

/// The channel, its embedding times 2^embedding_scale and its weights times 2^weight_scale, decides
/// every pair under threshold-max as exact arithmetic does when it is evaluated in `format` with
/// sums in fp32, in any order (theory.md, Theorem 3).
struct FloatSafeClaim {
  FloatFormat format;
  Integer embedding_scale;
  Integer weight_scale;
  Graph graph;
  Matrix embedding;
  Integer threshold;
  Channel channel;
};

using Claim =
    std::variant<RecoveryClaim, SingleHeadImpossibility, CountingBound, MarginBound, UnitHeadsBound,
                 ClassAdvantage, NarrowHeadImpossibility, HeadsCliqueBound, RandomCountingBound,
                 ColumnsBound, WarrenBound, WarrenRanksBound, SingleHeadClassImpossibility,
                 HeadsBound, UniversalEdgePerHead, UniversalEdgePairs, SoftmaxRecovery,
                 FloatSafeClaim>;

}  // namespace qkcert
