#include <nlohmann/json.hpp>
#include <qkcert/core/version.hpp>
#include <qkcert/reports/sarif.hpp>

namespace qkcert {

namespace {

using Json = nlohmann::ordered_json;
using Outcome = ClaimResult::Outcome;

/// A path as the URI reference of RFC 3986: relative, or `file:///…` for an absolute one.
std::string uri(std::string path) {
  static constexpr char hex[] = "0123456789ABCDEF";
  while (path.starts_with("./")) path.erase(0, 2);
  std::string text = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~/").find(c) != std::string_view::npos;
    if (plain)
      text += c;
    else
      text += {'%', hex[byte >> 4], hex[byte & 15]};
  }
  return text;
}

Json rule(const char* id, const char* text) {
  return {{"id", id},
          {"shortDescription", {{"text", text}}},
          {"defaultConfiguration", {{"level", "error"}}}};
}

Json result(const CheckedClaim& claim, const std::string& path) {
  const bool failed = claim.result.outcome == Outcome::failed;
  Json json;
  json["ruleId"] = failed ? "claim-failed" : "claim-error";
  json["ruleIndex"] = failed ? 0 : 1;
  json["level"] = "error";
  json["message"]["text"] = (claim.id.empty() ? "" : claim.id + ": ") + claim.message();
  Json place;
  place["artifactLocation"]["uri"] = uri(path);
  place["region"] = {{"startLine", claim.place.line}, {"startColumn", claim.place.column}};
  json["locations"] = Json::array({{{"physicalLocation", place}}});
  if (!claim.id.empty()) json["partialFingerprints"]["claimId/v1"] = claim.id;
  if (!claim.statement.empty())
    json["properties"] = {{"statement", claim.statement}, {"source", claim.source}};
  return json;
}

}  // namespace

std::string to_sarif(const ClaimResults& results) {
  Json run;
  run["tool"]["driver"] = {
      {"name", "qkcert"},
      {"version", std::string(version())},
      {"rules", Json::array({rule("claim-failed", "A theory claim does not hold as stated."),
                             rule("claim-error", "A theory claim could not be decided.")})}};
  run["invocations"] = Json::array({{{"executionSuccessful", results.count(Outcome::error) == 0}}});
  run["columnKind"] = "unicodeCodePoints";
  run["results"] = Json::array();
  for (const CheckedClaim& claim : results.claims)
    if (claim.result.outcome != Outcome::passed)
      run["results"].push_back(result(claim, results.path));
  Json json;
  json["$schema"] = "https://json.schemastore.org/sarif-2.1.0.json";
  json["version"] = "2.1.0";
  json["runs"] = Json::array({run});
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace qkcert
