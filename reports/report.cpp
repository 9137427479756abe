#include <algorithm>
#include <nlohmann/json.hpp>
#include <qkcert/core/decimal.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/reports/report.hpp>
#include <qkcert/verify/certificate.hpp>

namespace qkcert {

namespace {

using Json = nlohmann::ordered_json;

Json number(const Integer& value) {
  static const Integer limit = power_of_two(53);
  if (abs(value) > limit) return to_decimal(value);
  return to_int64(value).value();
}

Json number(const std::optional<Integer>& value) { return value ? number(*value) : Json(); }

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

/// Paths and quoted input need not be UTF-8.
std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void add_inputs(Json& json, const Graph& graph, const Matrix& embedding) {
  json["vertices"] = graph.vertices();
  json["edges"] = graph.edges().size();
  json["d_model"] = embedding.cols();
}

void add(Json& json, const RecoveryClaim& claim) {
  json["claim"] = "recovery";
  add_inputs(json, claim.graph, claim.embedding);
  json["heads"] = claim.channel.heads.size();
  json["head_widths"] = Json::array();
  for (const Head& head : claim.channel.heads) json["head_widths"].push_back(head.width());
  json["key_dimension"] = claim.channel.key_dimension();
  json["weight_max"] = number(claim.channel.weight_max());
  json["threshold"] = number(claim.threshold);
  json["least_edge_score"] = number(claim.least_edge);
  json["greatest_nonedge_score"] = number(claim.greatest_nonedge);
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
  json["width"] = number(claim.width);
  json["weight_max"] = number(claim.weight_max);
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
  json["d_model"] = number(claim.d_model);
  json["weight_max"] = number(claim.weight_max);
  json["lower_bound"] = number(claim.key_dimension);
  json["lower_bound_method"] = "counting";
}

void add(Json& json, const MarginBound& claim) {
  json["claim"] = "bound margin";
  json["vertices"] = number(claim.vertices);
  json["edge_ratio"] = {number(numerator(claim.edge_ratio)), number(denominator(claim.edge_ratio))};
  json["nonedge_ratio"] = {number(numerator(claim.nonedge_ratio)),
                           number(denominator(claim.nonedge_ratio))};
  json["power"] = number(claim.power);
  json["lower_bound"] = number(claim.rank);
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
  json["heads"] = number(claim.family.edges());
  json["class_size"] = number(claim.family.size());
  json["single_head_graphs"] = number(claim.single_head_graphs);
}

void add(Json& json, const Extremes& extremes) {
  const auto add_one = [&json](const std::string& name, const std::optional<Extreme>& extreme) {
    if (!extreme) return;
    json[name + "_score"] = number(extreme->score);
    json[name] = {extreme->pair.source, extreme->pair.target};
  };
  add_one("least_edge", extremes.least_edge);
  add_one("greatest_nonedge", extremes.greatest_nonedge);
}

std::string counted(std::size_t count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

/// D_K / bound, rounded up: the channel is at most this far above the bound.
std::string ratio_text(std::size_t key_dimension, const Integer& bound) {
  if (bound == 0) return "none, the lower bound is 0";
  return to_decimal(Rational(Integer(key_dimension), bound), 2, Rounding::up) +
         " (rounded up) = D_K " + std::to_string(key_dimension) + " / lower bound " +
         to_decimal(bound);
}

/// The certificate's spelling, or its beginning when the family has an argument for each vertex.
std::string class_text(const Family& family) {
  if (family.arguments().size() <= 8) return family.to_string();
  return std::string(family.name()) + " of " + std::to_string(family.vertices()) + " vertices";
}

std::string bound_text(const CountingBound& bound) {
  return "D_K >= " + to_decimal(bound.key_dimension) + " (counting, class " +
         class_text(bound.family) + ", d_model " + to_decimal(bound.d_model) +
         ", |weight| <= " + to_decimal(bound.weight_max) + ")";
}

/// The number, or its length when it is long.
std::string shortened(const Integer& value) {
  if (bit_length(value) <= 128) return to_decimal(value);
  return "(" + counted(bit_length(value), "bit", "bits") + ")";
}

std::string fraction(const Rational& value) {
  return to_decimal(numerator(value)) + "/" + to_decimal(denominator(value));
}

std::string graph_text(const Graph& graph) {
  return counted(graph.vertices(), "vertex", "vertices") + ", " +
         counted(graph.edges().size(), "edge", "edges") + " (" +
         counted(graph.loops(), "loop", "loops") + "), out-degree up to " +
         std::to_string(graph.max_out_degree()) + ", in-degree up to " +
         std::to_string(graph.max_in_degree());
}

std::string embedding_text(const Matrix& rows, std::int64_t scale = 0) {
  std::string text = std::to_string(rows.rows()) + " × " + std::to_string(rows.cols()) +
                     ", exact: integers of up to " +
                     counted(bit_length(rows.max_abs()), "bit", "bits");
  if (scale != 0) text += ", times 2^" + std::to_string(scale);
  return text;
}

std::string line(std::string_view label, const std::string& text) {
  std::string padded(label);
  padded.resize(13, ' ');
  return padded + text + "\n";
}

/// Channel, D_K, weights, and the extremes with τ between them, right-aligned.
std::string channel_lines(const RecoveryClaim& claim) {
  const auto show = [](const std::optional<Integer>& value) {
    return value ? to_decimal(*value) : "none";
  };
  const std::string least = show(claim.least_edge);
  const std::string threshold = to_decimal(claim.threshold);
  const std::string greatest = show(claim.greatest_nonedge);
  const std::size_t width = std::max({least.size(), threshold.size(), greatest.size()});
  const auto aligned = [width](const std::string& name, const std::string& text) {
    return name + std::string(width - text.size(), ' ') + text;
  };
  return line("channel", architecture_text(claim.channel)) +
         line("D_K", std::to_string(claim.channel.key_dimension())) +
         line("weights", "integers, largest |weight| " + to_decimal(claim.channel.weight_max())) +
         line("extremes", aligned("least edge score         ", least)) +
         line("", aligned("threshold τ              ", threshold)) +
         line("", aligned("greatest non-edge score  ", greatest));
}

std::string multiplier_line(const std::vector<Multiplier>& edges,
                            const std::vector<Multiplier>& nonedges) {
  std::size_t bits = 0;
  for (const auto* list : {&edges, &nonedges})
    for (const auto& multiplier : *list) bits = std::max(bits, bit_length(multiplier.weight));
  return line("multipliers", std::to_string(edges.size()) + " on edges, " +
                                 std::to_string(nonedges.size()) + " on non-edges, of up to " +
                                 counted(bits, "bit", "bits"));
}

std::string inputs_lines(const Graph& graph, const Matrix& embedding) {
  return line("graph", graph_text(graph)) + line("embedding", embedding_text(embedding));
}

/// What is particular to each claim.
std::string claim_lines(const CountingBound& claim) {
  return line("lower bound", bound_text(claim));
}
std::string claim_lines(const SingleHeadImpossibility& claim) {
  return inputs_lines(claim.graph, claim.embedding) +
         multiplier_line(claim.edge_multipliers, claim.nonedge_multipliers);
}
std::string claim_lines(const NarrowHeadImpossibility& claim) {
  return inputs_lines(claim.graph, claim.embedding) +
         line("head", "width up to " + to_decimal(claim.width) + ", integer weights up to " +
                          to_decimal(claim.weight_max)) +
         multiplier_line(claim.multipliers.edges, claim.multipliers.nonedges);
}
std::string claim_lines(const HeadsCliqueBound& claim) {
  return inputs_lines(claim.graph, claim.embedding) +
         line("lower bound", counted(claim.clique.size(), "head", "heads") +
                                 " at least (a clique of edges; a lower bound only)");
}
std::string claim_lines(const RecoveryClaim& claim) {
  return inputs_lines(claim.graph, claim.embedding) + channel_lines(claim);
}
std::string claim_lines(const MarginBound& margin) {
  return line("lower bound", "min(d_k, rank X) >= " + to_decimal(margin.rank) + " (margin, power " +
                                 to_decimal(margin.power) + ")") +
         line("", "for one head that scores the edges of a permutation of " +
                      to_decimal(margin.vertices) + " vertices in") +
         line("", "[1, " + fraction(margin.edge_ratio) + "] and all other pairs in ±" +
                      fraction(margin.nonedge_ratio) + "; threshold decoders need no such margin");
}
std::string claim_lines(const UnitHeadsBound& claim) {
  return line("graph", graph_text(claim.graph)) +
         line("lower bound", "h >= " + std::to_string(claim.heads()) +
                                 " heads of width one (unit-heads, induced matching of " +
                                 counted(claim.matching.size(), "edge", "edges") + ")");
}
std::string claim_lines(const ClassAdvantage& advantage) {
  const Family& family = advantage.family;
  return line("class", class_text(family) + ": " + shortened(family.size()) + " graphs") +
         line("embedding", embedding_text(advantage.embedding)) +
         line("one head", "at most " + shortened(advantage.single_head_graphs) +
                              " graphs of the class, on every embedding of d_model " +
                              std::to_string(advantage.embedding.cols()) + ", whatever") +
         line("", "its key dimension and its real weights, with a threshold decoder: some graph") +
         line("", "of the class is out of reach of every single head.") +
         line("many heads", to_decimal(family.edges()) +
                                " heads of width one serve every graph of the class on this") +
         line("", "embedding under threshold-max (construction edge-per-head).");
}

std::string certificate_lines(const Report& report) {
  return (report.certificate ? line("certificate", *report.certificate) : "") +
         (report.sha256 ? line("sha256", *report.sha256) : "");
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
  if (report.lower_bound) {
    json["lower_bound"] = number(report.lower_bound->key_dimension);
    json["lower_bound_method"] = "counting";
    json["lower_bound_class"] = report.lower_bound->family.to_string();
  }
  json["certificate"] = or_null(report.certificate);
  json["sha256"] = or_null(report.sha256);
  if (report.reason) json["reason"] = *report.reason;
  return dump(json);
}

std::string architecture_text(const Channel& channel) {
  const auto& heads = channel.heads;
  const bool equal = std::all_of(heads.begin(), heads.end(), [&](const Head& head) {
    return head.width() == heads.front().width();
  });
  std::string text = counted(heads.size(), "head", "heads");
  if (equal && !heads.empty()) return text + " × " + std::to_string(heads.front().width());
  text += " of widths ";
  for (std::size_t k = 0; k < heads.size(); ++k)
    text += (k > 0 ? ", " : "") + std::to_string(heads[k].width());
  return text;
}

std::string claim_text(const Claim& claim) {
  return line("claim", std::string(claim_name(claim))) +
         std::visit([](const auto& each) { return claim_lines(each); }, claim);
}

std::string refuted_text(const Report& report, const std::string& verdict) {
  require(report.claim.has_value(), "refuted_text: a claim is required");
  return claim_text(*report.claim) + line("proved", verdict) + certificate_lines(report);
}

std::string certified_text(const Report& report, const Sources& sources) {
  require(report.claim && report.lower_bound, "certified_text: a claim and a bound are required");
  const auto& claim = std::get<RecoveryClaim>(*report.claim);
  return line("graph", sources.graph + ": " + graph_text(claim.graph)) +
         line("embedding",
              sources.embedding + ": " + embedding_text(claim.embedding, sources.embedding_scale)) +
         (report.method ? line("method", *report.method) : "") + channel_lines(claim) +
         line("lower bound", bound_text(*report.lower_bound)) +
         line("", "It bounds the class and not this graph: no smaller D_K serves every graph") +
         line("", "of the class on one embedding, but some of its graphs may need less.") +
         line("ratio",
              ratio_text(claim.channel.key_dimension(), report.lower_bound->key_dimension)) +
         certificate_lines(report);
}

std::string counting_text(const Report& report) {
  require(report.claim.has_value(), "counting_text: a claim is required");
  return line("lower bound", bound_text(std::get<CountingBound>(*report.claim))) +
         line("", "It bounds the class and not one chosen graph: with such weights no smaller") +
         line("", "D_K serves every graph of the class on one embedding, however it is split") +
         line("", "into heads.") + certificate_lines(report);
}

std::string advantage_text(const Report& report) {
  require(report.claim.has_value(), "advantage_text: a claim is required");
  require(std::holds_alternative<ClassAdvantage>(*report.claim),
          "advantage_text: an advantage is required");
  return claim_text(*report.claim) + certificate_lines(report);
}

std::string inputs_text(const std::optional<Graph>& graph,
                        const std::optional<Embedding>& embedding) {
  std::string text;
  if (graph) text += line("graph", graph_text(*graph));
  if (graph && graph->vertices() > 0) text += line("class", class_text(narrowest_family(*graph)));
  if (embedding) text += line("embedding", embedding_text(embedding->rows, embedding->scale));
  return text;
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
