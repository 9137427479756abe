#include <qkcert/bounds/counting.hpp>
#include <qkcert/core/errors.hpp>

#include "options.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "verbs.hpp"

namespace qkcert::cli {

namespace {

struct BoundOptions {
  GraphOptions graph;
  OutputOptions output;
  std::optional<Integer> d_model, weight_max;
};

void bound(const BoundOptions& options) {
  const GraphOptions& graph = options.graph;
  if (!graph.given())
    throw UsageError("a class is needed: --family NAME --vertices M, or --graph FILE");
  check_files({graph.file, graph.names}, options.output.file);
  ProgressLine progress;
  progress.show("counting the class");
  const Family family = graph.file ? graph.family_of_file(graph.load()) : graph.named_family();
  Report report;
  report.claim = counting_bound(family, *options.d_model, options.weight_max.value_or(127));
  options.output.certify(report, 1);
  progress.clear();
  options.output.print(report, counting_text(report));
}

}  // namespace

void add_bound(CLI::App& app, Context& context) {
  auto options = std::make_shared<BoundOptions>();
  CLI::App* verb =
      app.add_subcommand("bound", "The counting lower bound on D_K for a class of graphs");
  options->graph.add_to(*verb, GraphOptions::Use::graph_class);
  add_positive(*verb, "--d-model", options->d_model, "embedding dimension")->required();
  add_positive(*verb, "--weight-max", options->weight_max, "A, the largest |weight| (default 127)");
  options->output.add_to(*verb);
  verb->footer(
      "Example:\n"
      "  qkcert bound --family permutation --vertices 512 --d-model 100 --weight-max 127\n\n"
      "With --graph FILE the class is the narrowest named one that the graph belongs to, or, with\n"
      "--family NAME as well, that one.");
  verb->callback([options, &context] {
    bound(*options);
    context.status = Status::holds;
  });
}

}  // namespace qkcert::cli
