#pragma once
/// HTML from parts. Whatever comes from a file passes through html_text.

#include <qkcert/core/integer.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace qkcert {

/// `text` as text or as the value of an attribute in quotes: `<`, `>`, `&` and both quotes are
/// escaped; control characters and bytes that are no UTF-8 are replaced by U+FFFD; of more than
/// `most` bytes the beginning is kept, and an ellipsis.
std::string html_text(std::string_view text, std::size_t most = 4096);

/// A name or word from a file: as html_text, at most 80 bytes, and unable to turn the direction of the
/// text around it.
std::string html_word(std::string_view word);

/// A cell of a table: its HTML, and what it is sorted by, `p` or `p/q` for numbers; empty: its text.
struct HtmlCell {
  std::string html;
  std::string value = {};
  bool number = false;
};
HtmlCell number_cell(const Integer& value);
/// The decimals printed, with the exact value beside them.
HtmlCell ratio_cell(const Rational& value, const std::string& printed);

struct HtmlTable {
  std::string caption;               ///< plain text
  std::vector<std::string> headers;  ///< plain text
  std::vector<std::vector<HtmlCell>> rows;
  bool sortable = true;
};

/// In a box of its own that scrolls sideways, also by keyboard.
std::string html_table(const HtmlTable& table);

/// An SVG of gnuplot's for the inside of a page: without prolog and titles, its ids made unique by
/// `prefix`, described by `label`.
std::string inline_svg(std::string_view svg, const std::string& prefix, const std::string& label);

/// `frame` with each `@name@` replaced by its value, whatever that contains.
std::string filled(std::string_view frame,
                   const std::vector<std::pair<std::string, std::string>>& values);

/// Base64 of the bytes that `hex` spells. Require: an even number of hex digits.
std::string base64_of_hex(std::string_view hex);

}  // namespace qkcert
