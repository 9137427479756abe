#include <algorithm>
#include <qkcert/bounds/registry.hpp>
#include <qkcert/core/decimal.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/reports/report.hpp>
#include <qkcert/verify/certificate.hpp>
#include <qkcert/verify/universal.hpp>

namespace qkcert {

namespace {

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

std::string statement(const UnitHeadsBound& bound) {
  return "h >= " + std::to_string(bound.heads()) +
         " heads of width one (unit-heads, induced matching of " +
         counted(bound.matching.size(), "edge", "edges") + ")";
}

std::string statement(const MarginBound& bound) {
  return "min(d_k, rank X) >= " + to_decimal(bound.rank) + " (margin, power " +
         to_decimal(bound.power) + ")";
}

/// The statement of a bound that `qkcert bound` lists; nothing for other claims.
std::optional<std::string> statement_of(const Claim& claim) {
  return std::visit(
      [](const auto& each) -> std::optional<std::string> {
        if constexpr (
            requires { each.family, each.d_model; } || requires { each.matching; } ||
            requires { each.power; })
          return statement(each);
        return std::nullopt;
      },
      claim);
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
/// All bounds for a class.
template <class Bound>
std::string claim_lines(const Bound& claim) {
  return line("lower bound", statement(claim));
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
std::string claim_lines(const FloatSafeClaim& claim) {
  return inputs_lines(claim.graph, claim.embedding) +
         line("channel", architecture_text(claim.channel)) +
         line("D_K", std::to_string(claim.channel.key_dimension())) +
         line("weights", "integers, largest |weight| " + to_decimal(claim.channel.weight_max())) +
         line("threshold", to_decimal(claim.threshold)) +
         line("floats", std::string(claim.format.name) + ", sums in fp32 in any order; embedding " +
                            "times 2^" + to_decimal(claim.embedding_scale) + ", weights times 2^" +
                            to_decimal(claim.weight_scale));
}
std::string claim_lines(const MarginBound& margin) {
  return line("lower bound", statement(margin)) +
         line("", "for one head that scores the edges of a permutation of " +
                      to_decimal(margin.vertices) + " vertices in") +
         line("", "[1, " + fraction(margin.edge_ratio) + "] and all other pairs in ±" +
                      fraction(margin.nonedge_ratio) + "; threshold decoders need no such margin");
}
std::string claim_lines(const UnitHeadsBound& claim) {
  return line("graph", graph_text(claim.graph)) + line("lower bound", statement(claim));
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

std::string claim_lines(const SoftmaxRecovery& claim) {
  const bool all = claim.context_size >= claim.graph.vertices();
  return inputs_lines(claim.graph, claim.embedding) +
         line("channel", architecture_text(claim.channel)) +
         line("D_K", std::to_string(claim.channel.key_dimension())) +
         line("weights", "integers, largest |weight| " + to_decimal(claim.channel.weight_max())) +
         line("read-out", "softmax with a null key of score τ = " + to_decimal(claim.threshold) +
                              ", β = " + fraction(claim.beta) + ", θ = " + fraction(claim.theta)) +
         line("contexts",
              all ? "of any size" : "of up to " + to_decimal(claim.context_size) + " vertices");
}

/// `HEADS heads of width one …`, the same for both universal claims.
std::string universal_lines(const Family& family, const Matrix& embedding, const Integer& heads) {
  return line("class", class_text(family) + ": " + shortened(family.size()) + " graphs of " +
                           to_decimal(family.edges()) + " edges") +
         line("embedding", embedding_text(embedding)) +
         line("heads", to_decimal(heads) + " of width one serve every graph of the class on this") +
         line("", "embedding under threshold-max, with weights of its own") +
         line("D_K", to_decimal(heads));
}
std::string claim_lines(const UniversalEdgePerHead& claim) {
  return universal_lines(claim.family, claim.embedding, claim.heads);
}
std::string claim_lines(const UniversalEdgePairs& claim) {
  const bool matchings = claim.family.max_out_degree() == 1 && claim.family.max_in_degree() == 1;
  return universal_lines(claim.family, claim.embedding, claim.heads) +
         line("good pairs", std::to_string(claim.pairs.size()) + ", all but at most " +
                                std::to_string(most_unlisted(claim)) + " at each vertex") +
         (matchings ? line("unit heads",
                           "fewer serve no graph of the class, on any embedding: its "
                           "edges are an") +
                          line("", "induced matching (bound unit-heads)")
                    : "");
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
  const bool marked = std::any_of(bounds.begin(), bounds.end(),
                                  [](const ListedBound& bound) { return bound.strongest; });
  return marked ? text + line("", "* the strongest for such weights") : text;
}

}  // namespace

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
         line("lower bound", statement_of(*report.lower_bound).value()) +
         line("", "It bounds the class and not this graph: no smaller D_K serves every graph") +
         line("", "of the class on one embedding, but some of its graphs may need less.") +
         line("ratio", ratio_text(claim.channel.key_dimension(),
                                  key_dimension_of(*report.lower_bound).value())) +
         certificate_lines(report);
}

std::string bound_text(const Report& report) {
  require(report.claim.has_value(), "bound_text: a bound is required");
  const auto stated = statement_of(*report.claim);
  std::string text = stated ? line("lower bound", *stated) : claim_text(*report.claim);
  if (std::holds_alternative<CountingBound>(*report.claim))
    text += line("", "It bounds the class and not one chosen graph: with such weights no smaller") +
            line("", "D_K serves every graph of the class on one embedding, however it is split") +
            line("", "into heads.");
  else if (stated && !std::holds_alternative<UnitHeadsBound>(*report.claim) &&
           !std::holds_alternative<MarginBound>(*report.claim))
    text += line("", "It bounds the class and not one chosen graph.");
  return text + list_lines(report.bounds) + certificate_lines(report);
}

std::string advantage_text(const Report& report) {
  require(report.claim.has_value(), "advantage_text: a claim is required");
  require(std::holds_alternative<ClassAdvantage>(*report.claim),
          "advantage_text: an advantage is required");
  return claim_text(*report.claim) + certificate_lines(report);
}

std::string universal_text(const Report& report) {
  require(report.claim.has_value(), "universal_text: a claim is required");
  require(std::holds_alternative<UniversalEdgePairs>(*report.claim) ||
              std::holds_alternative<UniversalEdgePerHead>(*report.claim),
          "universal_text: a universal claim is required");
  return claim_text(*report.claim) + list_lines(report.bounds) + certificate_lines(report);
}

std::string softmax_text(const Report& report) {
  require(report.claim.has_value(), "softmax_text: a claim is required");
  require(std::holds_alternative<SoftmaxRecovery>(*report.claim),
          "softmax_text: a softmax claim is required");
  std::string text = claim_text(*report.claim);
  if (const auto& grid = report.grid) {
    const auto at = [&](const Integer& i) {
      return to_decimal(i) + "/" + to_decimal(power_of_two(grid->bits));
    };
    if (grid->beta)
      text += line("least beta", at(*grid->beta) + " works" +
                                     (*grid->beta > 1 ? ", " + at(*grid->beta - 1) + " does not"
                                                      : ", the least of the grid"));
    if (grid->of_beta)
      text +=
          line("closed form", grid->closed_form_beta
                                  ? "promises it from β = " + at(*grid->closed_form_beta) + " on"
                                  : "does not apply");
    if (grid->theta)
      text += line("theta", "works from " + at(grid->theta->least) + " to " +
                                at(grid->theta->greatest) + " and at no other multiple of 1/" +
                                to_decimal(power_of_two(grid->bits)));
  }
  return text + certificate_lines(report);
}

std::string inputs_text(const std::optional<Graph>& graph,
                        const std::optional<Embedding>& embedding) {
  std::string text;
  if (graph) text += line("graph", graph_text(*graph));
  if (graph && graph->vertices() > 0) text += line("class", class_text(narrowest_family(*graph)));
  if (embedding) text += line("embedding", embedding_text(embedding->rows, embedding->scale));
  return text;
}

}  // namespace qkcert
