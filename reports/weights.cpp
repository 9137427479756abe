#include <qkcert/core/decimal.hpp>
#include <qkcert/reports/json.hpp>
#include <qkcert/reports/json_number.hpp>
#include <qkcert/reports/weights.hpp>

namespace qkcert {

namespace {

using Json = nlohmann::ordered_json;

Json decisions_json(const Json& head, const Decisions& counts) {
  return {{"head", head},
          {"threshold", json_number(counts.threshold)},
          {"true_positives", json_number(counts.true_positives)},
          {"false_positives", json_number(counts.false_positives)},
          {"false_negatives", json_number(counts.false_negatives)},
          {"true_negatives", json_number(counts.true_negatives)}};
}

std::string line(std::string label, const std::string& text) {
  if (label.size() < 13) label.resize(13, ' ');
  return label + text + "\n";
}

std::string counts_text(const Decisions& counts) {
  return to_decimal(counts.false_positives) + " false positives, " +
         to_decimal(counts.false_negatives) + " false negatives, " +
         to_decimal(counts.true_positives) + " true positives, " +
         to_decimal(counts.true_negatives) +
         " true negatives at τ = " + to_decimal(counts.threshold);
}

std::string scaled_text(const Integer& largest, std::int64_t scale) {
  return "integers of up to " + std::to_string(bit_length(largest)) + " bits, times 2^" +
         std::to_string(scale);
}

}  // namespace

std::string weights_text(const WeightsReport& facts, const Sources& sources,
                         const std::string& weights_source) {
  const Channel& channel = facts.weights.channel;
  std::string text =
      line("graph", sources.graph + ": " + std::to_string(facts.graph.vertices()) + " vertices, " +
                        std::to_string(facts.graph.edges().size()) + " edges") +
      line("embedding", sources.embedding + ": " + std::to_string(facts.embedding.vertices()) +
                            " × " + std::to_string(facts.embedding.d_model()) + ", exact: " +
                            scaled_text(facts.embedding.rows.max_abs(), facts.embedding.scale)) +
      line("weights", weights_source + ": " + architecture_text(channel) +
                          ", exact: " + scaled_text(channel.weight_max(), facts.weights.scale)) +
      line("D_K", std::to_string(channel.key_dimension()));
  for (std::size_t k = 0; k < facts.decisions.heads.size(); ++k)
    text += line("head " + std::to_string(k), counts_text(facts.decisions.heads[k]));
  text += line("all heads", counts_text(facts.decisions.all));
  if (facts.report.certificate) text += line("certificate", *facts.report.certificate);
  if (facts.report.sha256) text += line("sha256", *facts.report.sha256);
  return text;
}

std::string weights_json(const WeightsReport& facts) {
  Json json = Json::parse(to_json(facts.report));
  const Channel& channel = facts.weights.channel;
  json["vertices"] = facts.graph.vertices();
  json["edges"] = facts.graph.edges().size();
  json["d_model"] = facts.embedding.d_model();
  json["heads"] = channel.heads.size();
  json["head_widths"] = Json::array();
  for (const Head& head : channel.heads) json["head_widths"].push_back(head.width());
  json["key_dimension"] = channel.key_dimension();
  json["embedding_scale"] = facts.embedding.scale;
  json["weight_scale"] = facts.weights.scale;
  json["decisions"] = Json::array();
  for (std::size_t k = 0; k < facts.decisions.heads.size(); ++k)
    json["decisions"].push_back(decisions_json(k, facts.decisions.heads[k]));
  json["decisions"].push_back(decisions_json(nullptr, facts.decisions.all));
  return json_line(json);
}

}  // namespace qkcert
