#include <iostream>
#include <qkcert/core/decimal.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/reader.hpp>
#include <qkcert/io/file.hpp>
#include <qkcert/reports/histogram.hpp>
#include <qkcert/reports/ratio_map.hpp>

#include "options.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "verbs.hpp"

namespace qkcert::cli {

namespace {

struct PlotOptions {
  std::string kind;
  std::vector<std::string> paths;
  std::optional<std::string> family, file, vertices;
  std::optional<std::uint64_t> degree, edges, bins, threads;
  std::optional<Integer> d_model, weight_max;
  bool json = false;

  /// The family's member with `vertices` vertices.
  Family member(std::uint64_t count) const {
    GraphOptions graph;
    graph.family = family;
    graph.vertices = count;
    graph.degree = degree;
    graph.edges = edges;
    return graph.named_family();
  }
  std::set<std::uint64_t> vertex_counts() const;
  void check() const;
};

std::set<std::uint64_t> PlotOptions::vertex_counts() const {
  std::set<std::uint64_t> counts;
  if (!vertices) return counts;
  for (std::size_t begin = 0; begin <= vertices->size();) {
    const std::size_t end = std::min(vertices->find(',', begin), vertices->size());
    const auto value = parse_uint64(std::string_view(*vertices).substr(begin, end - begin));
    if (!value || *value == 0)
      throw UsageError("--vertices: expected integers of at least 1, separated by commas, found " +
                       qkcert::quoted(*vertices));
    counts.insert(*value);
    begin = end + 1;
  }
  return counts;
}

/// What can be known before the long work.
void PlotOptions::check() const {
  if (!file) throw UsageError("a file for the plot is needed: -o FILE.svg or -o FILE.pdf");
  const PlotFormat format = plot_format(*file);
  check_files({paths.begin(), paths.end()}, file);
  const bool histogram = kind == "histogram";
  if (histogram && (family || degree || edges || d_model || weight_max || vertices))
    throw UsageError("plot histogram takes a certificate, --bins, --threads, --json and -o alone");
  if (histogram && paths.size() != 1)
    throw UsageError("plot histogram: expected one certificate, found " +
                     std::to_string(paths.size()));
  if (!histogram && bins) throw UsageError("--bins goes with plot histogram");
  if (!histogram && !family) throw UsageError("a family is needed: --family NAME");
  if (kind == "ratio" && (d_model || vertices))
    throw UsageError("plot ratio takes d_model and the vertices from the certificates");
  if (kind == "ratio" && paths.empty()) throw UsageError("certificates are needed: FILE... or DIR");
  if (kind == "bounds" && !d_model) throw UsageError("plot bounds needs --d-model");
  vertex_counts();
  if (kind == "bounds" && paths.empty() && !vertices)
    throw UsageError("plot bounds needs certificates or --vertices");
  // So that a missing gnuplot is known now.
  draw(Plot{.title = "", .x = {"", 0, 1}, .y = {"", 0, 1}, .marks = {{"", 0}}}, format);
}

std::vector<Surveyed> survey_all(const std::vector<std::string>& paths, unsigned threads,
                                 ProgressLine& progress) {
  std::vector<Surveyed> list;
  for (const std::string& path : certificate_paths(paths)) {
    progress.show("verifying " + path);
    list.push_back(survey(path, threads, progress.callback()));
  }
  return list;
}

/// What a plot is made of, decided and drawn.
struct Drawn {
  std::string bytes, text, json;
};

Drawn draw_histogram(const PlotOptions& options, const Surveyed& certificate,
                     ProgressLine& progress) {
  const auto view = channel_of(*certificate.claim);
  if (!view)
    throw UsageError(certificate.path +
                     ": expected a certificate of a channel, found another claim");
  progress.show("scoring all pairs");
  const Scores scores = scan_scores(
      {view->graph, view->embedding, view->channel, view->threshold, 0, options.bins.value_or(64)},
      threads_of(options.threads), progress.callback());
  return {draw(histogram_plot(*view, scores), plot_format(*options.file)),
          histogram_text(certificate, scores), histogram_json(certificate, scores, *options.file)};
}

Drawn draw_kind(const PlotOptions& options, const std::vector<Surveyed>& list,
                ProgressLine& progress) {
  const PlotFormat format = plot_format(*options.file);
  const FamilyOf family = [&](std::uint64_t count) { return options.member(count); };
  const Integer weight_max = options.weight_max.value_or(127);
  progress.show("computing the bounds");
  if (options.kind == "ratio") {
    RatioMap map = ratio_map(list, family, weight_max);
    map.output = *options.file;
    return {draw(ratio_heat_map(map), format), ratio_text(map), ratio_json(map, list)};
  }
  std::set<std::uint64_t> vertices = options.vertex_counts();
  if (vertices.empty()) vertices = vertices_of(list, family, *options.d_model, weight_max);
  if (vertices.empty())
    throw UsageError("no certificate that holds is of this family, d_model and weights");
  BoundsCurve curve = bounds_curve(list, family, *options.d_model, weight_max, vertices);
  curve.output = *options.file;
  return {draw(bounds_plot(curve), format), bounds_text(curve), bounds_json(curve, list)};
}

Status plot(const PlotOptions& options) {
  options.check();
  ProgressLine progress;
  const std::vector<Surveyed> list =
      survey_all(options.paths, threads_of(options.threads), progress);
  if (options.kind == "histogram" && list.size() != 1)
    throw UsageError("plot histogram: expected one certificate, found " +
                     std::to_string(list.size()));
  if (options.kind == "histogram" && !list[0].holds) {
    progress.clear();
    std::cerr << list[0].text << "\n";
    return Status::does_not_hold;
  }
  const Drawn drawn = options.kind == "histogram" ? draw_histogram(options, list[0], progress)
                                                  : draw_kind(options, list, progress);
  write_file(*options.file, drawn.bytes);
  progress.clear();
  std::cout << (options.json ? drawn.json + "\n" : drawn.text);
  Status status = Status::holds;
  for (const Surveyed& each : list) {
    if (each.holds) continue;
    std::cerr << "refused: " << each.text << "\n";
    status = Status::does_not_hold;
  }
  return status;
}

}  // namespace

void add_plot(CLI::App& app, Context& context) {
  auto options = std::make_shared<PlotOptions>();
  CLI::App* verb = app.add_subcommand("plot", "Draw bounds, ratios or scores of certificates");
  verb->add_option("KIND", options->kind, "bounds, ratio or histogram")
      ->required()
      ->type_name("")
      ->check(CLI::IsMember({"bounds", "ratio", "histogram"}));
  verb->add_option("PATH", options->paths, "certificates (.qkc, .qkc.gz) and folders of them")
      ->type_name("");
  verb->add_option("--family", options->family, "the class: permutation, matching, …")
      ->type_name("NAME");
  verb->add_option("--vertices", options->vertices,
                   "bounds: numbers of vertices m, separated by commas\n(default: those of the "
                   "certificates)")
      ->type_name("M,…");
  add_count(*verb, "--degree", options->degree, "out-degree r of out-regular");
  add_count(*verb, "--edges", options->edges, "edges e of digraph and digraph-loops");
  add_positive(*verb, "--d-model", options->d_model, "bounds: embedding dimension");
  add_positive(*verb, "--weight-max", options->weight_max,
               "A: no |weight| exceeds it (default 127)");
  add_count(*verb, "--bins", options->bins, "histogram: at most so many bins (default 64)",
            {2, 1000});
  add_threads(*verb, options->threads);
  verb->add_option("-o,--output", options->file, "the plot, .svg or .pdf")->type_name("FILE");
  verb->add_flag("--json", options->json, "print one JSON object");
  verb->footer(
      "Example:\n"
      "  qkcert plot bounds --family permutation --vertices 16,64,256 --d-model 16 -o "
      "bounds.svg\n\n"
      "Certificates are verified before they are drawn; those that do not hold are named, left "
      "out,\n"
      "and make the exit status 1. It needs gnuplot. Success rates: `qkcert transition --svg`.");
  verb->callback([options, &context] { context.status = plot(*options); });
}

}  // namespace qkcert::cli
