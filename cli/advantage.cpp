#include <qkcert/bounds/advantage.hpp>
#include <qkcert/core/errors.hpp>

#include "search_options.hpp"
#include "verbs.hpp"

namespace qkcert::cli {

namespace {

struct AdvantageOptions {
  SearchOptions search;
  std::optional<std::string> class_name;
  std::optional<std::uint64_t> d_model;
};

Status advantage_of_class(const AdvantageOptions& options) {
  GraphOptions graph = options.search.graph;
  graph.family = options.class_name;
  const OutputOptions& output = options.search.output;
  if (!options.d_model) throw UsageError("--class needs --d-model");
  check_files({}, output.file);
  Report report;
  report.claim = class_advantage(graph.named_family(), *options.d_model);
  output.certify(report, 1);
  output.print(report, advantage_text(report));
  return Status::holds;
}

}  // namespace

void add_advantage(CLI::App& app, Context& context) {
  auto options = std::make_shared<AdvantageOptions>();
  CLI::App* verb = app.add_subcommand("advantage", "Prove that many heads do what no one head can");
  auto* class_option =
      verb->add_option("--class", options->class_name, "a named family, as --family");
  class_option->type_name("NAME")->required();
  auto* d_model_option =
      add_count(*verb, "--d-model", options->d_model, "embedding dimension of --class", {1});
  d_model_option->needs(class_option);
  GraphOptions& graph = options->search.graph;
  add_count(*verb, "--vertices", graph.vertices, "number of vertices m", {1});
  add_count(*verb, "--degree", graph.degree, "out-degree r of out-regular");
  add_count(*verb, "--edges", graph.edges,
            "edges e of digraph and digraph-loops;\npairs e of matching (default m/2)");
  options->search.output.add_to(*verb);
  verb->footer(
      "Example:\n"
      "  qkcert advantage --class permutation --vertices 11 --d-model 2 -o permutation.qkc");
  verb->callback([options, &context] { context.status = advantage_of_class(*options); });
}

}  // namespace qkcert::cli
