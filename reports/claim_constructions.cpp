#include <qkcert/constructions/universal.hpp>
#include <qkcert/core/decimal.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/reports/claim_constructions.hpp>
#include <qkcert/reports/claim_inputs.hpp>
#include <qkcert/search/attempt.hpp>
#include <qkcert/verify/check.hpp>

namespace qkcert {

namespace {

using Type = Observable::Type;

struct Seeds {
  std::uint64_t first = 1, last = 1;
};

constexpr std::uint64_t most_seeds = 1'000'000;

/// `7` or `"0-99"`.
Seeds read_seeds(const Toml& value) {
  if (value.kind() == Toml::Kind::integer) return {value.count(), value.count()};
  const std::string_view text = value.text();
  const std::size_t dash = text.find('-');
  if (dash != text.npos) {
    const auto first = parse_uint64(text.substr(0, dash)),
               last = parse_uint64(text.substr(dash + 1));
    if (first && last && *first <= *last && *last - *first < most_seeds) return {*first, *last};
  }
  value.fail("a seed, or a string such as \"0-99\" of at most 10^6 seeds");
}

/// A construction on instances that differ in their seeds alone.
struct Trial {
  const Method* method;
  GraphSource graph;
  EmbeddingSource embedding;
  std::optional<std::uint64_t> heads, head_dim, key_dimension, seed;
  std::optional<Integer> weight_max;
  Seeds seeds;
};

/// The proposal for one seed, decided; why there is no claim in `reason`.
std::optional<RecoveryClaim> attempt_seed(const Trial& trial, std::uint64_t seed,
                                          std::string& reason) {
  const Graph graph = trial.graph.graph(seed);
  const Embedding embedding = trial.embedding.embedding(graph.vertices(), seed);
  const Request request{.graph = graph,
                        .embedding = embedding,
                        .heads = trial.heads,
                        .head_dim = trial.head_dim,
                        .key_dimension = trial.key_dimension,
                        .weight_max = trial.weight_max.value_or(127),
                        .seed = trial.seed.value_or(seed),
                        .threads = 1};
  try {
    Attempt made = attempt(*trial.method, request, trial.weight_max.has_value());
    if (!made.extremes)
      reason = "weights up to " + to_decimal(made.weight_max) + " are beyond weight_max";
    else if (!made.claim)
      reason = "the proposal does not separate edges from other pairs";
    else if (const Verdict verdict = check(*made.claim, 1); !verdict.holds)
      throw Error("a proposal does not pass its check: " + verdict.text);
    return std::move(made.claim);
  } catch (const MethodError& error) {
    reason = error.what();
    return std::nullopt;
  }
}

Observations observe_trial(const Trial& trial) {
  Integer recovered = 0, key_dimension = 0, heads = 0, weight_max = 0;
  std::string first_failure;
  for (std::uint64_t seed = trial.seeds.first;; ++seed) {
    std::string reason;
    if (const auto claim = attempt_seed(trial, seed, reason)) {
      ++recovered;
      key_dimension = std::max(key_dimension, Integer(claim->channel.key_dimension()));
      heads = std::max(heads, Integer(claim->channel.heads.size()));
      weight_max = std::max(weight_max, claim->channel.weight_max());
    } else if (first_failure.empty()) {
      first_failure = "seed " + std::to_string(seed) + ": " + reason;
    }
    if (seed == trial.seeds.last) break;
  }
  Observations found{
      {{"recovers", first_failure.empty()}, {"recovered", recovered}},
      first_failure.empty() ? "recovered for " + to_decimal(recovered) + " seeds" : first_failure};
  if (recovered > 0) {
    found.facts.push_back({"key_dimension", key_dimension});
    found.facts.push_back({"heads", heads});
    found.facts.push_back({"weight_max", weight_max});
  }
  return found;
}

constexpr Observable construction_facts[] = {{"recovers", Type::flag, true, "recovered"},
                                             {"recovered", Type::number},
                                             {"key_dimension", Type::number},
                                             {"heads", Type::number},
                                             {"weight_max", Type::number}};

ClaimWork read_construction(const Toml& claim, const std::string& folder) {
  ClaimWork work;
  std::vector<std::string_view> names;
  for (const Method& method : methods()) names.push_back(method.name);
  const auto optional = [&](const char* key, std::uint64_t least) {
    const auto value = claim.find(key);
    return value ? std::optional(value->count(least)) : std::nullopt;
  };
  Trial trial{.method = &find_method(claim.at("method").one_of(names)),
              .graph = GraphSource(claim, folder, work.inputs),
              .embedding = EmbeddingSource(claim, folder, work.inputs),
              .heads = optional("heads", 1),
              .head_dim = optional("head_dim", 1),
              .key_dimension = optional("key_dimension", 1),
              .seed = optional("seed", 0),
              .weight_max = {},
              .seeds = {}};
  if (const auto value = claim.find("weight_max")) {
    trial.weight_max = value->integer();
    if (*trial.weight_max < 1) value->fail("an integer of at least 1");
  }
  if (const auto value = claim.find("seeds")) trial.seeds = read_seeds(*value);
  work.observe = [trial = std::move(trial)] { return observe_trial(trial); };
  return work;
}

constexpr Observable channel_facts[] = {{"recovers", Type::flag, true},
                                        {"key_dimension", Type::number},
                                        {"weight_max", Type::number},
                                        {"least_edge_score", Type::number},
                                        {"greatest_nonedge_score", Type::number}};

Observations observe_channel(const Graph& graph, const Matrix& rows, const Channel& channel) {
  const Extremes extremes = score_extremes(graph, rows, channel, 1);
  Observations found{{{"recovers", extremes.separated()},
                      {"key_dimension", Integer(channel.key_dimension())},
                      {"weight_max", channel.weight_max()}}};
  const auto add = [&](const char* name, const std::optional<Extreme>& extreme) {
    if (!extreme) return;
    found.facts.push_back({name, extreme->score});
    found.detail += (found.detail.empty() ? "" : ", ") + std::string(name) + " at (" +
                    std::to_string(extreme->pair.source) + ", " +
                    std::to_string(extreme->pair.target) + ")";
  };
  add("least_edge_score", extremes.least_edge);
  add("greatest_nonedge_score", extremes.greatest_nonedge);
  return found;
}

ClaimWork read_channel(const Toml& claim, const std::string& folder) {
  ClaimWork work;
  const GraphSource graph(claim, folder, work.inputs);
  const EmbeddingSource embedding(claim, folder, work.inputs);
  const Channel channel = read_channel_heads(claim.at("heads"));
  work.observe = [=] {
    const Graph one = graph.graph();
    return observe_channel(one, embedding.embedding(one.vertices()).rows, channel);
  };
  return work;
}

constexpr Observable universal_facts[] = {{"holds", Type::flag, true},
                                          {"heads", Type::number},
                                          {"reason", Type::text},
                                          {"good_pairs", Type::number}};

Observations decided(const Claim& claim, const Integer& heads) {
  const Verdict verdict = check(claim, 1);
  Observations found{{{"holds", verdict.holds}, {"heads", heads}}, verdict.text};
  if (!verdict.holds) found.facts.push_back({"reason", verdict.text});
  return found;
}

ClaimWork read_universal(const Toml& claim, const std::string& folder) {
  static constexpr std::string_view names[] = {"edge-pairs", "edge-per-head"};
  ClaimWork work;
  const bool in_pairs = claim.at("method").one_of(names) == "edge-pairs";
  const Family family = read_family(claim);
  const EmbeddingSource source(claim, folder, work.inputs);
  work.observe = [=] {
    const Matrix rows = source.embedding(family.vertices()).rows;
    if (!in_pairs) {
      const UniversalEdgePerHead made = universal_edge_per_head(family, rows);
      return decided(made, made.heads);
    }
    const UniversalEdgePairs made = universal_edge_pairs(family, rows, 1);
    Observations found = decided(made, made.heads);
    found.facts.push_back({"good_pairs", Integer(made.pairs.size())});
    return found;
  };
  return work;
}

}  // namespace

std::vector<ClaimKind> construction_claim_kinds() {
  return {{"construction", construction_facts, read_construction},
          {"channel", channel_facts, read_channel},
          {"universal", universal_facts, read_universal}};
}

}  // namespace qkcert
