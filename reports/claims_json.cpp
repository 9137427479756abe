#include <algorithm>
#include <qkcert/reports/claims_json.hpp>
#include <qkcert/reports/json_number.hpp>

namespace qkcert {

namespace {

using Json = nlohmann::ordered_json;
using Outcome = ClaimResult::Outcome;

Json or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

}  // namespace

std::string to_json(const ClaimResults& results) {
  Json json;
  json["file"] = results.path;
  json["status"] = to_text(results.outcome());
  json["passed"] = results.count(Outcome::passed);
  json["failed"] = results.count(Outcome::failed);
  json["errors"] = results.count(Outcome::error);
  json["claims"] = Json::array();
  for (const CheckedClaim& claim : results.claims) {
    Json each;
    each["id"] = or_null(claim.id);
    each["statement"] = or_null(claim.statement);
    each["source"] = or_null(claim.source);
    each["kind"] = or_null(claim.kind);
    each["line"] = claim.place.line;
    each["column"] = claim.place.column;
    each["result"] = to_text(claim.result.outcome);
    each["mismatches"] = Json::array();
    for (const auto& [name, expected, found] : claim.result.mismatches)
      each["mismatches"].push_back({{"name", name}, {"expected", expected}, {"found", found}});
    each["detail"] = claim.result.detail;
    json["claims"].push_back(std::move(each));
  }
  return json_line(json);
}

std::string to_text(const ClaimResults& results) {
  std::string text;
  for (const CheckedClaim& claim : results.claims) {
    text += std::string(to_text(claim.result.outcome)) + (claim.id.empty() ? "" : " " + claim.id);
    if (claim.result.outcome != Outcome::passed)
      text += "\n  " + results.path + ":" + std::to_string(claim.place.line) + ":" +
              std::to_string(claim.place.column) + ": " + claim.message();
    text += "\n";
  }
  const auto unchanged = std::ranges::count_if(results.claims, &CheckedClaim::unchanged);
  text += std::to_string(results.claims.size()) +
          " claims: " + std::to_string(results.count(Outcome::passed)) + " passed, " +
          std::to_string(results.count(Outcome::failed)) + " failed, " +
          std::to_string(results.count(Outcome::error)) + " errors";
  if (unchanged > 0) text += "; " + std::to_string(unchanged) + " unchanged, from the cache";
  return text + "\n";
}

}  // namespace qkcert
