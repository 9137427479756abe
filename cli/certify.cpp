#include <qkcert/search/certify.hpp>

#include "search_options.hpp"
#include "verbs.hpp"

namespace qkcert::cli {

namespace {

/// Nothing was certified: says so, with the extremes that came closest, and never a D_K.
void report_undecided(const SearchOptions& options, const CertifyResult& result, bool interrupted) {
  Report report{.status = Report::Status::undecided, .method = options.method};
  report.reason = "no channel was certified ";
  *report.reason += interrupted       ? "before the interruption"
                    : result.complete ? "by this search"
                                      : "within the budget";
  if (result.closest) {
    report.extremes = result.closest->extremes;
    *report.reason += "; closest: " + failure_text(*result.closest);
  }
  options.output.print_failure(report);
}

Status certify(const SearchOptions& options, const std::string& program) {
  ProgressLine progress;
  progress.show("reading");
  const Instance instance = options.load();
  const StopOnInterrupt interrupt;
  CertifyOptions search{.method = options.method,
                        .heads = options.heads,
                        .head_dim = options.head_dim,
                        .weight_max = options.weight_max_or_default(),
                        .seed = options.seed_or_default(),
                        .threads = threads_of(options.threads),
                        .budget = options.budget_or_default(),
                        .stop = interrupt.flag()};
  std::optional<std::size_t> least;
  search.on_finish = [&](const Attempt& attempt) {
    if (attempt.claim)
      least = std::min(least.value_or(SIZE_MAX), attempt.claim->channel.key_dimension());
    progress.show("tried " + attempt_name(attempt) +
                  (least ? "; verified so far: D_K " + std::to_string(*least) : ""));
  };
  progress.show("searching");
  progress.set_budget(search.budget);
  const CertifyResult result = qkcert::certify(instance.graph, instance.embedding, search);
  if (result.best) {
    report_certified(options, instance, *result.best, program, progress);
    return Status::holds;
  }
  progress.clear();
  report_undecided(options, result, *interrupt.flag());
  return Status::undecided;
}

}  // namespace

void add_certify(CLI::App& app, Context& context) {
  auto options = std::make_shared<SearchOptions>();
  CLI::App* verb = app.add_subcommand(
      "certify", "Find a channel of small D_K, certify it, compare with the bound");
  options->add_to(*verb);
  verb->footer(
      "Example:\n"
      "  qkcert certify --graph edges.tsv --embedding embedding.npy --budget 60 -o channel.qkc\n\n"
      "Without --heads and --head-dim it tries growing D_K within the budget and keeps the least\n"
      "that verifies. Ctrl-C ends the search and keeps the best so far. Exit status 3 when "
      "nothing\n"
      "was certified.");
  verb->callback([options, &context] { context.status = certify(*options, context.program); });
}

}  // namespace qkcert::cli
