#include <qkcert/io/children.hpp>
#include <qkcert/io/file.hpp>
#include <qkcert/reports/claims_check.hpp>
#include <qkcert/reports/json_number.hpp>
#include <qkcert/search/state_file.hpp>
#include <qkcert/verify/sha256.hpp>

namespace qkcert {

namespace {

using Json = nlohmann::ordered_json;
using Outcome = ClaimResult::Outcome;

std::string to_bytes(const ClaimResult& result) {
  Json json;
  json["outcome"] = static_cast<int>(result.outcome);
  json["detail"] = result.detail;
  json["mismatches"] = Json::array();
  for (const auto& [name, expected, found] : result.mismatches)
    json["mismatches"].push_back({name, expected, found});
  return json_line(json);
}

/// Errors: nlohmann's for other bytes than to_bytes() makes.
ClaimResult from_bytes(const std::string& bytes) {
  const Json json = Json::parse(bytes);
  ClaimResult result{json.at("outcome").get<int>() == 0 ? Outcome::passed : Outcome::failed,
                     {},
                     json.at("detail").get<std::string>()};
  for (const Json& each : json.at("mismatches"))
    result.mismatches.push_back({each.at(0), each.at(1), each.at(2)});
  return result;
}

/// Results of earlier runs, one file each.
class Cache {
 public:
  explicit Cache(const CheckOptions& options) : folder_(options.cache), program_(options.program) {
    if (!folder_) return;
    make_directory(*folder_);
    require_writable(*folder_ + "/entry");
  }

  /// Empty without a cache, or when a file cannot be read: deciding will tell.
  std::string key(const TheoryClaim& claim) const {
    if (!folder_) return {};
    std::string content = program_ + "\n" + claim.canonical + "\n";
    try {
      for (const std::string& path : claim.work.inputs)
        content += sha256(read_file(path)) + " " + path + "\n";
    } catch (const FileError&) {
      return {};
    }
    return sha256(content);
  }

  std::optional<ClaimResult> load(const std::string& key) const {
    if (key.empty() || !file_exists(path(key))) return std::nullopt;
    try {
      return from_bytes(read_state(read_file(path(key)), key, path(key)));
    } catch (const Error&) {
    } catch (const Json::exception&) {
    }
    return std::nullopt;
  }

  void save(const std::string& key, const std::string& bytes) const {
    if (!key.empty()) write_file(path(key), write_state(key, bytes));
  }

 private:
  std::string path(const std::string& key) const { return *folder_ + "/" + key; }

  std::optional<std::string> folder_;
  std::string program_;
};

std::string one_line(std::string text) {
  for (char& c : text)
    if (c == '\n' || c == '\r') c = ' ';
  return text;
}

}  // namespace

ClaimResult decide(const TheoryClaim& claim) {
  const Observations found = claim.work.observe();
  ClaimResult result{Outcome::passed, mismatches(claim.expectations, found),
                     one_line(found.detail)};
  if (!result.mismatches.empty()) result.outcome = Outcome::failed;
  return result;
}

ClaimResults check_claims(const ClaimsFile& file, const CheckOptions& options) {
  ClaimResults results{file.path, {}};
  const Cache cache(options);
  std::vector<std::size_t> open;  // those to be decided
  std::vector<std::string> keys;
  for (const TheoryClaim& claim : file.claims) {
    CheckedClaim checked{claim.id, claim.statement, claim.source, claim.kind, claim.place, {}};
    if (claim.mistake) {
      checked.place = claim.mistake->place;
      checked.result.detail = claim.mistake->reason;
    } else if (std::string key = cache.key(claim); auto known = cache.load(key)) {
      checked.result = *std::move(known);
      checked.unchanged = true;
    } else {
      open.push_back(results.claims.size());
      keys.push_back(std::move(key));
    }
    results.claims.push_back(std::move(checked));
  }
  const ChildOptions children{
      .at_once = options.jobs,
      .limit =
          [&](std::size_t i) {
            return file.claims[open[i]].time_limit.value_or(options.time_limit);
          },
      .memory = options.memory,
      .stop = options.stop};
  call_in_children(
      open.size(), children, [&](std::size_t i) { return to_bytes(decide(file.claims[open[i]])); },
      [&](std::size_t i, const ChildResult& child) {
        ClaimResult& result = results.claims[open[i]].result;
        if (child.returned) {
          result = from_bytes(*child.returned);
          try {
            cache.save(keys[i], *child.returned);
          } catch (const FileError& error) {
            results.cache_failure = error.what();
          }
        } else {
          result.detail = one_line(child.reason);
        }
      });
  return results;
}

}  // namespace qkcert
