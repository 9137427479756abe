#pragma once
/// Edges spread evenly over colours: König's edge colouring of a directed graph.
///
/// Each edge (u, v) joins u on one side to v on the other, so out-degrees and in-degrees are the
/// degrees of a bipartite graph, the bipartite double cover; a loop counts once on either side.
///
///   Claim  For every k >= 1 there are k colours such that each colour leaves every vertex at most
///          ⌈out-degree/k⌉ times, enters it at most ⌈in-degree/k⌉ times, and is on ⌊m'/k⌋ or
///          ⌈m'/k⌉ edges.
///   Proof  On each side split every vertex into as many vertices as it has groups of k edges (the
///          last may be smaller): the degrees are now at most k, and it suffices that no split
///          vertex has a colour twice. Colour the edges one by one. For the edge (u, v) take a
///          colour a that u has not, and b that v has not; both exist. If v has a, swap a and b on
///          the path of these two colours that starts at v. It comes to a vertex of u's side
///          through a only, so it does not meet u; now v has not a, nor has u, and the edge gets a.
///          Sizes: if a is on at least two edges more than b, then among the paths and cycles that
///          a and b form, some path begins and ends with a. Swapping it keeps the colouring and
///          moves one edge from a to b.  (end)
///
/// So k = max(out-degrees, in-degrees) colours suffice for matchings (each vertex left at most once
/// and entered at most once: partial permutations), and fewer never do.

#include <qkcert/core/graph.hpp>

namespace qkcert {

/// The colour, 0, …, colours - 1, of each of the edges, as in the claim. It depends on their order.
///
/// Require  both ends below `vertices`; distinct edges; colours >= 1.
/// Cost     memory O(m + m' + colours); O(m'·(m + colours)) steps to colour, and O(m') for each of
///          O(colours·log m') passes that even out two sizes (a pass lessens the sizes' variance by
///          its 2·colours-th part or more).
/// Errors   ShapeError.
/// Source   D. König, Math. Ann. 77 (1916) 453; the sizes: D. de Werra, INFOR 9 (1971) 68.
std::vector<std::size_t> edge_colours(std::size_t vertices, std::span<const Edge> edges,
                                      std::size_t colours);

/// The edges of each colour, in their given order: `colours` blocks, some empty if the edges are
/// fewer. Require, cost and errors: those of edge_colours.
std::vector<std::vector<Edge>> colour_blocks(std::size_t vertices, std::span<const Edge> edges,
                                             std::size_t colours);

/// The fewest colours that split the edges into matchings: the largest out- or in-degree.
std::size_t matchings_needed(const Graph& graph);

}  // namespace qkcert
