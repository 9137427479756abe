#include "verify_weights.hpp"

#include <iostream>
#include <qkcert/core/decimal.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/io/file.hpp>
#include <qkcert/reports/weights.hpp>
#include <qkcert/search/attempt.hpp>
#include <qkcert/verify/extremes.hpp>

#include "progress.hpp"

namespace qkcert::cli {

void WeightsOptions::add_to(CLI::App& verb) {
  const std::string group = "Weights";
  auto* weights = verb.add_option("--weights", file,
                                  "instead of certificates: trained weights of a .npz or\n"
                                  ".safetensors file, asked about a graph and an embedding");
  weights->type_name("FILE")->group(group);
  const auto add_name = [&](const char* option, std::optional<std::string>& name,
                            const char* help) {
    return verb.add_option(option, name, help)->type_name("NAME")->group(group)->needs(weights);
  };
  auto* query = add_name("--query", layout.query, "the array of the query weights");
  auto* key = add_name("--key", layout.key, "the array of the key weights");
  query->needs(key);
  key->needs(query);
  add_name("--in-proj", layout.fused, "one array of queries, keys and values, as much of each")
      ->excludes(query, key);
  auto* heads_option = add_count(
      verb, "--heads", heads, "heads, one behind the other along the output axis (default 1)", {1});
  heads_option->group(group)->needs(weights);
  add_count(verb, "--head-axis", head_axis, "arrays of three axes: the one of the heads", {0, 2})
      ->group(group)
      ->needs(weights)
      ->excludes(heads_option);
  verb.add_flag("--transposed", layout.transposed,
                "the output axis comes before the input axis, as PyTorch's\nnn.Linear stores it")
      ->group(group)
      ->needs(weights);
  graph.add_to(verb);
  embedding.add_to(verb);
}

Status verify_weights(const WeightsOptions& options, const OutputOptions& output,
                      unsigned threads) {
  const std::string& file = options.file.value();
  check_files({file, options.graph.file, options.graph.names, options.embedding.file}, output.file);
  ProgressLine progress;
  progress.show("reading");
  WeightLayout layout = options.layout;
  layout.heads = options.heads.value_or(1);
  layout.head_axis = options.head_axis;
  WeightsReport facts;
  facts.graph = options.graph.load();
  if (facts.graph.vertices() == 0) throw UsageError("a graph of at least one vertex is needed");
  facts.embedding = options.embedding.load(facts.graph.vertices());
  NamedArrays arrays(read_file(file), file);
  facts.weights = read_weights(arrays, layout, facts.embedding.d_model());
  const Channel& channel = facts.weights.channel;
  progress.show("scoring");
  facts.decisions =
      best_decisions(facts.graph, facts.embedding.rows, channel, threads, progress.callback());
  const bool exact = facts.decisions.all.errors() == 0;
  if (exact) {
    progress.show("checking");
    const Extremes extremes =
        score_extremes(facts.graph, facts.embedding.rows, channel, threads, progress.callback());
    facts.report.claim = recovery_claim(facts.graph, facts.embedding.rows, channel, extremes);
    output.certify(facts.report, threads, progress.callback());
  } else {
    facts.report.status = Report::Status::does_not_hold;
    facts.report.reason = file + ": no threshold separates the edges: at the best one there are " +
                          to_decimal(facts.decisions.all.false_positives) +
                          " false positives and " +
                          to_decimal(facts.decisions.all.false_negatives) + " false negatives";
  }
  progress.clear();
  const Sources sources{options.graph.source(), options.embedding.source(), facts.embedding.scale};
  (output.file == "-" ? std::cerr : std::cout)
      << (output.json ? weights_json(facts) + "\n" : weights_text(facts, sources, file));
  if (!exact) std::cerr << "qkcert: " << *facts.report.reason << "\n";
  return exact ? Status::holds : Status::does_not_hold;
}

}  // namespace qkcert::cli
