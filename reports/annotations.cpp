#include <qkcert/reports/annotations.hpp>

namespace qkcert {

namespace {

/// As GitHub's toolkit escapes data, and properties, where `:` and `,` have a meaning of their own.
std::string escaped(const std::string& text, bool property) {
  std::string safe;
  for (const char c : text) {
    if (c == '%')
      safe += "%25";
    else if (c == '\r')
      safe += "%0D";
    else if (c == '\n')
      safe += "%0A";
    else if (property && c == ':')
      safe += "%3A";
    else if (property && c == ',')
      safe += "%2C";
    else
      safe += c;
  }
  return safe;
}

}  // namespace

std::string to_annotations(const ClaimResults& results) {
  std::string lines;
  for (const CheckedClaim& claim : results.claims) {
    if (claim.result.outcome == ClaimResult::Outcome::passed) continue;
    const std::string title =
        (claim.id.empty() ? "claim" : claim.id) + ": " + std::string(to_text(claim.result.outcome));
    lines += "::error file=" + escaped(results.path, true) +
             ",line=" + std::to_string(claim.place.line) +
             ",col=" + std::to_string(claim.place.column) + ",title=" + escaped(title, true) +
             "::" + escaped(claim.message(), false) + "\n";
  }
  return lines;
}

}  // namespace qkcert
