#pragma once
/// B5, how many heads of width one a graph needs (theory.md, section 2).

#include <qkcert/core/claim.hpp>

namespace qkcert {

/// A large induced matching: edges (u_i, v_i) with all cross pairs (u_i, v_j), i ≠ j, non-edges.
///
/// Ensure   strictly increasing, induced, and maximal: no further edge can be added. All edges when
///          no two edges share a source or a target (permutations, matchings). It need not be a
///          largest one. The same graph gives the same matching.
/// Cost     greedy, edges of few neighbours first, then exchanges of one edge for two, which stop
///          after about 2^26 steps; O(m + m') memory.
UnitHeadsBound unit_heads_bound(const Graph& graph);

}  // namespace qkcert
