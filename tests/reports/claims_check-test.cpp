#include <unistd.h>

#include <filesystem>
#include <qkcert/io/file.hpp>
#include <qkcert/reports/claims_check.hpp>
#include <support.hpp>

using namespace qkcert;
using Outcome = ClaimResult::Outcome;

namespace {

/// A folder of its own, removed at the end.
struct Folder {
  std::string path =
      std::filesystem::temp_directory_path() / ("qkcert-claims-" + std::to_string(::getpid()));
  Folder() { std::filesystem::create_directory(path); }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string operator/(const std::string& name) const { return path + "/" + name; }
};

std::string claim(const std::string& id, const std::string& rest) {
  return "[[claim]]\nid = \"" + id + "\"\nstatement = \"s\"\nsource = \"t\"\n" + rest;
}

std::string size_claim(const std::string& id, int size) {
  return claim(
      id, "kind = \"family-size\"\nfamily = \"permutation\"\nvertices = 5\nexpect = { size = " +
              std::to_string(size) + " }\n");
}

const std::string endless = claim(
    "endless",
    "kind = \"construction\"\nmethod = \"signature\"\nfamily = \"functional\"\nvertices = 400\n"
    "gaussian = 64\nheads = 40\nhead_dim = 64\nseeds = \"0-999999\"\ntime_limit = 0.3\n");
const std::string certificate =
    claim("certificate", "kind = \"certificate\"\ncertificate = \"copy.qkc\"\n");

/// What became of each claim: p, f or e, in capitals when it comes from the cache.
std::string outcomes(const ClaimResults& results) {
  std::string text;
  for (const CheckedClaim& each : results.claims)
    text += (each.unchanged ? "PFE" : "pfe")[static_cast<int>(each.result.outcome)];
  return text;
}

}  // namespace

TEST_CASE("claims_check: passed, failed with both sides, error; the same for any number of jobs",
          "[claims_check]") {
  const std::string text = size_claim("right", 120) + size_claim("wrong", 121) + endless +
                           "[[claim]]\nid = 7\n" + size_claim("last", 120);
  const ClaimsFile file = parse_claims(text, "f.toml");
  const ClaimResults results = check_claims(file, {.jobs = 1});
  CHECK(outcomes(results) == "pfeep");
  CHECK(results.path == "f.toml");
  CHECK(results.claims[1].result.mismatches ==
        std::vector<Mismatch>{{"size", "size = 121", "120"}});
  CHECK(results.claims[1].place == Place{9, 1});
  CHECK(results.claims[2].result.detail == "not decided within the limit of 0.3 s");
  CHECK(results.claims[3].place == Place{31, 6});
  for (const unsigned jobs : {2U, 5U}) {
    const ClaimResults again = check_claims(file, {.jobs = jobs});
    for (std::size_t i = 0; i < results.claims.size(); ++i)
      CHECK(again.claims[i].result == results.claims[i].result);
  }
}

TEST_CASE("claims_check: the limit of claims that state none", "[claims_check]") {
  std::string text = endless;
  text.erase(text.find("time_limit"));
  const ClaimResults results =
      check_claims(parse_claims(text + size_claim("last", 120), "f"),
                   {.jobs = 1, .time_limit = std::chrono::milliseconds(200)});
  CHECK(outcomes(results) == "ep");
}

TEST_CASE("claims_check: an error of deciding is that claim's", "[claims_check]") {
  const ClaimResults results = check_claims(
      parse_claims(claim("rows",
                         "kind = \"single-head\"\nfamily = \"permutation\"\nvertices = 3\n"
                         "rows = [[1], [2]]\nexpect = { possible = true }\n") +
                       size_claim("last", 120),
                   "f"),
      {});
  CHECK(outcomes(results) == "ep");
  CHECK(results.claims[0].result.detail ==
        "the embedding: expected 3 rows, one per vertex, found 2");
}

TEST_CASE("claims_check: the cache", "[claims_check]") {
  const Folder folder;
  const std::string qkc = test::corpus("certificates/valid/onehot-code-8.qkc");
  write_file(folder / "copy.qkc", qkc);
  CheckOptions options{.cache = folder / "cache", .program = "one"};
  const auto run = [&](const std::string& text) {
    return check_claims(parse_claims(text, folder / "claims.toml"), options);
  };
  const std::string text = size_claim("right", 120) + size_claim("wrong", 121) + certificate;
  const ClaimResults fresh = run(text);
  REQUIRE(outcomes(fresh) == "pfp");
  const ClaimResults kept = run(text);
  CHECK(outcomes(kept) == "PFP");
  for (std::size_t i = 0; i < 3; ++i) CHECK(kept.claims[i].result == fresh.claims[i].result);

  SECTION("a comment, the order of keys and the place change nothing") {
    CHECK(outcomes(run("# new\n\n" + certificate + size_claim("right", 120))) == "PP");
  }
  SECTION("a changed claim is decided again") {
    CHECK(outcomes(run(size_claim("right", 119) + certificate)) == "fP");
    CHECK(outcomes(run(size_claim("renamed", 120) + certificate)) == "pP");
  }
  SECTION("a changed file is read again") {
    write_file(folder / "copy.qkc", qkc.substr(0, qkc.size() - 1));
    CHECK(outcomes(run(text)) == "PFf");
    write_file(folder / "copy.qkc", qkc);
    CHECK(outcomes(run(text)) == "PFP");
  }
  SECTION("another program decides anew") {
    options.program = "two";
    CHECK(outcomes(run(text)) == "pfp");
  }
  SECTION("a damaged entry is no entry") {
    std::size_t entries = 0;
    for (const auto& entry : std::filesystem::directory_iterator(*options.cache)) {
      std::string bytes = read_file(entry.path());
      switch (entries++) {
        case 0:
          bytes.pop_back();
          break;
        case 1:
          bytes[bytes.find("passed") == bytes.npos ? bytes.size() / 2 : bytes.find("passed")] ^= 1;
          break;
        default:
          bytes.clear();
      }
      write_file(entry.path(), bytes);
    }
    CHECK(entries == 3);
    CHECK(outcomes(run(text)) == "pfp");
    CHECK(outcomes(run(text)) == "PFP");
  }
  SECTION("an entry of another claim is no entry") {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(*options.cache))
      paths.push_back(entry.path());
    for (const auto& path : paths) write_file(path, read_file(paths[0]));
    const std::string found = outcomes(run(text));
    CHECK(std::count_if(found.begin(), found.end(), [](char c) { return c < 'a'; }) == 1);
    CHECK((found == "Pfp" || found == "pFp" || found == "pfP"));
  }
}

TEST_CASE("claims_check: errors are not kept", "[claims_check]") {
  const Folder folder;
  const CheckOptions options{.cache = folder / "cache", .program = "one"};
  const ClaimsFile file = parse_claims(endless, "f");
  CHECK(outcomes(check_claims(file, options)) == "e");
  CHECK(outcomes(check_claims(file, options)) == "e");
  CHECK(std::filesystem::is_empty(folder / "cache"));
}

TEST_CASE("claims_check: a cache that cannot be had is an error before any work",
          "[claims_check]") {
  const Folder folder;
  write_file(folder / "file", "x");
  const ClaimsFile file = parse_claims(size_claim("right", 120), "f");
  CHECK_THROWS_AS(check_claims(file, {.cache = folder / "none/cache"}), FileError);
  CHECK_THROWS_AS(check_claims(file, {.cache = folder / "file"}), FileError);
}

TEST_CASE("claims_check: stopped from outside", "[claims_check]") {
  const std::atomic<bool> stop = true;
  const ClaimResults results =
      check_claims(parse_claims(size_claim("right", 120) + endless, "f"), {.stop = &stop});
  CHECK(outcomes(results) == "ee");
  CHECK(results.claims[0].result.detail == "interrupted");
}
