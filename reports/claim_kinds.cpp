#include <algorithm>
#include <qkcert/core/decimal.hpp>
#include <qkcert/core/reader.hpp>
#include <qkcert/reports/claim_bounds.hpp>
#include <qkcert/reports/claim_certificates.hpp>
#include <qkcert/reports/claim_constructions.hpp>
#include <qkcert/reports/claim_heads.hpp>
#include <qkcert/reports/claim_kinds.hpp>
#include <qkcert/reports/claim_softmax.hpp>
#include <qkcert/reports/claim_tables.hpp>

namespace qkcert {

std::string to_text(const Fact& fact) {
  if (const bool* flag = std::get_if<bool>(&fact)) return *flag ? "true" : "false";
  if (const Integer* number = std::get_if<Integer>(&fact)) return to_decimal(*number);
  return std::get<std::string>(fact);
}

std::span<const ClaimKind> claim_kinds() {
  static const std::vector<ClaimKind> all = [] {
    std::vector<ClaimKind> kinds;
    for (const auto& some :
         {bound_claim_kinds(), certificate_claim_kinds(), construction_claim_kinds(),
          heads_claim_kinds(), softmax_claim_kinds(), table_claim_kinds()})
      kinds.insert(kinds.end(), some.begin(), some.end());
    std::ranges::sort(kinds, {}, &ClaimKind::name);
    return kinds;
  }();
  return all;
}

bool Expectation::met_by(const Fact& found) const {
  switch (relation) {
    case Relation::equal:
      return found == fact;
    case Relation::at_least:
      return std::get<Integer>(found) >= std::get<Integer>(fact);
    case Relation::at_most:
      return std::get<Integer>(found) <= std::get<Integer>(fact);
    case Relation::contains:
      break;
  }
  return std::get<std::string>(found).find(std::get<std::string>(fact)) != std::string::npos;
}

namespace {

using Relation = Expectation::Relation;

std::string shown(const Fact& fact) {
  return std::holds_alternative<std::string>(fact) ? "'" + to_text(fact) + "'" : to_text(fact);
}

void read_numbers(const Toml& expect, const std::string& name, bool exact,
                  std::vector<Expectation>& into) {
  if (exact)
    if (const auto value = expect.find(name))
      into.push_back({name, Relation::equal, value->integer()});
  if (const auto value = expect.find(name + "_at_least"))
    into.push_back({name, Relation::at_least, value->integer()});
  if (!exact) return;
  if (const auto value = expect.find(name + "_at_most"))
    into.push_back({name, Relation::at_most, value->integer()});
}

}  // namespace

std::string Expectation::text() const {
  static constexpr std::string_view words[] = {" = ", " >= ", " <= ", " contains "};
  return name + std::string(words[static_cast<std::size_t>(relation)]) + shown(fact);
}

std::vector<Expectation> read_expectations(const Toml& claim, const ClaimKind& kind) {
  std::vector<Expectation> own, stated;
  const std::optional<Toml> expect = claim.find("expect");
  for (const auto& [name_view, type, expected, unless] : kind.observables) {
    const std::string name(name_view);
    std::optional<Toml> value;
    if (type == Observable::Type::flag) {
      if (expect && (value = expect->find(name)))
        stated.push_back({name, Relation::equal, value->flag()});
      else if (expected)
        own.push_back({name, Relation::equal, true});
    } else if (expect && type == Observable::Type::text) {
      if ((value = expect->find(name))) stated.push_back({name, Relation::equal, value->text()});
      if ((value = expect->find(name + "_contains")))
        stated.push_back({name, Relation::contains, value->text()});
    } else if (expect) {
      read_numbers(*expect, name, type == Observable::Type::number, stated);
    }
  }
  if (expect) expect->finish();
  std::erase_if(own, [&](const Expectation& flag) {
    const auto kin = std::ranges::find(kind.observables, flag.name, &Observable::name)->unless;
    return std::ranges::find(stated, kin, &Expectation::name) != stated.end();
  });
  own.insert(own.end(), stated.begin(), stated.end());
  if (own.empty()) (expect ? *expect : claim).fail("something in 'expect'", "nothing");
  return own;
}

std::vector<Mismatch> mismatches(const std::vector<Expectation>& expectations,
                                 const Observations& observations) {
  std::vector<Mismatch> unmet;
  for (const Expectation& expectation : expectations) {
    const auto found = std::ranges::find(observations.facts, expectation.name, &Observation::name);
    if (found == observations.facts.end())
      unmet.push_back({expectation.name, expectation.text(), "none"});
    else if (!expectation.met_by(found->fact))
      unmet.push_back({expectation.name, expectation.text(), shown(found->fact)});
  }
  return unmet;
}

}  // namespace qkcert
