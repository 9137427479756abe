#include <iostream>
#include <qkcert/bounds/heads_clique.hpp>
#include <qkcert/bounds/narrow_head.hpp>
#include <qkcert/core/decimal.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/search/attempt.hpp>

#include "options.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "verbs.hpp"

namespace qkcert::cli {

namespace {

struct RefuteVerbOptions {
  GraphOptions graph;
  EmbeddingOptions embedding;
  OutputOptions output;
  bool single_head = false, any_heads = false, min_heads = false, sparse = false;
  std::optional<Integer> width, weight_max;
  std::optional<std::uint64_t> seed, threads;
  std::optional<Rational> budget;

  void check() const {
    if (width.has_value() != weight_max.has_value())
      throw UsageError("--width and --weight-max go together");
    if (single_head + any_heads + min_heads + width.has_value() != 1)
      throw UsageError(
          "one question is needed: --single-head, --any-heads, --min-heads, or --width W "
          "--weight-max A");
  }
  RefuteOptions search() const {
    const Rational milliseconds = budget.value_or(100) * 1000;
    return {
        .kept = {},
        .sparse = sparse,
        .seed = seed.value_or(1),
        .budget = std::chrono::milliseconds(
            to_int64(floor_quotient(numerator(milliseconds), denominator(milliseconds))).value())};
  }
};

/// A claim with the sentence that it proves, or why there is none.
struct Answer {
  std::optional<Claim> claim = {};
  std::string text;
};

const std::string any_width =
    "no single head, of any key dimension and any real weights, "
    "recognises this graph\n             with a threshold decoder "
    "(threshold-max with one head, threshold-sum with any number)";

Answer recovered(const Graph& graph, const Matrix& rows, const SeparatingForm& form,
                 unsigned threads) {
  Channel channel{{form.head}};
  const Extremes extremes = score_extremes(graph, rows, channel, threads, {});
  if (!extremes.separated()) throw Error("refute: a proposed head does not separate");
  return {recovery_claim(graph, rows, std::move(channel), extremes),
          "one head recognises this graph (decoder threshold-max): nothing to refute"};
}

std::string counts(std::size_t held, std::size_t undecided, std::size_t untried) {
  return std::to_string(held) + " held by some head, " + std::to_string(undecided) +
         " undecided, " + std::to_string(untried) + " untried";
}

Answer single_head(const Graph& graph, const Matrix& rows, const RefuteVerbOptions& options) {
  Refutation answer = refute(graph, rows, options.search());
  if (auto* found = std::get_if<Multipliers>(&answer))
    return {SingleHeadImpossibility{graph, rows, found->edges, found->nonedges}, any_width};
  if (const auto* form = std::get_if<SeparatingForm>(&answer))
    return recovered(graph, rows, *form, threads_of(options.threads));
  return {{}, "undecided within the budget: " + std::get<Undecided>(answer).tried};
}

Answer narrow_head(const Graph& graph, const Matrix& rows, const RefuteVerbOptions& options) {
  const Integer &width = *options.width, &weight_max = *options.weight_max;
  RefuteOptions search = options.search();
  const auto deadline = std::chrono::steady_clock::now() + search.budget;
  Answer free = single_head(graph, rows, options);
  if (free.claim && std::holds_alternative<SingleHeadImpossibility>(*free.claim)) return free;
  if (free.claim) {
    const Channel& channel = std::get<RecoveryClaim>(*free.claim).channel;
    if (channel.key_dimension() <= width && channel.weight_max() <= weight_max) return free;
  }
  search.budget = std::chrono::duration_cast<std::chrono::milliseconds>(
      deadline - std::chrono::steady_clock::now());
  if (auto found = refute_narrow_head(graph, rows, width, weight_max, search))
    return {*std::move(found), "no single head of width up to " + to_decimal(width) +
                                   " with integer weights up to " + to_decimal(weight_max) +
                                   " recognises this graph (decoder threshold-max)"};
  return {{},
          "undecided: no multipliers for width " + to_decimal(width) + " and weights up to " +
              to_decimal(weight_max) + " were found" +
              (free.claim ? "; a head of other width or weights recognises this graph" : "")};
}

Answer any_heads(const Graph& graph, const Matrix& rows, const RefuteVerbOptions& options) {
  AnyHeads found = refute_any_heads(graph, rows, options.search());
  if (found.multipliers)
    return {
        SingleHeadImpossibility{graph, rows, found.multipliers->edges, found.multipliers->nonedges},
        "no channel with any number of heads, of any key dimension and any real weights,\n"
        "             recognises this graph with the decoder threshold-max"};
  return {{},
          "undecided: no edge by itself proves anything; of the edges " +
              counts(found.held, found.undecided, found.untried)};
}

Answer min_heads(const Graph& graph, const Matrix& rows, const RefuteVerbOptions& options) {
  HeadsClique found = heads_clique(graph, rows, options.search());
  const std::string pairs = "of the pairs of edges " + std::to_string(found.clashing) +
                            " need two heads, " +
                            counts(found.held, found.undecided, found.untried);
  if (!found.bound) return {{}, "undecided: no lower bound on the heads was found; " + pairs};
  const std::size_t heads = found.bound->clique.size();
  return {*std::move(found.bound), "at least " + std::to_string(heads) +
                                       " heads are needed (decoder threshold-max, any real "
                                       "weights); a lower bound only:\n             " +
                                       pairs};
}

Status refute_verb(const RefuteVerbOptions& options) {
  options.check();
  check_files({options.graph.file, options.graph.names, options.embedding.file},
              options.output.file);
  ProgressLine progress;
  progress.show("reading");
  const Graph graph = options.graph.load();
  if (graph.vertices() == 0) throw UsageError("a graph of at least one vertex is needed");
  const Embedding embedding = options.embedding.load(graph.vertices());
  if (embedding.d_model() == 0) throw UsageError("an embedding of at least one column is needed");
  progress.show("refuting");
  const auto question = options.single_head ? single_head
                        : options.any_heads ? any_heads
                        : options.min_heads ? min_heads
                                            : narrow_head;
  Answer answer = question(graph, embedding.rows, options);
  Report report{.claim = std::move(answer.claim)};
  if (report.claim) {
    progress.show("checking the certificate");
    options.output.certify(report, threads_of(options.threads), progress.callback());
    progress.clear();
    options.output.print(report, refuted_text(report, answer.text));
    return Status::holds;
  }
  progress.clear();
  report.status = Report::Status::undecided;
  report.reason = answer.text;
  options.output.print_failure(report);
  return Status::undecided;
}

}  // namespace

void add_refute(CLI::App& app, Context& context) {
  auto options = std::make_shared<RefuteVerbOptions>();
  CLI::App* verb = app.add_subcommand("refute", "Prove that one head, or few, cannot do it");
  options->graph.add_to(*verb);
  options->embedding.add_to(*verb);
  verb->add_flag("--single-head", options->single_head, "can one head do it, of any width?");
  verb->add_flag("--any-heads", options->any_heads, "is some edge beyond every head?");
  verb->add_flag("--min-heads", options->min_heads, "how many heads are needed at least?");
  add_positive(*verb, "--width", options->width, "can one head of at most this width do it?");
  add_positive(*verb, "--weight-max", options->weight_max, "with --width: A, the largest |weight|");
  verb->add_flag("--sparse", options->sparse, "few multipliers of many bits");
  add_seconds(*verb, "--budget", options->budget, "start no step after this time (default 100)");
  add_count(*verb, "--seed", options->seed, "seed of the search (default 1)");
  add_threads(*verb, options->threads);
  options->output.add_to(*verb);
  verb->footer(
      "Example:\n"
      "  qkcert refute --family permutation --vertices 24 --gaussian 6 --single-head -o no.qkc\n\n"
      "The certificate proves that no single head can do it or, as a channel, that one can. Exit\n"
      "status 3 when neither was found.");
  verb->callback([options, &context] { context.status = refute_verb(*options); });
}

}  // namespace qkcert::cli
