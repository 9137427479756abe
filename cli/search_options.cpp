#include "search_options.hpp"

#include <csignal>
#include <qkcert/bounds/counting.hpp>
#include <qkcert/bounds/registry.hpp>
#include <qkcert/core/decimal.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/io/file.hpp>
#include <qkcert/reports/tried.hpp>
#include <qkcert/verify/check.hpp>

namespace qkcert::cli {

namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

extern "C" void on_interrupt(int signal) {
  interrupted = true;
  std::signal(signal, SIG_DFL);
}

std::string shell_word(const std::string& text) {
  const bool plain = text.find_first_not_of(
                         "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                         "0123456789_./-+=:,@%") == text.npos;
  if (plain && !text.empty()) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace

StopOnInterrupt::StopOnInterrupt() {
  interrupted = false;
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
}

StopOnInterrupt::~StopOnInterrupt() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

const std::atomic<bool>* StopOnInterrupt::flag() const { return &interrupted; }

void SearchOptions::add_to(CLI::App& verb) {
  graph.add_to(verb);
  embedding.add_to(verb);
  verb.add_option("--method", method, "a construction method (see `qkcert construct --list`)")
      ->type_name("NAME");
  add_count(verb, "--heads", heads, "number of heads h", {1});
  add_count(verb, "--head-dim", head_dim, "width d_k of every head", {1});
  add_positive(verb, "--weight-max", weight_max, "A, no |weight| may exceed it (default 127)");
  add_seconds(verb, "--budget", budget, "stop searching after this time (default 100)");
  add_count(verb, "--seed", seed, "seed of the construction (default 1)");
  add_threads(verb, threads);
  output.add_to(verb);
}

void SearchOptions::add_resume_to(CLI::App& verb) {
  verb.add_option("--resume", resume,
                  "keep the state of the work in this file, and go on from it\n"
                  "when it is there; it is removed when all is done")
      ->type_name("FILE");
}

Instance SearchOptions::load() const {
  check_files({graph.file, graph.names, embedding.file}, output.file);
  if (resume) {
    if (resume->empty() || *resume == "-") throw UsageError("--resume: a path is needed");
    for (const auto& other : {graph.file, graph.names, embedding.file, output.file})
      if (other && (*other == *resume || same_file(*other, *resume)))
        throw UsageError(*resume + ": the state would replace another file of this command");
  }
  if (method) find_method(*method);
  Graph loaded = graph.load();
  if (loaded.vertices() == 0) throw UsageError("a graph of at least one vertex is needed");
  Embedding rows = embedding.load(loaded.vertices());
  Family family = graph.family_for(loaded);
  return {std::move(loaded), std::move(rows), std::move(family)};
}

std::chrono::milliseconds SearchOptions::budget_or_default() const {
  return milliseconds_of(budget.value_or(100));
}

std::chrono::milliseconds milliseconds_of(const Rational& seconds) {
  const Rational milliseconds = seconds * 1000;
  return std::chrono::milliseconds(
      to_int64(floor_quotient(numerator(milliseconds), denominator(milliseconds))).value());
}

CertifyOptions SearchOptions::search(const std::atomic<bool>* stop) const {
  return {.method = method,
          .heads = heads,
          .head_dim = head_dim,
          .weight_max = weight_max_or_default(),
          .seed = seed_or_default(),
          .threads = threads_of(threads),
          .budget = budget_or_default(),
          .stop = stop};
}

std::string attempt_name(const Attempt& attempt) {
  const Architecture& planned = attempt.architecture;
  return attempt.method + " " + std::to_string(planned.heads) +
         (planned.heads == 1 ? " head" : " heads") + " of width " +
         std::to_string(planned.head_dim) +
         (planned.wider > 0 ? " or " + std::to_string(planned.head_dim + 1) : "") + ", seed " +
         std::to_string(attempt.seed) +
         (attempt.patience > 1 ? ", patience " + std::to_string(attempt.patience) : "");
}

std::string failure_text(const Attempt& attempt) {
  if (!attempt.extremes)
    return attempt_name(attempt) + ": the largest |weight| is " + to_decimal(attempt.weight_max) +
           ", which exceeds --weight-max";
  const auto pair = [](const Edge& at) {
    return "(" + std::to_string(at.source) + ", " + std::to_string(at.target) + ")";
  };
  const Extreme& least = attempt.extremes->least_edge.value();
  const Extreme& greatest = attempt.extremes->greatest_nonedge.value();
  return attempt_name(attempt) + ": not separated: the edge " + pair(least.pair) + " scores " +
         to_decimal(least.score) + ", the non-edge " + pair(greatest.pair) + " scores " +
         to_decimal(greatest.score);
}

void report_certified(const SearchOptions& options, const Instance& instance,
                      const Attempt& attempt, const std::string& program, ProgressLine& progress,
                      Compare compare, std::vector<Tried> tried) {
  const RecoveryClaim& claim = attempt.claim.value();
  Report report{.claim = claim, .method = attempt.method};
  report.tried = std::move(tried);
  progress.show("checking the certificate");
  options.output.certify(report, threads_of(options.threads), progress.callback());
  progress.show("counting the class");
  // The bound needs A >= 1; a channel of zeros is one with weights up to 1.
  const Integer weight_max = std::max(Integer(1), claim.channel.weight_max());
  if (compare == Compare::counting)
    report.lower_bound = counting_bound(instance.family, claim.embedding.cols(), weight_max);
  else
    report.lower_bound = strongest_bound({instance.family, claim.embedding.cols(), weight_max, 0});
  if (const Verdict verdict = check(*report.lower_bound, 1); !verdict.holds)
    throw Error("the lower bound does not pass its check: " + verdict.text);
  progress.clear();
  std::string text = tried_text(report.tried) +
                     certified_text(report, {options.graph.source(), options.embedding.source(),
                                             instance.embedding.scale});
  if (const auto& file = options.output.file; file && *file != "-") {
    const std::string path = (file->starts_with('-') ? "./" : "") + *file;
    text += "check again  " + shell_word(program) + " verify " + shell_word(path) + "\n";
  }
  options.output.print(report, text);
}

}  // namespace qkcert::cli
