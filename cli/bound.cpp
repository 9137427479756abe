#include <algorithm>
#include <map>
#include <qkcert/bounds/registry.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/verify/check.hpp>

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
  std::optional<std::uint64_t> failure_bits;
  std::optional<std::string> name;
  std::optional<Rational> edge_ratio, nonedge_ratio;
};

std::string known_names() {
  std::string text;
  for (const BoundKind& kind : bound_kinds())
    text += (text.empty() ? "" : ", ") + std::string(kind.name);
  return text;
}

const BoundKind& kind_of(const std::string& name) {
  for (const BoundKind& kind : bound_kinds())
    if (kind.name == name) return kind;
  throw UsageError("--bound: expected one of " + known_names() + ", found '" + name + "'");
}

/// Every bound, computed and checked, or why it does not apply; the strongest D_K for each kind of
/// weights is marked. With failure bits only bounds that make use of them are compared.
std::vector<ListedBound> list_bounds(const BoundQuery& query) {
  std::vector<ListedBound> list;
  std::map<std::string, Integer> highest;
  const auto compared = [&](const ListedBound& bound) {
    return bound.claim && key_dimension_of(*bound.claim) &&
           is_random(*bound.claim) == (query.failure_bits > 0);
  };
  for (const BoundKind& kind : bound_kinds()) {
    const ListedBound& bound = list.emplace_back(list_bound(kind, query));
    if (!compared(bound)) continue;
    Integer& most = highest[bound.weights];
    most = std::max(most, *key_dimension_of(*bound.claim));
  }
  for (ListedBound& bound : list)
    bound.strongest = compared(bound) && *key_dimension_of(*bound.claim) == highest[bound.weights];
  return list;
}

void bound(const BoundOptions& options) {
  const GraphOptions& graph = options.graph;
  if (!graph.given())
    throw UsageError("a class is needed: --family NAME --vertices M, or --graph FILE");
  const BoundKind& kind = options.name ? kind_of(*options.name) : bound_kinds().front();
  check_files({graph.file, graph.names}, options.output.file);
  ProgressLine progress;
  progress.show("counting the class");
  std::optional<Graph> loaded;
  if (graph.file) loaded = graph.load();
  const Family family = loaded ? graph.family_of_file(*loaded) : graph.named_family();
  const BoundQuery query{family,
                         *options.d_model,
                         options.weight_max.value_or(127),
                         options.failure_bits.value_or(0),
                         std::move(loaded),
                         options.edge_ratio,
                         options.nonedge_ratio};
  Report report;
  report.claim = kind.compute(query);
  if (!options.name) report.bounds = list_bounds(query);
  options.output.certify(report, 1);
  progress.clear();
  options.output.print(report, bound_text(report));
}

}  // namespace

void add_bound(CLI::App& app, Context& context) {
  auto options = std::make_shared<BoundOptions>();
  CLI::App* verb =
      app.add_subcommand("bound", "Lower bounds on D_K and on heads for a class of graphs");
  options->graph.add_to(*verb, GraphOptions::Use::graph_class);
  add_positive(*verb, "--d-model", options->d_model, "embedding dimension")->required();
  add_positive(*verb, "--weight-max", options->weight_max, "A, the largest |weight| (default 127)");
  add_count(*verb, "--failure-bits", options->failure_bits,
            "s: one random graph, except with probability 2^-s\n(default 0: the class itself)");
  add_ratio(*verb, "--edge-ratio", options->edge_ratio,
            "bound margin: edges score in [1, X] on some scale");
  add_ratio(*verb, "--nonedge-ratio", options->nonedge_ratio,
            "bound margin: all other pairs in [-X, X] there");
  verb->add_option("--bound", options->name,
                   "one bound alone; all are listed without it, and -o\nthen writes counting")
      ->type_name("NAME");
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
