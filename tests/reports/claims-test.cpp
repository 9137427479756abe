#include <algorithm>
#include <filesystem>
#include <qkcert/reports/claims.hpp>
#include <reports/results.hpp>
#include <support.hpp>

using namespace qkcert;
using test::corpus;

namespace {

const std::string beginning = "[[claim]]\nid = \"one\"\nstatement = \"s\"\nsource = \"t\"\n";

std::string size_claim(const std::string& id, const std::string& rest) {
  return "[[claim]]\nid = \"" + id +
         "\"\nstatement = \"s\"\nsource = \"t\"\nkind = \"family-size\"\n" +
         "family = \"permutation\"\nvertices = 5\nexpect = { size = 120 }\n" + rest;
}

}  // namespace

TEST_CASE("claims: every bad file of the corpus has its mistake, and its good claim", "[claims]") {
  std::vector<std::string> lines;
  for (const auto& entry :
       std::filesystem::directory_iterator(QKCERT_TEST_DATA "/claims/invalid")) {
    const std::string name = entry.path().stem().string();
    const std::string bytes = corpus("claims/invalid/" + name + ".toml");
    INFO(name);
    const ClaimsFile file = parse_claims(bytes, name + ".toml");
    std::size_t mistakes = 0;
    for (const TheoryClaim& claim : file.claims) {
      if (!claim.mistake) {
        CHECK(claim.id == "good");
        CHECK(claim.work.observe);
        continue;
      }
      ++mistakes;
      lines.push_back(name + ":" + std::to_string(claim.mistake->place.line) + ":" +
                      std::to_string(claim.mistake->place.column) + ": " + claim.mistake->reason);
    }
    CHECK(mistakes == 1);
    if (name != "not-toml" && bytes.find("\"good\"") != bytes.npos) CHECK(file.claims.size() == 2);
  }
  std::ranges::sort(lines);
  std::string all;
  for (const std::string& line : lines) all += line + "\n";
  CHECK(all == corpus("claims/invalid.txt"));
}

TEST_CASE("claims: what a file holds", "[claims]") {
  const ClaimsFile file = parse_claims(
      size_claim("one", "time_limit = 0.25\n") + "\n" + size_claim("two.2_b-c", ""), "x/y.toml");
  REQUIRE(file.claims.size() == 2);
  CHECK(file.path == "x/y.toml");
  const TheoryClaim& one = file.claims[0];
  CHECK_FALSE(one.mistake);
  CHECK(one.id == "one");
  CHECK(one.statement == "s");
  CHECK(one.source == "t");
  CHECK(one.kind == "family-size");
  CHECK(one.place == Place{1, 1});
  CHECK(one.time_limit == std::chrono::milliseconds(250));
  CHECK(one.work.inputs.empty());
  CHECK(file.claims[1].place == Place{11, 1});
  CHECK_FALSE(file.claims[1].time_limit);
}

TEST_CASE("claims: relative paths begin at the file's folder", "[claims]") {
  const std::string text =
      beginning + "kind = \"certificate\"\ncertificate = \"onehot-code-8.qkc\"\n";
  const std::string folder = QKCERT_TEST_DATA "/certificates/valid/";
  const ClaimsFile file = parse_claims(text, folder + "claims.toml");
  REQUIRE_FALSE(file.claims.at(0).mistake);
  CHECK(file.claims[0].work.inputs == std::vector{folder + "onehot-code-8.qkc"});
  CHECK(parse_claims(text, "claims.toml").claims.at(0).mistake);
  CHECK(parse_claims(text, "/claims.toml").claims.at(0).mistake->reason.find("'/onehot") !=
        std::string::npos);
}

TEST_CASE("claims: only() keeps the file's order, and claims without an id", "[claims]") {
  const std::string text = "top = 1\n" + size_claim("one", "") + size_claim("two", "") +
                           size_claim("three", "") + "[[claim]]\nid = 7\n";
  const auto ids = [](const ClaimsFile& file) {
    std::vector<std::string> all;
    for (const TheoryClaim& claim : file.claims) all.push_back(claim.id);
    return all;
  };
  const ClaimsFile file = parse_claims(text, "f");
  CHECK(ids(file) == std::vector<std::string>{"", "one", "two", "three", ""});
  CHECK(ids(only(file, {"three", "one", "one"})) ==
        std::vector<std::string>{"", "one", "three", ""});
  CHECK_THROWS_WITH(only(file, {"one", "thre"}),
                    "f: expected the id of a claim, found 'thre' (nearest: 'three')");
  CHECK_THROWS_WITH(only(file, {"four"}), "f: expected the id of a claim, found 'four'");
}

TEST_CASE("claims: counts, the worst outcome and messages", "[claims]") {
  using Outcome = ClaimResult::Outcome;
  ClaimResults results = test::results();
  CHECK(results.count(Outcome::passed) == 1);
  CHECK(results.count(Outcome::failed) == 2);
  CHECK(results.count(Outcome::error) == 2);
  CHECK(results.outcome() == Outcome::error);
  CHECK(results.claims[0].message().empty());
  CHECK(results.claims[1].message() ==
        "expected value = 6, found 5; expected applies = false, found true (bound counting: D_K >= "
        "5)");
  CHECK(results.claims[2].message().find_first_of("\r\n") == std::string::npos);
  results.claims.resize(3);
  CHECK(results.outcome() == Outcome::failed);
  results.claims.resize(1);
  CHECK(results.outcome() == Outcome::passed);
}
