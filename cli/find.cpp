#include "find.hpp"

#include <iostream>
#include <qkcert/reports/tried.hpp>

namespace qkcert::cli {

namespace {

/// Nothing was certified: says so, with the extremes that came closest, and never a D_K.
void report_undecided(const FindOptions& options, CertifyResult result, bool interrupted) {
  Report report{.status = Report::Status::undecided, .method = options.search.method};
  report.reason = "no channel was certified ";
  *report.reason += interrupted       ? "before the interruption"
                    : result.complete ? "by this search"
                                      : "within the budget";
  if (result.closest) {
    report.extremes = result.closest->extremes;
    *report.reason += "; closest: " + failure_text(*result.closest);
  }
  if (options.effort == Splits::many) report.tried = std::move(result.tried);
  if (!options.search.output.json) options.search.output.print(report, tried_text(report.tried));
  options.search.output.print_failure(report);
}

}  // namespace

void FindOptions::add_to(CLI::App& verb) {
  search.add_to(verb);
  search.add_resume_to(verb);
  add_count(verb, "--tries", tries,
            "seeds and splits for the D_K below the least\n(default 24; search: 240)",
            {1, 1'000'000});
  add_count(verb, "--target", target, "end the search when this D_K is certified", {1});
}

Status find(const FindOptions& options, const std::string& program) {
  const SearchOptions& given = options.search;
  ProgressLine progress;
  progress.show("reading");
  const Instance instance = given.load();
  const StopOnInterrupt interrupt;
  CertifyOptions search = given.search(interrupt.flag());
  search.effort = options.effort;
  search.target = options.target;
  search.tries = options.tries.value_or(options.effort == Splits::many ? 240 : 24);
  std::optional<Journal> journal;
  if (given.resume) {
    journal.emplace(*given.resume, journal_key(instance.graph, instance.embedding.rows,
                                               given.weight_max_or_default()));
    search.journal = &*journal;
  }
  std::string least;
  search.on_progress = [&](const std::string& text) { progress.show(text); };
  search.on_finish = [&](const Attempt& attempt) {
    if (attempt.claim)
      least = "; verified so far: D_K " + std::to_string(attempt.architecture.key_dimension());
    progress.show("tried " + attempt_name(attempt) + least);
  };
  progress.show("searching");
  progress.set_budget(search.budget);
  CertifyResult result = qkcert::certify(instance.graph, instance.embedding, search);
  const bool complete = result.complete;
  if (journal) journal->flush();
  if (!result.best) {
    if (journal && complete) journal->remove();
    progress.clear();
    report_undecided(options, std::move(result), *interrupt.flag());
    return Status::undecided;
  }
  const bool many = options.effort == Splits::many;
  report_certified(given, instance, *result.best, program, progress,
                   many ? Compare::strongest : Compare::counting,
                   many ? std::move(result.tried) : std::vector<Tried>{});
  if (journal && complete) journal->remove();
  return Status::holds;
}

}  // namespace qkcert::cli
