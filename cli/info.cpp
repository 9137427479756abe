#include <iostream>
#include <qkcert/core/errors.hpp>
#include <qkcert/io/gzip.hpp>
#include <qkcert/reports/json.hpp>
#include <qkcert/verify/certificate.hpp>
#include <qkcert/verify/sha256.hpp>

#include "options.hpp"
#include "output.hpp"
#include "verbs.hpp"

namespace qkcert::cli {

namespace {

struct InfoOptions {
  std::optional<std::string> certificate;
  GraphOptions graph;
  EmbeddingOptions embedding;
  bool json = false;
};

void describe_certificate(const InfoOptions& options) {
  const std::string bytes = read_packed_file(*options.certificate);
  const Report report{.status = {},
                      .claim = read_certificate(bytes, *options.certificate),
                      .certificate = options.certificate,
                      .sha256 = sha256(bytes)};
  std::cout << (options.json ? to_json(report) + "\n" : claim_text(*report.claim));
}

void describe_inputs(const InfoOptions& options) {
  if (!options.graph.given() && !options.embedding.given())
    throw UsageError("nothing to describe: give a certificate, a graph or an embedding");
  check_files({options.graph.file, options.graph.names, options.embedding.file});
  std::optional<Graph> graph;
  std::optional<Embedding> embedding;
  if (options.graph.given()) graph = options.graph.load();
  if (options.embedding.given())
    embedding = options.embedding.load(graph ? graph->vertices() : options.graph.vertices);
  std::cout << (options.json ? inputs_json(graph, embedding) + "\n"
                             : inputs_text(graph, embedding));
}

}  // namespace

void add_info(CLI::App& app, Context& context) {
  auto options = std::make_shared<InfoOptions>();
  CLI::App* verb = app.add_subcommand("info", "Describe a certificate, a graph or an embedding");
  options->graph.add_to(*verb);
  options->embedding.add_to(*verb);
  const std::vector<CLI::Option*> of_inputs =
      verb->get_options([](const CLI::Option* option) { return option->get_group() != "Options"; });
  auto* certificate = verb->add_option("CERTIFICATE", options->certificate,
                                       "a certificate (.qkc, .qkc.gz), - for stdin")
                          ->type_name("");
  for (CLI::Option* option : of_inputs) certificate->excludes(option);
  verb->add_flag("--json", options->json, "print one JSON object");
  verb->footer(
      "Example:\n"
      "  qkcert info --graph edges.tsv --embedding embedding.npy\n\n"
      "It decides nothing: `qkcert verify` does.");
  verb->callback([options, &context] {
    if (options->certificate)
      describe_certificate(*options);
    else
      describe_inputs(*options);
    context.status = Status::holds;
  });
}

}  // namespace qkcert::cli
