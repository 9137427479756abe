#pragma once
/// Plain text made safe for other formats.

#include <string>
#include <string_view>

namespace qkcert {

/// `text` as it appears in LaTeX's text mode: no character of it is markup. `D_K`, `d_model` and
/// powers such as `2^-20` are set as the symbols they stand for, and Greek letters and the common
/// signs of mathematics as such; other letters beyond ASCII are left to the document's fonts.
std::string latex_text(std::string_view text);

/// `text` in typewriter letters; a line may break behind `/`, `-` and `_`, or after 16 others.
std::string latex_code(std::string_view text);

/// `text` as it appears in a line of Markdown, in a cell of a table too: no character of it is
/// markup. Require: no line break.
std::string markdown_text(std::string_view text);

/// A field of CSV, in quotes where RFC 4180 asks for them.
std::string csv_field(std::string_view text);

}  // namespace qkcert
