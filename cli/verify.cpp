#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <new>
#include <qkcert/core/errors.hpp>
#include <qkcert/io/gzip.hpp>
#include <qkcert/reports/json.hpp>
#include <qkcert/search/float_safe.hpp>
#include <qkcert/verify/certificate.hpp>
#include <qkcert/verify/check.hpp>
#include <qkcert/verify/checkpoint.hpp>
#include <qkcert/verify/sha256.hpp>

#include "contexts.hpp"
#include "options.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "ranks.hpp"
#include "verbs.hpp"
#include "verify_weights.hpp"

namespace qkcert::cli {

namespace {

struct VerifyOptions {
  std::vector<std::string> files;
  std::optional<std::string> contexts;
  std::optional<std::uint64_t> threads;
  std::optional<std::string> simd, checkpoint, hardware;
  OutputOptions output;
  WeightsOptions weights;
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

/// With --hardware, what is asked about a recovery channel that holds.
Claim float_safe(const Claim& claim, const FloatFormat& format, const std::string& file) {
  const auto* recovery = std::get_if<RecoveryClaim>(&claim);
  if (recovery) return float_safe_claim(*recovery, format);
  throw UsageError(file + ": expected a certificate of recovery for --hardware, found one of " +
                   std::string(claim_name(claim)));
}

/// A list of contexts, read once.
struct ContextList {
  std::string bytes, source;
};

Judgement judge(const std::string& file, const VerifyOptions& options,
                const std::optional<ContextList>& contexts, const Execution& execution,
                const Scorer& scores) {
  Judgement result;
  Report& report = result.report;
  report.certificate = file;
  report.status = Report::Status::unreadable;
  try {
    const std::string bytes = read_packed_file(file);
    report.status = Report::Status::does_not_hold;
    report.sha256 = sha256(bytes);
    report.claim = read_certificate(bytes, file);
    Verdict verdict =
        contexts ? check_in_contexts(*report.claim, contexts->bytes, contexts->source, report,
                                     execution.threads, execution.progress)
                 : decide(*report.claim, *report.sha256, execution, options.checkpoint, scores);
    if (verdict.holds && options.hardware) {
      report.claim = float_safe(*report.claim, find_float_format(*options.hardware).value(), file);
      verdict = check(*report.claim, execution);
      if (verdict.holds && options.output.file)
        options.output.certify(report, execution.threads, execution.progress);
    }
    result.line = file + ": " + verdict.text;
    if (verdict.holds) report.status = Report::Status::holds;
  } catch (const FormatError& error) {
    result.line = error.what();
    report.status = Report::Status::does_not_hold;
  } catch (const UsageError& error) {
    if (contexts) throw;  // the list is no certificate's fault
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
  std::optional<ContextList> contexts;
  if (options.contexts) contexts = ContextList{read_file(*options.contexts), *options.contexts};
  ProgressLine progress;
  Status status = Status::holds;
  for (const std::string& file : options.files) {
    progress.show(file);
    execution.progress = progress.callback();
    const auto [report, line] = judge(file, options, contexts, execution, scores);
    progress.clear();
    const bool holds = report.status == Report::Status::holds;
    if (!holds) std::cerr << line << "\n";
    if (holds || options.output.json) options.output.print(report, line + "\n");
    if (!holds)
      status =
          std::max(status, report.status == Report::Status::unreadable ? Status::unusable
                                                                       : Status::does_not_hold);
  }
  return status;
}

Status verify(const VerifyOptions& options) {
  const bool several = ranks_here().count > 1;
  if (several && (options.weights.file || options.hardware))
    throw UsageError("--weights and --hardware are for one process; mpirun has started several");
  if (options.weights.file) {
    if (!options.files.empty() || options.hardware || options.contexts)
      throw UsageError("--weights goes without certificates, --hardware and --contexts");
    return verify_weights(options.weights, options.output, threads_of(options.threads));
  }
  if (options.files.empty())
    throw UsageError("certificates are needed: FILE..., or --weights FILE");
  if (options.weights.graph.given() || options.weights.embedding.given())
    throw UsageError("a graph and an embedding go with --weights");
  if (options.output.file && !options.hardware) throw UsageError("-o goes with --hardware");
  if (options.output.file && options.files.size() > 1)
    throw UsageError("-o takes one certificate, found " + std::to_string(options.files.size()));
  if (options.contexts && (options.hardware || options.checkpoint || several))
    throw UsageError("--contexts goes without --hardware and --checkpoint, in one process");
  std::vector<std::optional<std::string>> inputs(options.files.begin(), options.files.end());
  inputs.push_back(options.contexts);
  check_files(inputs, options.output.file);
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
      ->type_name("");
  options->output.add_to(*verb);
  verb->add_option("--hardware", options->hardware,
                   "decide whether recovery channels are safe in floats of\nfp32, fp16 or bf16; "
                   "-o then writes that certificate")
      ->type_name("FORMAT")
      ->check(CLI::IsMember({"fp32", "fp16", "bf16"}));
  options->weights.add_to(*verb);
  verb->add_option("--contexts", options->contexts,
                   "decide channels in these contexts alone: one a line, vertices\n"
                   "separated by spaces or tabs; - for stdin")
      ->type_name("FILE");
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
