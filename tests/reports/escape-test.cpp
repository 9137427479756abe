#include <qkcert/reports/escape.hpp>

#include "support.hpp"

namespace qkcert::test {
namespace {

/// What a Markdown reader makes of escaped text.
std::string unescaped(const std::string& markdown) {
  std::string text;
  for (std::size_t i = 0; i < markdown.size(); ++i) {
    if (markdown[i] == '\\' && i + 1 < markdown.size()) ++i;
    text += markdown[i];
  }
  return text;
}

/// The fields of one line of CSV without its line end.
std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
      fields.back() += line[i++];
    else if (line[i] == '"')
      quoted = !quoted;
    else if (line[i] == ',' && !quoted)
      fields.emplace_back();
    else
      fields.back() += line[i];
  }
  return fields;
}

std::string random_text(Random& random) {
  constexpr std::string_view letters = "ab \\`*_{}[]<>|#~$&!\"',;^%-:/()\t";
  std::string text;
  for (std::size_t left = random.below(12); left > 0; --left)
    text += letters[random.below(letters.size())];
  return text;
}

}  // namespace

TEST_CASE("LaTeX's special characters are text", "[tables]") {
  CHECK(latex_text("50% of {a}_b & c#1 $2") == "50\\% of \\{a\\}\\_b \\& c\\#1 \\$2");
  CHECK(latex_text("\\x~^") == "\\textbackslash{}x\\textasciitilde{}\\textasciicircum{}");
  CHECK(latex_text("<a|b> \"c\" `d") ==
        "\\textless{}a\\textbar{}b\\textgreater{} \\symbol{34}c\\symbol{34} \\symbol{96}d");
  CHECK(latex_text("a - b -- c --- d") == "a - b -{}- c -{}-{}- d");
  CHECK(latex_text("D_K ≥ τ, d_model × 2 – …") ==
        "$D_K$ $\\ge$ $\\tau$, $d_{\\mathrm{model}}$ $\\times$ 2 -- \\ldots{}");
  CHECK(latex_text("2^-20, m^2 ^- ^x ^") ==
        "2$^{-20}$, m$^{2}$ \\textasciicircum{}- \\textasciicircum{}x \\textasciicircum{}");
  CHECK(latex_text("Schläfli") == "Schläfli");
  CHECK(latex_text("") == "");
}

TEST_CASE("code stays as it is spelled and may break", "[tables]") {
  CHECK(latex_code("a/b-c_d") == "\\texttt{a/\\allowbreak{}b-\\allowbreak{}c\\_\\allowbreak{}d}");
  CHECK(latex_code("D_K") == "\\texttt{D\\_\\allowbreak{}K}");
  CHECK(latex_code(std::string(17, 'a')) ==
        "\\texttt{" + std::string(16, 'a') + "\\allowbreak{}a}");
  CHECK(latex_code("a^2") == "\\texttt{a\\textasciicircum{}2}");
  CHECK(latex_code("üü") == "\\texttt{üü}");
}

TEST_CASE("Markdown and CSV give back any text", "[tables]") {
  CHECK(markdown_text("a|b_c*") == "a\\|b\\_c\\*");
  CHECK(csv_field("plain; text") == "plain; text");
  CHECK(csv_field("a,b") == "\"a,b\"");
  CHECK(csv_field("say \"x\"") == "\"say \"\"x\"\"\"");
  CHECK(csv_field("two\nlines") == "\"two\nlines\"");
  CHECK(csv_field("a\r") == "\"a\r\"");
  repeat(300, [](Random& random) {
    const std::string text = random_text(random), other = random_text(random);
    CHECK(unescaped(markdown_text(text)) == text);
    CHECK(fields_of(csv_field(text) + "," + csv_field(other)) ==
          std::vector<std::string>{text, other});
    const std::string escaped = markdown_text(text);
    for (std::size_t at = 0; (at = escaped.find('|', at)) != std::string::npos; ++at)
      CHECK(escaped[at - 1] == '\\');
  });
}

}  // namespace qkcert::test
