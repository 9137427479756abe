#include <qkcert/reports/junit.hpp>
#include <qkcert/reports/utf8.hpp>

namespace qkcert {

namespace {

using Outcome = ClaimResult::Outcome;

std::string escaped(const std::string& text) {
  std::string xml;
  for (const char c : valid_utf8(text)) {
    if (c == '&')
      xml += "&amp;";
    else if (c == '<')
      xml += "&lt;";
    else if (c == '>')
      xml += "&gt;";
    else if (c == '"')
      xml += "&quot;";
    else if (c == '\n')
      xml += "&#10;";
    else if (c == '\t')
      xml += "&#9;";
    else if (static_cast<unsigned char>(c) < 0x20)
      xml += "\xef\xbf\xbd";
    else
      xml += c;
  }
  return xml;
}

std::string attribute(const char* name, const std::string& value) {
  return std::string(" ") + name + "=\"" + escaped(value) + "\"";
}

std::string counts(const ClaimResults& results) {
  return attribute("tests", std::to_string(results.claims.size())) +
         attribute("failures", std::to_string(results.count(Outcome::failed))) +
         attribute("errors", std::to_string(results.count(Outcome::error)));
}

std::string test_case(const CheckedClaim& claim, const std::string& path) {
  std::string xml = "    <testcase" + attribute("classname", path) +
                    attribute("name", claim.id.empty() ? "(no id)" : claim.id) +
                    attribute("file", path) + attribute("line", std::to_string(claim.place.line));
  if (claim.result.outcome == Outcome::passed) return xml + "/>\n";
  const std::string element = claim.result.outcome == Outcome::failed ? "failure" : "error";
  xml += ">\n      <" + element + attribute("type", element) +
         attribute("message", claim.message()) + ">";
  if (!claim.statement.empty())
    xml += escaped(claim.statement) + "\n" + escaped("Source: " + claim.source) + "\n";
  return xml + escaped(path) + ":" + std::to_string(claim.place.line) + ":" +
         std::to_string(claim.place.column) + "</" + element + ">\n    </testcase>\n";
}

}  // namespace

std::string to_junit(const ClaimResults& results) {
  std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" +
                    attribute("name", "qkcert check") + counts(results) + ">\n  <testsuite" +
                    attribute("name", results.path) + counts(results) + ">\n";
  for (const CheckedClaim& claim : results.claims) xml += test_case(claim, results.path);
  return xml + "  </testsuite>\n</testsuites>\n";
}

}  // namespace qkcert
