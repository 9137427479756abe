#pragma once
/// Lists of contexts: the sets of vertices that a decoder is to be right on.

#include <string>
#include <string_view>
#include <vector>

namespace qkcert {

/// One context a line: vertices from 0 to `vertices` - 1 in canonical decimal spelling, separated by
/// runs of spaces and tabs, in any order.
///
/// Accepts  blank lines; lines whose first word begins with `#` or `%`, as comments; CRLF; no final
///          newline; a context that stands twice.
/// Ensure   each context is not empty and increasing; they are in the order of the lines.
/// Errors   FormatError with the line: anything that is no vertex, or a vertex that stands twice.
std::vector<std::vector<std::size_t>> parse_contexts(std::string_view bytes,
                                                     const std::string& source,
                                                     std::size_t vertices);

}  // namespace qkcert
