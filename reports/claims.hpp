#pragma once
/// A file of theory claims, and the result of each (docs/claims.md).
///
///   ClaimsFile file = parse_claims(read_file(path), path);
///   const ClaimResults results = check_claims(file, options);   // reports/claims_check.hpp

#include <chrono>
#include <optional>
#include <qkcert/reports/claim_kinds.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace qkcert {

/// One `[[claim]]`.
struct TheoryClaim {
  std::string id, statement, source, kind;  ///< empty where a mistake came first
  Place place;                              ///< of its header
  std::optional<std::chrono::milliseconds> time_limit = {};
  std::string canonical = {};  ///< its content (io/toml.hpp)
  ClaimWork work = {};
  std::vector<Expectation> expectations = {};
  /// The first mistake of the claim, and where it is; then nothing else is sure to be there.
  std::optional<PlacedError> mistake = {};
};

struct ClaimsFile {
  std::string path;
  std::vector<TheoryClaim> claims;  ///< in the order of the file
};

/// The claims of a file whose relative paths begin at its folder. A mistake outside the claims,
/// such as what is no TOML, is that of one more claim in front, without id.
///
/// Ensure  no error is thrown: each claim has its own mistake, and the others are there.
ClaimsFile parse_claims(std::string_view bytes, const std::string& path);

/// The claims whose ids are listed, in the order of the file, and those without an id.
/// Errors: UsageError for an id that no claim has, with the nearest one.
ClaimsFile only(ClaimsFile file, const std::vector<std::string>& ids);

struct ClaimResult {
  enum class Outcome { passed, failed, error };
  Outcome outcome = Outcome::error;
  std::vector<Mismatch> mismatches = {};  ///< of a failed claim
  std::string detail = {};                ///< one line: what was decided, or the error
  friend bool operator==(const ClaimResult&, const ClaimResult&) = default;
};

std::string_view to_text(ClaimResult::Outcome outcome);

/// A claim's result beside what it was claimed to be.
struct CheckedClaim {
  std::string id, statement, source, kind;
  Place place;  ///< of the claim, or of its mistake
  ClaimResult result;
  bool unchanged = false;  ///< taken from the cache

  /// One line: the mismatches with what was expected and found, or the error. Empty when passed.
  std::string message() const;
};

struct ClaimResults {
  std::string path;
  std::vector<CheckedClaim> claims;
  std::optional<std::string> cache_failure = {};  ///< why results were not kept

  std::size_t count(ClaimResult::Outcome outcome) const;
  /// The worst of all: error, failed, passed.
  ClaimResult::Outcome outcome() const;
};

}  // namespace qkcert
