#include <qkcert/core/decimal.hpp>
#include <qkcert/reports/json.hpp>
#include <qkcert/reports/json_number.hpp>
#include <qkcert/reports/tried.hpp>
#include <qkcert/verify/certificate.hpp>
#include <qkcert/verify/universal.hpp>

namespace qkcert {

namespace {

using Json = nlohmann::ordered_json;

Json ratio(const Rational& value) {
  return {json_number(numerator(value)), json_number(denominator(value))};
}

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

/// Paths and quoted input need not be UTF-8.
std::string dump(const Json& json) { return json_line(json); }

void add_inputs(Json& json, const Graph& graph, const Matrix& embedding) {
  json["vertices"] = graph.vertices();
  json["edges"] = graph.edges().size();
  json["d_model"] = embedding.cols();
}

void add_channel(Json& json, const Channel& channel, const Integer& threshold) {
  json["heads"] = channel.heads.size();
  json["head_widths"] = Json::array();
  for (const Head& head : channel.heads) json["head_widths"].push_back(head.width());
  json["key_dimension"] = channel.key_dimension();
  json["weight_max"] = json_number(channel.weight_max());
  json["threshold"] = json_number(threshold);
}

void add(Json& json, const FloatSafeClaim& claim) {
  json["claim"] = "float-safe";
  json["format"] = claim.format.name;
  json["embedding_scale"] = json_number(claim.embedding_scale);
  json["weight_scale"] = json_number(claim.weight_scale);
  add_inputs(json, claim.graph, claim.embedding);
  add_channel(json, claim.channel, claim.threshold);
}

void add(Json& json, const RecoveryClaim& claim) {
  json["claim"] = "recovery";
  add_inputs(json, claim.graph, claim.embedding);
  add_channel(json, claim.channel, claim.threshold);
  json["least_edge_score"] = json_number(claim.least_edge);
  json["greatest_nonedge_score"] = json_number(claim.greatest_nonedge);
}

void add(Json& json, const SingleHeadImpossibility& claim) {
  json["claim"] = "impossibility single-head";
  add_inputs(json, claim.graph, claim.embedding);
  json["edge_multipliers"] = claim.edge_multipliers.size();
  json["nonedge_multipliers"] = claim.nonedge_multipliers.size();
}

void add(Json& json, const NarrowHeadImpossibility& claim) {
  json["claim"] = "impossibility narrow-head";
  add_inputs(json, claim.graph, claim.embedding);
  json["width"] = json_number(claim.width);
  json["weight_max"] = json_number(claim.weight_max);
  json["edge_multipliers"] = claim.multipliers.edges.size();
  json["nonedge_multipliers"] = claim.multipliers.nonedges.size();
}

void add(Json& json, const HeadsCliqueBound& claim) {
  json["claim"] = "bound heads-clique";
  add_inputs(json, claim.graph, claim.embedding);
  json["least_heads"] = claim.clique.size();
}

void add(Json& json, const CountingBound& claim) {
  json["claim"] = "bound counting";
  json["family"] = claim.family.to_string();
  json["d_model"] = json_number(claim.d_model);
  json["weight_max"] = json_number(claim.weight_max);
  json["lower_bound"] = json_number(claim.key_dimension);
  json["lower_bound_method"] = "counting";
}

void add(Json& json, const MarginBound& claim) {
  json["claim"] = "bound margin";
  json["vertices"] = json_number(claim.vertices);
  json["edge_ratio"] = ratio(claim.edge_ratio);
  json["nonedge_ratio"] = ratio(claim.nonedge_ratio);
  json["power"] = json_number(claim.power);
  json["lower_bound"] = json_number(claim.rank);
  json["lower_bound_method"] = "margin";
}

void add(Json& json, const UnitHeadsBound& claim) {
  json["claim"] = "bound unit-heads";
  json["vertices"] = claim.graph.vertices();
  json["edges"] = claim.graph.edges().size();
  json["matching"] = claim.matching.size();
  json["lower_bound"] = claim.heads();
  json["lower_bound_method"] = "unit-heads";
}

void add(Json& json, const ClassAdvantage& claim) {
  json["claim"] = "advantage class";
  json["family"] = claim.family.to_string();
  json["vertices"] = claim.embedding.rows();
  json["d_model"] = claim.embedding.cols();
  json["heads"] = json_number(claim.family.edges());
  json["class_size"] = json_number(claim.family.size());
  json["single_head_graphs"] = json_number(claim.single_head_graphs);
}

void add_universal(Json& json, const Family& family, const Matrix& embedding,
                   const Integer& heads) {
  json["family"] = family.to_string();
  json["vertices"] = embedding.rows();
  json["d_model"] = embedding.cols();
  json["heads"] = json_number(heads);
  json["key_dimension"] = json_number(heads);
}

void add(Json& json, const UniversalEdgePerHead& claim) {
  json["claim"] = "universal edge-per-head";
  add_universal(json, claim.family, claim.embedding, claim.heads);
}

void add(Json& json, const UniversalEdgePairs& claim) {
  json["claim"] = "universal edge-pairs";
  add_universal(json, claim.family, claim.embedding, claim.heads);
  json["good_pairs"] = claim.pairs.size();
  json["most_unlisted"] = most_unlisted(claim);
}

void add(Json& json, const SoftmaxRecovery& claim) {
  json["claim"] = "softmax-recovery";
  add_inputs(json, claim.graph, claim.embedding);
  add_channel(json, claim.channel, claim.threshold);
  json["beta"] = ratio(claim.beta);
  json["theta"] = ratio(claim.theta);
  json["context_size"] = json_number(claim.context_size);
}

void add(Json& json, const SoftmaxGrid& grid) {
  const auto at = [&](const std::optional<Integer>& i) {
    return i ? ratio(Rational(*i, power_of_two(grid.bits))) : Json();
  };
  json["grid_bits"] = grid.bits;
  if (grid.of_beta) {
    json["least_beta"] = at(grid.beta);
    json["closed_form_beta"] = at(grid.closed_form_beta);
  } else {
    const bool found = grid.theta && !grid.theta->empty();
    json["least_theta"] = found ? at(grid.theta->least) : Json();
    json["greatest_theta"] = found ? at(grid.theta->greatest) : Json();
  }
}

void add_class(Json& json, const Claim& claim, const Family& family, const Integer& d_model) {
  json["claim"] = claim_name(claim);
  json["family"] = family.to_string();
  json["d_model"] = json_number(d_model);
}

/// All other bounds: of RandomCountingBound, ColumnsBound, WarrenBound, WarrenRanksBound,
/// SingleHeadClassImpossibility, HeadsBound the members they have.
template <class Bound>
void add(Json& json, const Bound& claim) {
  add_class(json, claim, claim.family, claim.d_model);
  if constexpr (requires { claim.weight_max; }) json["weight_max"] = json_number(claim.weight_max);
  if constexpr (requires { claim.failure_bits; })
    json["failure_bits"] = json_number(claim.failure_bits);
  if constexpr (requires { claim.key_dimension; })
    json["lower_bound"] = json_number(claim.key_dimension);
  if constexpr (requires { claim.heads; }) json["lower_bound_heads"] = json_number(claim.heads);
  const std::string_view name = claim_name(claim);
  if (name.starts_with("bound ")) json["lower_bound_method"] = name.substr(6);
}

void add(Json& json, const ListedBound& bound) {
  json["name"] = bound.name;
  json["weights"] = bound.weights;
  json["decoder"] = bound.decoder;
  if (bound.claim) {
    std::visit([&](const auto& claim) { add(json, claim); }, *bound.claim);
    json["strongest"] = bound.strongest;
  } else {
    json["reason"] = bound.reason;
  }
}

void add(Json& json, const TriedSplit& split) {
  json["method"] = split.method;
  const auto& planned = split.architecture;
  for (const char* key : {"heads", "head_widths", "key_dimension"}) json[key] = nullptr;
  if (planned) {
    json["heads"] = planned->heads;
    json["head_widths"] = Json::array();
    for (std::size_t k = 0; k < planned->heads; ++k)
      json["head_widths"].push_back(planned->width(k));
    json["key_dimension"] = planned->key_dimension();
  }
  json["tries"] = split.tries;
  json["outcome"] = outcome_text(split.outcome);
  if (split.outcome == Tried::Outcome::verified) {
    json["seed"] = split.seed;
    json["patience"] = split.patience;
  }
  if (!split.reason.empty()) json["reason"] = split.reason;
}

void add(Json& json, const Extremes& extremes) {
  const auto add_one = [&json](const std::string& name, const std::optional<Extreme>& extreme) {
    if (!extreme) return;
    json[name + "_score"] = json_number(extreme->score);
    json[name] = {extreme->pair.source, extreme->pair.target};
  };
  add_one("least_edge", extremes.least_edge);
  add_one("greatest_nonedge", extremes.greatest_nonedge);
}

}  // namespace

std::string to_json(const Report& report) {
  static constexpr const char* statuses[] = {"holds", "does not hold", "undecided", "unreadable"};
  Json json;
  json["status"] =
      report.status ? Json(statuses[static_cast<std::size_t>(*report.status)]) : Json();
  if (report.claim) std::visit([&](const auto& claim) { add(json, claim); }, *report.claim);
  if (report.method) json["method"] = *report.method;
  if (report.extremes) add(json, *report.extremes);
  if (report.grid) add(json, *report.grid);
  if (report.lower_bound) {
    Json bound;
    std::visit([&](const auto& claim) { add(bound, claim); }, *report.lower_bound);
    json["lower_bound"] = bound["lower_bound"];
    json["lower_bound_method"] = bound["lower_bound_method"];
    json["lower_bound_class"] = bound["family"];
  }
  if (report.coverage) {
    json["contexts"] = report.coverage->contexts;
    json["covered_pairs"] = report.coverage->pairs;
  }
  json["certificate"] = or_null(report.certificate);
  json["sha256"] = or_null(report.sha256);
  if (report.reason) json["reason"] = *report.reason;
  for (const TriedSplit& split : by_split(report.tried)) {
    Json listed;
    add(listed, split);
    json["tried"].push_back(std::move(listed));
  }
  for (const ListedBound& bound : report.bounds) {
    Json listed;
    add(listed, bound);
    json["bounds"].push_back(std::move(listed));
  }
  return dump(json);
}

std::string inputs_json(const std::optional<Graph>& graph,
                        const std::optional<Embedding>& embedding) {
  Json json;
  if (graph) {
    json["vertices"] = graph->vertices();
    json["edges"] = graph->edges().size();
    json["loops"] = graph->loops();
    json["max_out_degree"] = graph->max_out_degree();
    json["max_in_degree"] = graph->max_in_degree();
    json["narrowest_family"] =
        graph->vertices() > 0 ? Json(narrowest_family(*graph).to_string()) : Json();
  }
  if (embedding) {
    json["rows"] = embedding->vertices();
    json["d_model"] = embedding->d_model();
    json["scale"] = embedding->scale;
    json["entry_bits"] = bit_length(embedding->rows.max_abs());
    json["one_hot"] = is_one_hot(*embedding);
  }
  return dump(json);
}

}  // namespace qkcert
