#include <iostream>
#include <qkcert/core/errors.hpp>
#include <qkcert/search/state_file.hpp>

#include "search_options.hpp"
#include "verbs.hpp"

namespace qkcert::cli {

namespace {

void list_methods() {
  for (const Method& method : methods())
    std::cout << method.name << std::string(22 - method.name.size(), ' ') << method.summary << "\n";
}

/// Lets the request go on from a state file, and keep its states there.
std::optional<StateFile> resume(const SearchOptions& options, const Method& method,
                                Request& request) {
  if (!options.resume) return std::nullopt;
  if (!method.resumes)
    throw UsageError("--resume: " + std::string(method.name) + " makes no states to resume from");
  StateFile file(*options.resume, request_key(method.name, request));
  request.resume = file.load();
  return file;
}

Status construct(const SearchOptions& options, const std::string& program) {
  if (!options.method) throw UsageError("--method NAME is needed; --list shows the methods");
  const Method& method = find_method(*options.method);
  ProgressLine progress;
  progress.show("reading");
  const Instance instance = options.load();
  const StopOnInterrupt interrupt;
  Request request{.graph = instance.graph,
                  .embedding = instance.embedding,
                  .heads = options.heads,
                  .head_dim = options.head_dim,
                  .key_dimension = options.key_dimension,
                  .weight_max = options.weight_max_or_default(),
                  .seed = options.seed_or_default(),
                  .threads = threads_of(options.threads),
                  .deadline = std::chrono::steady_clock::now() + options.budget_or_default(),
                  .stop = interrupt.flag(),
                  .patience = static_cast<unsigned>(options.patience.value_or(1))};
  if (const auto& asked = options.key_dimension) {
    const std::size_t planned = plan(method, request).key_dimension();
    if (planned != *asked)
      throw UsageError("--key-dimension: " + *options.method + " makes D_K " +
                       std::to_string(planned) + " of this, not " + std::to_string(*asked));
  }
  progress.show(*options.method);
  request.on_progress = [&](const std::string& line) { progress.show(line); };
  std::optional<StateFile> states = resume(options, method, request);
  if (states)
    request.on_checkpoint = [&](const std::string& state) {
      states->save([state] { return state; });
    };
  Attempt result;
  try {
    result = attempt(method, request, options.weight_max.has_value(), progress.callback());
  } catch (const MethodError& error) {
    if (!request.out_of_time()) throw;
    progress.clear();
    options.output.print_failure({.status = Report::Status::undecided,
                                  .method = std::string(method.name),
                                  .reason = error.what()});
    return Status::undecided;
  }
  if (result.claim) {
    report_certified(options, instance, result, program, progress);
    if (states) states->remove();
    return Status::holds;
  }
  progress.clear();
  const bool cut = method.resumes && request.out_of_time();  // more time may have served
  if (states) cut ? states->flush() : states->remove();
  Report report{.status = cut ? Report::Status::undecided : Report::Status::does_not_hold,
                .method = result.method,
                .extremes = result.extremes};
  report.reason = failure_text(result) + (cut ? "; the budget ended or it was stopped" : "");
  options.output.print_failure(report);
  return cut ? Status::undecided : Status::does_not_hold;
}

}  // namespace

void add_construct(CLI::App& app, Context& context) {
  auto options = std::make_shared<SearchOptions>();
  auto list = std::make_shared<bool>(false);
  CLI::App* verb =
      app.add_subcommand("construct", "Propose a channel by one method, once, and decide it");
  options->add_to(*verb);
  options->add_resume_to(*verb);
  add_count(*verb, "--key-dimension", options->key_dimension,
            "D_K, which fit splits evenly into --heads, or as it\nchooses", {1});
  add_count(*verb, "--patience", options->patience,
            "how slowly fit descends, from 1 (the default): more time for a\nsmaller D_K",
            {1, 1000});
  verb->add_flag("--list", *list, "list the methods");
  verb->footer(
      "Example:\n"
      "  qkcert construct --family permutation --vertices 16 --one-hot --method onehot-code\n\n"
      "Exit status 1 when the proposal does not recover every context; stderr then names the "
      "pair.\n"
      "Without --weight-max the weights of methods other than fit may be of any size.");
  verb->callback([options, list, &context] {
    if (*list)
      list_methods();
    else
      context.status = construct(*options, context.program);
  });
}

}  // namespace qkcert::cli
