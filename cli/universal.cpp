#include <qkcert/bounds/registry.hpp>
#include <qkcert/constructions/universal.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/verify/check.hpp>

#include "options.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "verbs.hpp"

namespace qkcert::cli {

namespace {

struct UniversalOptions {
  GraphOptions graph;
  EmbeddingOptions embedding;
  OutputOptions output;
  std::string method = "edge-pairs";
  std::optional<std::uint64_t> threads;
};

/// What any channel needs for the class: bounds that speak of real weights.
std::vector<ListedBound> lower_bounds(const Family& family, std::size_t d_model) {
  std::vector<ListedBound> list;
  const BoundQuery query{family, d_model, 127, 0};
  for (const BoundKind& kind : bound_kinds()) {
    if (kind.name != "warren" && kind.name != "heads") continue;
    list.push_back(list_bound(kind, query));
  }
  return list;
}

Status universal(const UniversalOptions& options) {
  const GraphOptions& graph = options.graph;
  if (!graph.given())
    throw UsageError("a class is needed: --family NAME --vertices M, or --graph FILE");
  if (options.method != "edge-pairs" && options.method != "edge-per-head")
    throw UsageError("--method: expected edge-pairs or edge-per-head, found '" + options.method +
                     "'");
  check_files({graph.file, graph.names, options.embedding.file}, options.output.file);
  ProgressLine progress;
  progress.show("reading");
  const Family family = graph.file ? graph.family_of_file(graph.load()) : graph.named_family();
  const Embedding embedding = options.embedding.load(family.vertices());
  const unsigned threads = threads_of(options.threads);
  Report report{.method = options.method};
  progress.show("looking for good pairs");
  if (options.method == "edge-pairs")
    report.claim = universal_edge_pairs(family, embedding.rows, threads, progress.callback());
  else
    report.claim = universal_edge_per_head(family, embedding.rows);
  progress.show("checking");
  const Verdict verdict = check(*report.claim, threads, progress.callback());
  if (!verdict.holds) {
    progress.clear();
    report.status = Report::Status::does_not_hold;
    report.reason = verdict.text;
    options.output.print_failure(report);
    return Status::does_not_hold;
  }
  report.bounds = lower_bounds(family, embedding.d_model());
  options.output.certify(report, threads, progress.callback());
  progress.clear();
  options.output.print(report, universal_text(report));
  return Status::holds;
}

}  // namespace

void add_universal(CLI::App& app, Context& context) {
  auto options = std::make_shared<UniversalOptions>();
  CLI::App* verb =
      app.add_subcommand("universal", "Prove that one embedding serves every graph of a class");
  options->graph.add_to(*verb, GraphOptions::Use::graph_class);
  options->embedding.add_to(*verb);
  verb->add_option("--method", options->method, "edge-pairs (default) or edge-per-head")
      ->type_name("NAME");
  add_threads(*verb, options->threads);
  options->output.add_to(*verb);
  verb->footer(
      "Example:\n"
      "  qkcert universal --family permutation --vertices 64 --gaussian 16 -o all.qkc\n\n"
      "Exit status 1 when the good pairs that were found are not enough for the class, or with\n"
      "edge-per-head some row does not dominate. With --graph FILE the class is the narrowest "
      "named\n"
      "one that the graph belongs to, or, with --family NAME as well, that one.");
  verb->callback([options, &context] { context.status = universal(*options); });
}

}  // namespace qkcert::cli
