#include <algorithm>
#include <array>
#include <qkcert/core/decimal.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/reports/html.hpp>

namespace qkcert {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

/// The length of the UTF-8 sequence at the start of `text`; 0 when there is none (RFC 3629).
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const auto continued = [&](std::size_t count) {
    for (std::size_t i = 1; i <= count; ++i)
      if ((byte(i) & 0xC0) != 0x80) return false;
    return true;
  };
  const unsigned first = byte(0), second = byte(1);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return continued(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F)) return 0;
    return continued(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    if ((first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F)) return 0;
    return continued(3) ? 4 : 0;
  }
  return 0;
}

std::string_view escaped(char c) {
  switch (c) {
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '&':
      return "&amp;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

void erase_between(std::string& text, const std::string& begin, const std::string& end) {
  for (auto at = text.find(begin); at != text.npos; at = text.find(begin, at)) {
    const auto stop = text.find(end, at + begin.size());
    if (stop == text.npos) return;
    text.erase(at, stop + end.size() - at);
  }
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

}  // namespace

std::string html_text(std::string_view text, std::size_t most) {
  std::string result;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t length = sequence_length(text.substr(at));
    if (at + std::max<std::size_t>(length, 1) > most) return result + "…";
    const char c = text[at];
    const bool control =
        length == 1 &&
        ((static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7f);
    if (length == 0 || control)
      result += replacement;
    else if (const std::string_view entity = escaped(c); length == 1 && !entity.empty())
      result += entity;
    else
      result += text.substr(at, length);
    at += std::max<std::size_t>(length, 1);
  }
  return result;
}

std::string html_word(std::string_view word) { return "<bdi>" + html_text(word, 80) + "</bdi>"; }

HtmlCell number_cell(const Integer& value) {
  const std::string text = to_decimal(value);
  return {text, text, true};
}

HtmlCell ratio_cell(const Rational& value, const std::string& printed) {
  return {html_text(printed), to_decimal(numerator(value)) + "/" + to_decimal(denominator(value)),
          true};
}

std::string html_table(const HtmlTable& table) {
  for (const auto& row : table.rows)
    require(row.size() == table.headers.size(), "html_table: a cell for each header is required");
  const std::string caption = html_text(table.caption);
  std::string text = "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"" +
                     caption + "\">\n<table" + (table.sortable ? " class=\"sortable\"" : "") +
                     "><caption>" + caption + "</caption>\n<thead><tr>";
  for (std::size_t i = 0; i < table.headers.size(); ++i) {
    const bool number = std::any_of(table.rows.begin(), table.rows.end(),
                                    [i](const auto& row) { return row[i].number; });
    text += std::string("<th scope=\"col\"") + (number ? " class=\"number\"" : "") + ">" +
            html_text(table.headers[i]) + "</th>";
  }
  text += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    text += "<tr>";
    for (const HtmlCell& cell : row)
      text += std::string("<td") + (cell.number ? " class=\"number\"" : "") +
              (cell.value.empty() || cell.value == cell.html
                   ? ""
                   : " data-value=\"" + html_text(cell.value) + "\"") +
              ">" + cell.html + "</td>";
    text += "</tr>\n";
  }
  return text + "</tbody></table>\n</div>\n";
}

std::string inline_svg(std::string_view svg, const std::string& prefix, const std::string& label) {
  const std::size_t begin = svg.find("<svg");
  require(begin != svg.npos, "inline_svg: an SVG is required");
  std::string text(svg.substr(begin));
  erase_between(text, "<title>", "</title>");
  erase_between(text, "<desc>", "</desc>");
  erase_between(text, " id=\"", "\"");
  replace_all(text, "\t", "");
  while (text.find("\n\n") != text.npos) replace_all(text, "\n\n", "\n");
  replace_all(text, " id='", " id='" + prefix);
  replace_all(text, "xlink:href='#", "href='#" + prefix);
  return text.replace(0, 4, "<svg role=\"img\" aria-label=\"" + html_text(label) + "\"");
}

std::string filled(std::string_view frame,
                   const std::vector<std::pair<std::string, std::string>>& values) {
  std::string result;
  while (!frame.empty()) {
    const std::size_t at = frame.find('@');
    result += frame.substr(0, at);
    if (at == frame.npos) break;
    frame.remove_prefix(at);
    const auto found = std::find_if(values.begin(), values.end(), [&](const auto& value) {
      return frame.starts_with("@" + value.first + "@");
    });
    result += found == values.end() ? "@" : found->second;
    frame.remove_prefix(found == values.end() ? 1 : found->first.size() + 2);
  }
  return result;
}

std::string base64_of_hex(std::string_view hex) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  constexpr std::string_view hex_digits = "0123456789abcdef";
  require(hex.size() % 2 == 0, "base64_of_hex: whole bytes are required");
  std::string result;
  unsigned held = 0, bits = 0;
  for (const char c : hex) {
    const std::size_t value = hex_digits.find(c);
    require(value != hex_digits.npos, "base64_of_hex: a hex digit is required");
    held = (held << 4) | static_cast<unsigned>(value);
    bits += 4;
    if (bits < 6) continue;
    bits -= 6;
    result += digits[(held >> bits) & 63];
  }
  if (bits > 0) result += digits[(held << (6 - bits)) & 63];
  while (result.size() % 4 != 0) result += '=';
  return result;
}

}  // namespace qkcert
