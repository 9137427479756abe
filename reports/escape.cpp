#include <qkcert/reports/escape.hpp>
#include <utility>

namespace qkcert {

namespace {

using Replacement = std::pair<std::string_view, std::string_view>;

/// Longer ones before their beginnings.
constexpr Replacement latex_replacements[] = {
    {"D_K", "$D_K$"},
    {"d_model", "$d_{\\mathrm{model}}$"},
    {"\\", "\\textbackslash{}"},
    {"~", "\\textasciitilde{}"},
    {"^", "\\textasciicircum{}"},
    {"\"", "\\symbol{34}"},
    {"<", "\\textless{}"},
    {">", "\\textgreater{}"},
    {"|", "\\textbar{}"},
    {"`", "\\symbol{96}"},
    {"{", "\\{"},
    {"}", "\\}"},
    {"&", "\\&"},
    {"%", "\\%"},
    {"$", "\\$"},
    {"#", "\\#"},
    {"_", "\\_"},
    {"–", "--"},
    {"—", "---"},
    {"’", "'"},
    {"‘", "`"},
    {"“", "``"},
    {"”", "''"},
    {"…", "\\ldots{}"},
    {"\u00a0", "~"},
    {"≤", "$\\le$"},
    {"≥", "$\\ge$"},
    {"≠", "$\\ne$"},
    {"≈", "$\\approx$"},
    {"×", "$\\times$"},
    {"·", "$\\cdot$"},
    {"±", "$\\pm$"},
    {"−", "$-$"},
    {"→", "$\\to$"},
    {"∞", "$\\infty$"},
    {"∈", "$\\in$"},
    {"²", "$^2$"},
    {"³", "$^3$"},
    {"√", "$\\surd$"},
    {"α", "$\\alpha$"},
    {"β", "$\\beta$"},
    {"γ", "$\\gamma$"},
    {"δ", "$\\delta$"},
    {"ε", "$\\varepsilon$"},
    {"θ", "$\\theta$"},
    {"λ", "$\\lambda$"},
    {"μ", "$\\mu$"},
    {"π", "$\\pi$"},
    {"ρ", "$\\rho$"},
    {"σ", "$\\sigma$"},
    {"τ", "$\\tau$"},
    {"φ", "$\\varphi$"},
    {"ω", "$\\omega$"},
    {"Γ", "$\\Gamma$"},
    {"Δ", "$\\Delta$"},
    {"Σ", "$\\Sigma$"},
    {"Ω", "$\\Omega$"},
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The length of `^20` or `^-20` at the beginning of `text`, else 0.
std::size_t power_length(std::string_view text) {
  if (!text.starts_with('^')) return 0;
  const std::size_t first = text.starts_with("^-") ? 2 : 1;
  std::size_t end = first;
  while (end < text.size() && is_digit(text[end])) ++end;
  return end == first ? 0 : end;
}

/// What stands for the beginning of `text`, and how long that beginning is.
std::pair<std::string, std::size_t> latex_beginning(std::string_view text) {
  if (const std::size_t length = power_length(text))
    return {"$^{" + std::string(text.substr(1, length - 1)) + "}$", length};
  if (text.starts_with("--")) return {"-{}", 1};  // else the two are one dash
  for (const auto& [plain, latex] : latex_replacements)
    if (text.starts_with(plain)) return {std::string(latex), plain.size()};
  return {std::string(1, text[0]), 1};
}

}  // namespace

std::string latex_text(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const auto [latex, length] = latex_beginning(text);
    result += latex;
    text.remove_prefix(length);
  }
  return result;
}

std::string latex_code(std::string_view text) {
  std::string result = "\\texttt{";
  std::size_t unbroken = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    // One byte at a time, so that no symbol is made of several: a path stays a path.
    result +=
        static_cast<unsigned char>(c) < 0x80 ? latex_text(text.substr(i, 1)) : std::string(1, c);
    const bool inside_letter =
        i + 1 < text.size() && (static_cast<unsigned char>(text[i + 1]) & 0xC0) == 0x80;
    ++unbroken;
    if (inside_letter || i + 1 == text.size()) continue;
    if (c != '/' && c != '-' && c != '_' && unbroken < 16) continue;
    result += "\\allowbreak{}";
    unbroken = 0;
  }
  return result + "}";
}

std::string markdown_text(std::string_view text) {
  constexpr std::string_view special = "\\`*_{}[]<>|#~$&!";
  std::string result;
  for (const char c : text) {
    if (special.find(c) != special.npos) result += '\\';
    result += c;
  }
  return result;
}

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == text.npos) return std::string(text);
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? "\"\"" : std::string(1, c);
  return result + "\"";
}

}  // namespace qkcert
