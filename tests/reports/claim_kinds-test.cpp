#include <algorithm>
#include <qkcert/reports/claims_check.hpp>
#include <set>
#include <support.hpp>

using namespace qkcert;

namespace {

const std::string theory = QKCERT_TEST_DATA "/../../claims/theory.toml";

ClaimsFile theory_claims() {
  return parse_claims(test::corpus("../../claims/theory.toml"), theory);
}

const ClaimKind& kind_named(const std::string& name) {
  return *std::ranges::find(claim_kinds(), name, &ClaimKind::name);
}

/// Whether a fact is what its observable says.
bool fits(const Fact& fact, Observable::Type type) {
  switch (type) {
    case Observable::Type::flag:
      return std::holds_alternative<bool>(fact);
    case Observable::Type::text:
      return std::holds_alternative<std::string>(fact);
    default:
      return std::holds_alternative<Integer>(fact);
  }
}

}  // namespace

TEST_CASE("claim_kinds: sorted, with observables of different names", "[claim_kinds]") {
  CHECK(std::ranges::is_sorted(claim_kinds(), {}, &ClaimKind::name));
  for (const ClaimKind& kind : claim_kinds()) {
    std::set<std::string_view> names;
    for (const Observable& each : kind.observables) CHECK(names.insert(each.name).second);
    CHECK(!names.empty());
  }
}

TEST_CASE("claim_kinds: the theory's claims pass, and fail with every number off by one",
          "[claim_kinds]") {
  std::set<std::string> kinds;
  std::size_t numbers = 0;
  for (TheoryClaim& claim : theory_claims().claims) {
    INFO(claim.id << (claim.mistake ? claim.mistake->what() : ""));
    REQUIRE_FALSE(claim.mistake);
    kinds.insert(claim.kind);
    const Observations found = claim.work.observe();
    CHECK(mismatches(claim.expectations, found).empty());
    for (const auto& [name, fact] : found.facts) {
      INFO(name);
      const auto& known = kind_named(claim.kind).observables;
      const auto observable = std::ranges::find(known, name, &Observable::name);
      REQUIRE(observable != known.end());
      CHECK(fits(fact, observable->type));
    }
    for (Expectation& expectation : claim.expectations) {
      if (auto* flag = std::get_if<bool>(&expectation.fact)) {
        *flag = !*flag;
        CHECK(mismatches(claim.expectations, found).size() == 1);
        *flag = !*flag;
      }
      if (auto* number = std::get_if<Integer>(&expectation.fact);
          number && expectation.relation == Expectation::Relation::equal) {
        const Integer right = *number;
        for (const Integer& wrong : {Integer(right + 1), Integer(right - 1)}) {
          *number = wrong;
          CHECK(mismatches(claim.expectations, found).size() == 1);
        }
        *number = right;
        ++numbers;
      }
    }
  }
  CHECK(kinds.size() == claim_kinds().size());
  CHECK(numbers > 100);
}

TEST_CASE("claim_kinds: how facts are compared", "[claim_kinds]") {
  using Relation = Expectation::Relation;
  const auto met = [](Relation relation, const Fact& expected, const Fact& found) {
    return Expectation{"x", relation, expected}.met_by(found);
  };
  CHECK(met(Relation::equal, true, true));
  CHECK_FALSE(met(Relation::equal, true, false));
  CHECK(met(Relation::equal, std::string("a"), std::string("a")));
  CHECK_FALSE(met(Relation::equal, std::string("a"), std::string("ab")));
  CHECK(met(Relation::contains, std::string("a"), std::string("bab")));
  CHECK_FALSE(met(Relation::contains, std::string("c"), std::string("bab")));
  for (const int found : {4, 5, 6}) {
    CHECK(met(Relation::equal, Integer(5), Integer(found)) == (found == 5));
    CHECK(met(Relation::at_least, Integer(5), Integer(found)) == (found >= 5));
    CHECK(met(Relation::at_most, Integer(5), Integer(found)) == (found <= 5));
  }
  const Expectation many{"size", Relation::equal, power_of_two(200)};
  CHECK(many.met_by(power_of_two(200)));
  CHECK_FALSE(many.met_by(Integer(power_of_two(200) + 1)));
  CHECK(Expectation{"x", Relation::at_most, Integer(7)}.text() == "x <= 7");
  CHECK(Expectation{"x", Relation::contains, std::string("y")}.text() == "x contains 'y'");
}

TEST_CASE("claim_kinds: what was not observed meets no expectation", "[claim_kinds]") {
  const std::vector<Expectation> expected{{"value", Expectation::Relation::at_least, Integer(0)}};
  CHECK(mismatches(expected, {{{"applies", false}}, ""}) ==
        std::vector<Mismatch>{{"value", "value >= 0", "none"}});
}

TEST_CASE("claim_kinds: a flag is expected unless the claim says otherwise", "[claim_kinds]") {
  const auto expected = [](const std::string& text) {
    const Toml claim = parse_toml(text, "f");
    std::vector<std::string> texts;
    for (const Expectation& each : read_expectations(claim, kind_named("construction")))
      texts.push_back(each.text());
    return texts;
  };
  using Texts = std::vector<std::string>;
  CHECK(expected("") == Texts{"recovers = true"});
  CHECK(expected("expect = { recovers = false }") == Texts{"recovers = false"});
  CHECK(expected("expect = { key_dimension_at_most = 5 }") ==
        Texts{"recovers = true", "key_dimension <= 5"});
  CHECK(expected("expect = { recovered_at_least = 9 }") == Texts{"recovered >= 9"});
  CHECK(expected("expect = { recovers = true, recovered = 9 }") ==
        Texts{"recovers = true", "recovered = 9"});
  CHECK_THROWS_AS(read_expectations(parse_toml("", "f"), kind_named("min-heads")), PlacedError);
  CHECK_THROWS_AS(
      read_expectations(parse_toml("expect = { heads = 2 }", "f"), kind_named("min-heads")),
      PlacedError);
}
