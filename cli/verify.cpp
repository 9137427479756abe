#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <new>
#include <qkcert/core/errors.hpp>
#include <qkcert/io/gzip.hpp>
#include <qkcert/reports/json.hpp>
#include <qkcert/verify/certificate.hpp>
#include <qkcert/verify/check.hpp>
#include <qkcert/verify/checkpoint.hpp>
#include <qkcert/verify/sha256.hpp>

#include "options.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "ranks.hpp"
#include "verbs.hpp"

namespace qkcert::cli {

namespace {

struct VerifyOptions {
  std::vector<std::string> files;
  std::optional<std::uint64_t> threads;
  std::optional<std::string> simd, checkpoint;
  bool json = false;
};

struct Judgement {
  Report report;
  std::string line;  ///< the restated claim or the reason
};

/// Writes the state to a file, again and again, in at most about 2 % of the time.
class CheckpointFile {
 public:
  CheckpointFile(const std::string& path, const std::string& certificate_sha256)
      : path_(path), sha256_(certificate_sha256) {
    if (std::filesystem::exists(path)) state_ = read_checkpoint(read_file(path), path, sha256_);
  }

  void attach(Execution& execution) {
    if (state_) execution.resume = &*state_;
    execution.save = [this](const ScanState& state) {
      const auto start = Clock::now();
      if (start < next_) return;
      write_file(path_, write_checkpoint(state, sha256_));
      next_ = Clock::now() + 50 * (Clock::now() - start);
    };
  }

  /// Once there is a verdict.
  void remove() const { std::filesystem::remove(path_); }

 private:
  using Clock = std::chrono::steady_clock;
  std::string path_, sha256_;
  std::optional<ScanState> state_;
  Clock::time_point next_{};
};

Verdict decide(const Claim& claim, const std::string& sha256, Execution execution,
               const std::optional<std::string>& checkpoint, const Scorer& scores) {
  if (!checkpoint) return check(claim, execution, scores);
  try {
    CheckpointFile file(*checkpoint, sha256);
    file.attach(execution);
    Verdict verdict = check(claim, execution);
    file.remove();
    return verdict;
  } catch (const FormatError& error) {
    throw UsageError(error.what());
  }
}

Judgement judge(const std::string& file, const Execution& execution,
                const std::optional<std::string>& checkpoint, const Scorer& scores) {
  Judgement result;
  Report& report = result.report;
  report.certificate = file;
  report.status = Report::Status::unreadable;
  try {
    const std::string bytes = read_packed_file(file);
    report.status = Report::Status::does_not_hold;
    report.sha256 = sha256(bytes);
    report.claim = read_certificate(bytes, file);
    const Verdict verdict = decide(*report.claim, *report.sha256, execution, checkpoint, scores);
    result.line = file + ": " + verdict.text;
    if (verdict.holds) report.status = Report::Status::holds;
  } catch (const FormatError& error) {
    result.line = error.what();
    report.status = Report::Status::does_not_hold;
  } catch (const UsageError& error) {
    result.line = error.what();
    report.status = Report::Status::unreadable;
  } catch (const FileError& error) {
    result.line = error.what();
    report.status = Report::Status::unreadable;
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

Status judge_all(const VerifyOptions& options, Execution execution, const Scorer& scores) {
  ProgressLine progress;
  Status status = Status::holds;
  for (const std::string& file : options.files) {
    progress.show(file);
    execution.progress = progress.callback();
    const auto [report, line] = judge(file, execution, options.checkpoint, scores);
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

Status verify(const VerifyOptions& options) {
  const bool several = ranks_here().count > 1;
  check_files({options.files.begin(), options.files.end()}, options.checkpoint);
  if (options.checkpoint && (options.files.size() > 1 || *options.checkpoint == "-"))
    throw UsageError("--checkpoint takes one certificate and the name of a file");
  if (options.checkpoint && several)
    throw UsageError("--checkpoint keeps the progress of one process; mpirun has started several");
  Execution execution{.threads = threads_of(options.threads)};
  const char* const variable = std::getenv("QKCERT_SIMD");
  execution.simd = options.simd ? *options.simd : variable ? variable : "";
  if (options.simd == "")
    throw UsageError("--simd takes the name of an instruction set: " + simd_names());
  kernels(execution.simd);  // refuses an unknown name before any long work
  if (!several) return judge_all(options, execution, {});
  return on_ranks(execution,
                  [&](const Scorer& scores) { return judge_all(options, execution, scores); });
}

}  // namespace

void add_verify(CLI::App& app, Context& context) {
  auto options = std::make_shared<VerifyOptions>();
  CLI::App* verb = app.add_subcommand("verify", "Decide whether certificates are true");
  verb->add_option("FILE", options->files, "certificates (.qkc, .qkc.gz), - for stdin")
      ->required()
      ->type_name("");
  verb->add_flag("--json", options->json, "print one JSON object a line, one per file");
  add_threads(*verb, options->threads);
  verb->add_option("--simd", options->simd,
                   "instruction set, such as avx2 (default: $QKCERT_SIMD, else the best)")
      ->type_name("NAME");
  verb->add_option("--checkpoint", options->checkpoint,
                   "keep the progress in this file, and continue from it when it is there")
      ->type_name("FILE");
  verb->footer(
      "Example:\n"
      "  qkcert verify channel.qkc\n\n"
      "Prints one line that restates each claim that holds. Exit status 1 when a file can be read\n"
      "but is not a true, canonical certificate; then stderr holds one line with the reason.");
  verb->callback([options, &context] { context.status = verify(*options); });
}

}  // namespace qkcert::cli
