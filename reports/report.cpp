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

void add(Json& json, const CountingBound& claim) {
  json["claim"] = "bound counting";
  json["family"] = claim.family.to_string();
  json["d_model"] = number(claim.d_model);
  json["weight_max"] = number(claim.weight_max);
  json["lower_bound"] = number(claim.key_dimension);
  json["lower_bound_method"] = "counting";
}

void add_class(Json& json, const Claim& claim, const Family& family, const Integer& d_model) {
  json["claim"] = claim_name(claim);
  json["family"] = family.to_string();
  json["d_model"] = number(d_model);
}

/// All other bounds: of RandomCountingBound, ColumnsBound, WarrenBound, WarrenRanksBound,
/// SingleHeadClassImpossibility, HeadsBound the members they have.
template <class Bound>
void add(Json& json, const Bound& claim) {
  add_class(json, claim, claim.family, claim.d_model);
  if constexpr (requires { claim.weight_max; }) json["weight_max"] = number(claim.weight_max);
  if constexpr (requires { claim.failure_bits; }) json["failure_bits"] = number(claim.failure_bits);
  if constexpr (requires { claim.key_dimension; })
    json["lower_bound"] = number(claim.key_dimension);
  if constexpr (requires { claim.heads; }) json["lower_bound_heads"] = number(claim.heads);
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

/// `D_K >= K (NAME, class …, d_model …, …)`, from the members that the bound has.
template <class Bound>
std::string statement(const Bound& bound) {
  std::string name(claim_name(bound));
  name.erase(0, name.find(' ') + 1);
  std::string text = "no single head serves the whole class";
  if constexpr (requires { bound.key_dimension; })
    text = "D_K >= " + to_decimal(bound.key_dimension);
  if constexpr (requires { bound.heads; }) text = "heads >= " + to_decimal(bound.heads);
  text += " (" + name + ", class " + class_text(bound.family) + ", d_model " +
          to_decimal(bound.d_model);
  if constexpr (requires { bound.weight_max; })
    text += ", |weight| <= " + to_decimal(bound.weight_max);
  else
    text += ", real weights";
  if constexpr (requires { bound.failure_bits; })
    if (bound.failure_bits > 0)
      text += ", for a random graph but with probability < 2^-" + to_decimal(bound.failure_bits);
  return text + ")";
}

/// The statement of a bound for a class; nothing for other claims.
std::optional<std::string> statement_of(const Claim& claim) {
  return std::visit(
      [](const auto& each) -> std::optional<std::string> {
        if constexpr (requires { each.family; }) return statement(each);
        return std::nullopt;
      },
      claim);
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

std::string certificate_lines(const Report& report) {
  return (report.certificate ? line("certificate", *report.certificate) : "") +
         (report.sha256 ? line("sha256", *report.sha256) : "");
}

/// A line for each bound of the list.
std::string list_lines(const std::vector<ListedBound>& bounds) {
  std::string text;
  for (const ListedBound& bound : bounds) {
    const std::string subject = bound.name + " (" + bound.weights + "; " + bound.decoder + "): ";
    text += line(
        text.empty() ? "bounds" : "",
        subject +
            (bound.claim ? statement_of(*bound.claim).value() : "does not apply: " + bound.reason) +
            (bound.strongest ? " *" : ""));
  }
  return text.empty() ? text : text + line("", "* the strongest for such weights");
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
  for (const ListedBound& bound : report.bounds) {
    Json listed;
    add(listed, bound);
    json["bounds"].push_back(std::move(listed));
  }
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
  if (const auto bound = statement_of(claim))
    return line("claim", std::string(claim_name(claim))) + line("lower bound", *bound);
  if (const auto* impossible = std::get_if<SingleHeadImpossibility>(&claim))
    return line("claim", "impossibility single-head") +
           line("graph", graph_text(impossible->graph)) +
           line("embedding", embedding_text(impossible->embedding)) +
           line("multipliers", std::to_string(impossible->edge_multipliers.size()) + " on edges, " +
                                   std::to_string(impossible->nonedge_multipliers.size()) +
                                   " on non-edges");
  const auto& recovery = std::get<RecoveryClaim>(claim);
  return line("claim", "recovery") + line("graph", graph_text(recovery.graph)) +
         line("embedding", embedding_text(recovery.embedding)) + channel_lines(recovery);
}

std::string certified_text(const Report& report, const Sources& sources) {
  require(report.claim && report.lower_bound, "certified_text: a claim and a bound are required");
  const auto& claim = std::get<RecoveryClaim>(*report.claim);
  return line("graph", sources.graph + ": " + graph_text(claim.graph)) +
         line("embedding",
              sources.embedding + ": " + embedding_text(claim.embedding, sources.embedding_scale)) +
         (report.method ? line("method", *report.method) : "") + channel_lines(claim) +
         line("lower bound", statement(*report.lower_bound)) +
         line("", "It bounds the class and not this graph: no smaller D_K serves every graph") +
         line("", "of the class on one embedding, but some of its graphs may need less.") +
         line("ratio",
              ratio_text(claim.channel.key_dimension(), report.lower_bound->key_dimension)) +
         certificate_lines(report);
}

std::string bound_text(const Report& report) {
  const auto stated = report.claim ? statement_of(*report.claim) : std::nullopt;
  require(stated.has_value(), "bound_text: a bound for a class is required");
  const bool counting = std::holds_alternative<CountingBound>(*report.claim);
  return line("lower bound", *stated) +
         (counting
              ? line("",
                     "It bounds the class and not one chosen graph: with such weights no smaller") +
                    line("",
                         "D_K serves every graph of the class on one embedding, however it is "
                         "split") +
                    line("", "into heads.")
              : line("", "It bounds the class and not one chosen graph.")) +
         list_lines(report.bounds) + certificate_lines(report);
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
