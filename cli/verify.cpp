#include <algorithm>
#include <iostream>
#include <new>
#include <qkcert/core/errors.hpp>
#include <qkcert/io/gzip.hpp>
#include <qkcert/reports/json.hpp>
#include <qkcert/verify/certificate.hpp>
#include <qkcert/verify/check.hpp>
#include <qkcert/verify/sha256.hpp>

#include "contexts.hpp"
#include "options.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "verbs.hpp"

namespace qkcert::cli {

namespace {

struct VerifyOptions {
  std::vector<std::string> files;
  std::optional<std::string> contexts;
  std::optional<std::uint64_t> threads;
  bool json = false;
};

struct Judgement {
  Report report;
  std::string line;  ///< the restated claim or the reason
};

using Decide = std::function<Verdict(const Claim&, Report&)>;

Judgement judge(const std::string& file, const Decide& decide) {
  Judgement result;
  Report& report = result.report;
  report.certificate = file;
  report.status = Report::Status::unreadable;
  try {
    const std::string bytes = read_packed_file(file);
    report.status = Report::Status::does_not_hold;
    report.sha256 = sha256(bytes);
    report.claim = read_certificate(bytes, file);
    const Verdict verdict = decide(*report.claim, report);
    result.line = file + ": " + verdict.text;
    if (verdict.holds) report.status = Report::Status::holds;
  } catch (const UsageError&) {  // of --contexts
    throw;
  } catch (const FormatError& error) {
    result.line = error.what();
    report.status = Report::Status::does_not_hold;
  } catch (const Error& error) {
    result.line = error.what();
  } catch (const std::bad_alloc&) {
    result.line = file + ": cannot be decided: out of memory";
    report.status = Report::Status::unreadable;
  }
  // A file's name may hold a newline.
  std::replace(result.line.begin(), result.line.end(), '\n', ' ');
  if (report.status != Report::Status::holds) report.reason = result.line;
  return result;
}

Status verify(const VerifyOptions& options) {
  std::vector<std::optional<std::string>> inputs(options.files.begin(), options.files.end());
  inputs.push_back(options.contexts);
  check_files(inputs);
  std::string contexts;
  if (options.contexts) contexts = read_file(*options.contexts);
  ProgressLine progress;
  const unsigned threads = threads_of(options.threads);
  const Decide decide = [&](const Claim& claim, Report& report) {
    if (!options.contexts) return check(claim, threads, progress.callback());
    return check_in_contexts(claim, contexts, *options.contexts, report, threads,
                             progress.callback());
  };
  Status status = Status::holds;
  for (const std::string& file : options.files) {
    progress.show(file);
    const auto [report, line] = judge(file, decide);
    progress.clear();
    const bool holds = report.status == Report::Status::holds;
    if (!holds) std::cerr << line << "\n";
    if (options.json)
      std::cout << to_json(report) << "\n";
    else if (holds)
      std::cout << line << "\n";
    if (!holds)
      status =
          std::max(status, report.status == Report::Status::unreadable ? Status::unusable
                                                                       : Status::does_not_hold);
  }
  return status;
}

}  // namespace

void add_verify(CLI::App& app, Context& context) {
  auto options = std::make_shared<VerifyOptions>();
  CLI::App* verb = app.add_subcommand("verify", "Decide whether certificates are true");
  verb->add_option("FILE", options->files, "certificates (.qkc, .qkc.gz), - for stdin")
      ->required()
      ->type_name("");
  verb->add_flag("--json", options->json, "print one JSON object a line, one per file");
  verb->add_option("--contexts", options->contexts,
                   "decide channels in these contexts alone: one a line, vertices\n"
                   "separated by spaces or tabs; - for stdin")
      ->type_name("FILE");
  add_threads(*verb, options->threads);
  verb->footer(
      "Example:\n"
      "  qkcert verify channel.qkc\n\n"
      "Prints one line that restates each claim that holds. Exit status 1 when a file can be read\n"
      "but is not a true, canonical certificate; then stderr holds one line with the reason.");
  verb->callback([options, &context] { context.status = verify(*options); });
}

}  // namespace qkcert::cli
