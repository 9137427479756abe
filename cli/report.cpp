#include <filesystem>
#include <iostream>
#include <qkcert/core/errors.hpp>
#include <qkcert/io/edge_list.hpp>
#include <qkcert/io/file.hpp>
#include <qkcert/io/folder.hpp>
#include <qkcert/reports/json.hpp>
#include <qkcert/reports/json_number.hpp>
#include <qkcert/reports/page.hpp>
#include <qkcert/reports/plot.hpp>
#include <qkcert/search/records.hpp>
#include <qkcert/verify/sha256.hpp>
#include <set>

#include "options.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "verbs.hpp"

namespace qkcert::cli {

namespace {

struct ReportOptions {
  std::string folder;
  std::optional<std::string> file, graph, names, title;
  std::optional<std::uint64_t> pairs, contexts, threads;
  bool json = false;
};

NamedGraph load_named(const std::string& graph, const std::string& names) {
  NamedGraph result{{}, parse_vertex_names(read_file(names), names)};
  const std::string bytes = read_file(graph);
  try {  // lines of numbers, or of names
    result.graph = parse_edge_list(bytes, graph, result.names.size());
  } catch (const FormatError&) {
    result.graph = parse_edge_list(bytes, graph, {}, result.names);
  }
  return result;
}

/// The graphs of the folder, of the real cells of its records, and of the options.
void add_named(const ReportOptions& options, PageInput& input) {
  if (options.graph) input.named.push_back(load_named(*options.graph, options.names.value()));
  std::set<std::string> folders = {input.folder};
  for (const auto& [name, history] : input.records)
    if (const Cell cell = find_cell(name); !cell.source.empty())
      folders.insert(input.folder + "/../" + cell.source);
  for (const std::string& folder : folders) {
    const std::string graph = folder + "/edges.tsv", names = folder + "/vertices.txt";
    if (!file_exists(graph) || !file_exists(names)) continue;
    try {
      input.named.push_back(load_named(graph, names));
    } catch (const Error& error) {
      input.faults.emplace_back(error.what());
    }
  }
}

PageInput load(const ReportOptions& options, ProgressLine& progress) {
  PageInput input{
      .title = options.title.value_or(""), .folder = options.folder, .certificates = {}};
  while (input.folder.size() > 1 && input.folder.ends_with('/')) input.folder.pop_back();
  if (!options.title) {
    const auto path = std::filesystem::weakly_canonical(input.folder);
    input.title = "Certificates of " + path.filename().string();
  }
  input.threads = threads_of(options.threads);
  input.progress = progress.callback();
  input.on_step = [&progress](const std::string& what) { progress.show(what); };
  if (options.pairs) input.limits.pairs = *options.pairs;
  if (options.contexts) input.limits.contexts = *options.contexts;
  try {
    input.records = load_records(input.folder);
  } catch (const FormatError& error) {
    input.faults.emplace_back(error.what());
  }
  for (const std::string& name : list_folder(input.folder)) {
    if (!is_certificate_name(name)) continue;
    progress.show("verifying " + name);
    input.certificates.push_back(
        survey(input.folder + "/" + name, input.threads, progress.callback()));
  }
  if (input.certificates.empty() && input.records.empty() && input.faults.empty())
    throw UsageError(options.folder +
                     ": expected certificates (.qkc, .qkc.gz) or records.json, "
                     "found neither");
  add_named(options, input);
  return input;
}

std::string page_json(const ReportOptions& options, const PageInput& input, const Page& page) {
  using Json = nlohmann::ordered_json;
  Json json{{"page", *options.file},       {"bytes", page.html.size()},
            {"sha256", sha256(page.html)}, {"holding", page.holding},
            {"refusals", page.refused},    {"records", page.records},
            {"plots", page.plots},         {"certificates", Json::array()}};
  for (const Surveyed& each : input.certificates)
    json["certificates"].push_back(Json::parse(to_json(each.report())));
  json["faults"] = input.faults;
  return json_line(json);
}

Status report(const ReportOptions& options) {
  if (!options.file) throw UsageError("a file for the page is needed: -o FILE.html");
  if (!options.file->ends_with(".html") && *options.file != "-")
    throw UsageError("-o: expected a name that ends in .html, found '" + *options.file + "'");
  std::error_code error;
  if (!std::filesystem::is_directory(options.folder, error))
    throw FileError(options.folder + ": expected a folder, found " +
                    (file_exists(options.folder) ? "a file" : "nothing"));
  check_files({options.graph, options.names}, options.file);
  // So that a missing gnuplot is known now.
  draw(Plot{.title = "", .x = {"", 0, 1}, .y = {"", 0, 1}, .marks = {{"", 0}}}, PlotFormat::svg);
  ProgressLine progress;
  const PageInput input = load(options, progress);
  const Page page = make_page(input);
  write_file(*options.file, page.html);
  progress.clear();
  (*options.file == "-" ? std::cerr : std::cout)
      << (options.json
              ? page_json(options, input, page) + "\n"
              : *options.file + ": " + std::to_string(page.holding) + " certificates hold, " +
                    std::to_string(page.refused) + " refused, " + std::to_string(page.plots) +
                    " plots, " + std::to_string(page.html.size()) + " bytes\n");
  for (const Surveyed& each : input.certificates)
    if (!each.holds) std::cerr << "refused: " << each.text << "\n";
  for (const std::string& fault : input.faults) std::cerr << "refused: " << fault << "\n";
  return page.refused == 0 ? Status::holds : Status::does_not_hold;
}

}  // namespace

void add_report(CLI::App& app, Context& context) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* verb = app.add_subcommand("report", "One HTML page of a folder of certificates");
  verb->add_option("DIR", options->folder, "a folder of certificates, with or without records")
      ->required()
      ->type_name("");
  verb->add_option("-o,--output", options->file, "the page, - for stdout")->type_name("FILE");
  verb->add_option("--title", options->title, "the page's title (default: the folder's name)")
      ->type_name("TEXT");
  auto* graph = verb->add_option("--graph", options->graph,
                                 "an edge list: certificates of this graph are shown with");
  auto* names = verb->add_option("--vertex-names", options->names, "its vertex names, one a line");
  graph->type_name("FILE")->needs(names);
  names->type_name("FILE")->needs(graph);
  add_count(*verb, "--pairs", options->pairs, "pairs of least margin, of each kind (default 10)",
            {0, 1000});
  add_count(*verb, "--contexts", options->contexts, "vertices shown with their edges (default 40)",
            {0, 10'000});
  add_threads(*verb, options->threads);
  verb->add_flag("--json", options->json, "print one JSON object");
  verb->footer(
      "Example:\n"
      "  qkcert report . -o report.html\n\n"
      "Every certificate is verified again, and the page says which are refused and why; then the\n"
      "exit status is 1. It loads nothing from a network. It needs gnuplot.");
  verb->callback([options, &context] { context.status = report(*options); });
}

}  // namespace qkcert::cli
