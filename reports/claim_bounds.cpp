#include <qkcert/bounds/advantage.hpp>
#include <qkcert/bounds/registry.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/reports/claim_bounds.hpp>
#include <qkcert/reports/claim_inputs.hpp>
#include <qkcert/verify/certificate.hpp>
#include <qkcert/verify/check.hpp>

namespace qkcert {

namespace {

using Type = Observable::Type;

/// The claim as its certificate is read, decided. Errors: Error when it does not hold.
std::string checked(const Claim& claim) {
  const Verdict verdict = check(read_certificate(write_certificate(claim), "the bound"), 1);
  if (!verdict.holds) throw Error("the bound does not pass its check: " + verdict.text);
  return verdict.text;
}

/// The D_K, the heads or the rank that a bound states.
std::optional<Integer> value_of(const Claim& claim) {
  if (const auto* bound = std::get_if<HeadsBound>(&claim)) return bound->heads;
  if (const auto* bound = std::get_if<MarginBound>(&claim)) return bound->rank;
  if (const auto* bound = std::get_if<UnitHeadsBound>(&claim)) return Integer(bound->heads());
  return key_dimension_of(claim);
}

const BoundKind& bound_kind(const Toml& value) {
  std::vector<std::string_view> names;
  for (const BoundKind& kind : bound_kinds()) names.push_back(kind.name);
  const std::string& name = value.one_of(names);
  for (const BoundKind& kind : bound_kinds())
    if (kind.name == name) return kind;
  value.fail("a bound");
}

Integer integer_from(const Toml& value, const Integer& least) {
  Integer number = value.integer();
  if (number < least) value.fail("an integer of at least " + least.str());
  return number;
}

Observations observe_bound(const BoundKind& kind, const BoundQuery& query) {
  try {
    const Claim claim = kind.compute(query);
    Observations found{{{"applies", true}}, checked(claim)};
    if (const auto value = value_of(claim)) found.facts.push_back({"value", *value});
    return found;
  } catch (const UsageError& error) {
    return {{{"applies", false}}, error.what()};
  }
}

constexpr Observable bound_facts[] = {{"applies", Type::flag, true}, {"value", Type::number}};

ClaimWork read_bound(const Toml& claim, const std::string& folder) {
  ClaimWork work;
  const BoundKind& kind = bound_kind(claim.at("bound"));
  const GraphSource graph(claim, folder, work.inputs);
  const bool of_graph = kind.name == "unit-heads", margin = kind.name == "margin";
  const auto optional = [&](const char* key, int least, int otherwise) {
    const auto value = claim.find(key);
    return value ? integer_from(*value, least) : Integer(otherwise);
  };
  const Integer d_model =
      of_graph || margin ? optional("d_model", 1, 1) : integer_from(claim.at("d_model"), 1);
  const Integer weight_max = optional("weight_max", 1, 127);
  const Integer failure_bits = optional("failure_bits", 0, 0);
  std::optional<Rational> edge_ratio, nonedge_ratio;
  if (margin) {
    edge_ratio = claim.at("edge_ratio").ratio();
    nonedge_ratio = claim.at("nonedge_ratio").ratio();
  }
  work.observe = [=, &kind] {
    std::optional<Graph> one;
    if (of_graph) one = graph.graph();
    return observe_bound(kind, {graph.family(), d_model, weight_max, failure_bits, std::move(one),
                                edge_ratio, nonedge_ratio});
  };
  return work;
}

constexpr Observable size_facts[] = {{"size", Type::number}, {"edges", Type::number}};

ClaimWork read_size(const Toml& claim, const std::string&) {
  return {{}, [family = read_family(claim)] {
            return Observations{{{"size", family.size()}, {"edges", family.edges()}},
                                family.to_string()};
          }};
}

constexpr Observable advantage_facts[] = {
    {"applies", Type::flag, true}, {"heads", Type::number}, {"single_head_graphs", Type::number}};

ClaimWork read_class_advantage(const Toml& claim, const std::string&) {
  return {{}, [family = read_family(claim), d_model = claim.at("d_model").count(1, 64)] {
            try {
              const ClassAdvantage advantage = class_advantage(family, d_model);
              return Observations{{{"applies", true},
                                   {"heads", family.edges()},
                                   {"single_head_graphs", advantage.single_head_graphs}},
                                  checked(advantage)};
            } catch (const UsageError& error) {
              return Observations{{{"applies", false}}, error.what()};
            }
          }};
}

}  // namespace

std::vector<ClaimKind> bound_claim_kinds() {
  return {{"bound", bound_facts, read_bound},
          {"family-size", size_facts, read_size},
          {"advantage-class", advantage_facts, read_class_advantage}};
}

}  // namespace qkcert
