#include <iostream>
#include <qkcert/bounds/advantage.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/io/file.hpp>
#include <qkcert/search/advantage.hpp>
#include <qkcert/verify/certificate.hpp>
#include <set>

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

/// One half goes wrong: says which, writes nothing.
Status report_failure(const SearchOptions& options, const Advantage& result) {
  Report report{.status = Report::Status::undecided};
  if (result.one_head) {
    report.status = Report::Status::does_not_hold;
    report.claim = *result.one_head;
    report.reason = "a single head recognises this graph: " + check(*report.claim, 1).text;
  } else if (!result.single) {
    report.reason = "whether a single head recognises this graph is undecided: " + result.tried;
  } else {
    report.reason = "no single head recognises this graph, but no channel of several was certified";
    if (const auto& closest = result.heads.closest) {
      report.extremes = closest->extremes;
      *report.reason += "; closest: " + failure_text(*closest);
    }
  }
  options.output.print_failure(report);
  return result.one_head ? Status::does_not_hold : Status::undecided;
}

Status advantage_of_graph(SearchOptions options) {
  const std::optional<std::string> prefix = std::move(options.output.file);
  options.output.file.reset();
  OutputOptions single_file = options.output, heads_file = options.output;
  if (prefix) {
    if (*prefix == "-") throw UsageError("-o: two files are written, - cannot hold them");
    single_file.file = *prefix + "-single.qkc";
    heads_file.file = *prefix + "-heads.qkc";
    for (const auto& file : {single_file.file, heads_file.file})
      check_files({options.graph.file, options.graph.names, options.embedding.file}, file);
  }
  ProgressLine progress;
  progress.show("reading");
  const Instance instance = options.load();
  const StopOnInterrupt interrupt;
  progress.show("asking for a single head, then for several");
  const Advantage result =
      find_advantage(instance.graph, instance.embedding, options.search(interrupt.flag()));
  if (!result.single || !result.heads.best) {
    progress.clear();
    return report_failure(options, result);
  }
  Report single{.claim = *result.single};
  Report heads{.claim = result.heads.best->claim, .method = result.heads.best->method};
  progress.show("checking the certificates");
  const auto bytes = [&](const OutputOptions& output, Report& report) {
    output.certify(report, threads_of(options.threads));
    return output.file ? read_file(*output.file) : write_certificate(*report.claim);
  };
  const std::string single_bytes = bytes(single_file, single);
  const std::string heads_bytes = bytes(heads_file, heads);
  const Verdict verdict =
      check_advantage(single_bytes, single_file.file.value_or("one head"), heads_bytes,
                      heads_file.file.value_or("several heads"), threads_of(options.threads));
  progress.clear();
  if (!verdict.holds) throw Error("the two certificates do not go together: " + verdict.text);
  single_file.print(single, verdict.text + "Both speak of the same graph and embedding.\n");
  if (options.output.json) heads_file.print(heads, "");
  return Status::holds;
}

}  // namespace

void add_advantage(CLI::App& app, Context& context) {
  auto options = std::make_shared<AdvantageOptions>();
  CLI::App* verb = app.add_subcommand("advantage", "Prove that many heads do what no one head can");
  options->search.add_to(*verb);
  const std::set<std::string> of_class{"--vertices", "--degree", "--edges",
                                       "--output",   "--json",   "--help"};
  for (const char* name : {"--degree", "--edges"})
    verb->get_option(name)->remove_needs(verb->get_option("--family"));
  const std::vector<CLI::Option*> of_graph = verb->get_options(
      [&](const CLI::Option* option) { return !of_class.contains(option->get_name()); });
  auto* class_option = verb->add_option("--class", options->class_name,
                                        "a whole class instead of one graph: a family's name");
  class_option->type_name("NAME")->group("Graph");
  for (CLI::Option* option : of_graph) class_option->excludes(option);
  add_count(*verb, "--d-model", options->d_model, "embedding dimension for --class", {1})
      ->group("Embedding")
      ->needs(class_option);
  verb->get_option("--output")
      ->description(
          "write PREFIX-single.qkc and PREFIX-heads.qkc;\n"
          "with --class, write this certificate");
  verb->footer(
      "Example:\n"
      "  qkcert advantage --class permutation --vertices 11 --d-model 2 -o class.qkc\n"
      "  qkcert advantage --family permutation --vertices 24 --gaussian 6 --budget 20 -o pair\n\n"
      "For one graph: two certificates, no single head of any key dimension recognises it, and\n"
      "these heads do. Exit status 1 when a single head does, 3 when one half stays undecided\n"
      "within --budget (for each half). For a class: on every embedding of d_model some graph is\n"
      "beyond every single head, and on the one in the certificate many heads serve them all.");
  verb->callback([options, &context] {
    context.status =
        options->class_name ? advantage_of_class(*options) : advantage_of_graph(options->search);
  });
}

}  // namespace qkcert::cli
