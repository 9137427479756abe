#pragma once
/// Edge lists (.tsv, .txt, SNAP style).

#include <optional>
#include <qkcert/core/graph.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace qkcert {

/// No graph with more vertices is read: Graph takes 8 bytes a vertex, here 2 GiB, and one line of a
/// file must not claim more. (A check of all pairs ends long before: 2^56 of them.)
inline constexpr std::size_t max_vertices = std::size_t{1} << 28;

/// One vertex name a line, the line number counted from 0 being its id. CRLF is read like LF, and
/// bytes are taken as they are (UTF-8 or not).
///
/// Errors  FormatError for an empty name or one that stands twice (both lines are named).
std::vector<std::string> parse_vertex_names(std::string_view bytes, const std::string& source);

/// A graph from lines `source target`.
///
/// Columns   A tab always separates, spaces do in runs; spaces beside a tab or at an end of the
///           line say nothing. So `1<TAB><TAB>2` has three columns, the second one empty.
/// Accepts   blank lines; lines whose first column begins with `#` or `%`, as comments; CRLF; no
///           final newline; edges in any order; loops. Ids are 0-based integers in canonical
///           decimal spelling. With `names`, both columns are names instead.
/// Vertices  `vertices` when given (an id beyond it is an error), else the number of names, else
///           the largest id + 1; at most max_vertices.
/// Cost      O(n log n) for n edges, plus O(vertices).
/// Errors    FormatError with the line: not two columns (a third one, such as a weight, would be
///           dropped silently), an id that is not a canonical integer or is out of range, an
///           unknown name, an edge that stands twice (both lines are named). UsageError when
///           `vertices` and the number of names differ, or when a name stands twice or looks like a
///           comment. SizeError when there are more than max_vertices.
///
/// Example   parse_edge_list("0\t1\n2\t0\n", "example") has 3 vertices and 2 edges.
Graph parse_edge_list(std::string_view bytes, const std::string& source,
                      std::optional<std::size_t> vertices = {},
                      const std::optional<std::vector<std::string>>& names = {});

/// The edges as `source<TAB>target` lines in increasing order: parse_edge_list reads them back,
/// given the number of vertices.
std::string format_edge_list(const Graph& graph);

}  // namespace qkcert
