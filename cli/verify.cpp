#include <algorithm>
#include <iostream>
#include <new>
#include <qkcert/core/errors.hpp>
#include <qkcert/io/gzip.hpp>
#include <qkcert/reports/json.hpp>
#include <qkcert/search/float_safe.hpp>
#include <qkcert/verify/certificate.hpp>
#include <qkcert/verify/check.hpp>
#include <qkcert/verify/sha256.hpp>

#include "options.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "verbs.hpp"
#include "verify_weights.hpp"

namespace qkcert::cli {

namespace {

struct VerifyOptions {
  std::vector<std::string> files;
  std::optional<std::uint64_t> threads;
  std::optional<std::string> hardware;
  OutputOptions output;
  WeightsOptions weights;
};

struct Judgement {
  Report report;
  std::string line;  ///< the restated claim or the reason
};

/// With --hardware, what is asked about a recovery channel that holds.
Claim float_safe(const Claim& claim, const FloatFormat& format, const std::string& file) {
  const auto* recovery = std::get_if<RecoveryClaim>(&claim);
  if (recovery) return float_safe_claim(*recovery, format);
  throw UsageError(file + ": expected a certificate of recovery for --hardware, found one of " +
                   std::string(claim_name(claim)));
}

Judgement judge(const std::string& file, const VerifyOptions& options, const Progress& progress) {
  const unsigned threads = threads_of(options.threads);
  Judgement result;
  Report& report = result.report;
  report.certificate = file;
  report.status = Report::Status::unreadable;
  try {
    const std::string bytes = read_packed_file(file);
    report.status = Report::Status::does_not_hold;
    report.sha256 = sha256(bytes);
    report.claim = read_certificate(bytes, file);
    Verdict verdict = check(*report.claim, threads, progress);
    if (verdict.holds && options.hardware) {
      report.claim = float_safe(*report.claim, find_float_format(*options.hardware).value(), file);
      verdict = check(*report.claim, threads, progress);
      if (verdict.holds && options.output.file) options.output.certify(report, threads, progress);
    }
    result.line = file + ": " + verdict.text;
    if (verdict.holds) report.status = Report::Status::holds;
  } catch (const FormatError& error) {
    result.line = error.what();
    report.status = Report::Status::does_not_hold;
  } catch (const UsageError& error) {
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

Status verify(const VerifyOptions& options) {
  if (options.weights.file) {
    if (!options.files.empty() || options.hardware)
      throw UsageError("--weights goes without certificates and without --hardware");
    return verify_weights(options.weights, options.output, threads_of(options.threads));
  }
  if (options.files.empty())
    throw UsageError("certificates are needed: FILE..., or --weights FILE");
  if (options.weights.graph.given() || options.weights.embedding.given())
    throw UsageError("a graph and an embedding go with --weights");
  if (options.output.file && !options.hardware) throw UsageError("-o goes with --hardware");
  if (options.output.file && options.files.size() > 1)
    throw UsageError("-o takes one certificate, found " + std::to_string(options.files.size()));
  check_files({options.files.begin(), options.files.end()}, options.output.file);
  ProgressLine progress;
  Status status = Status::holds;
  for (const std::string& file : options.files) {
    progress.show(file);
    const auto [report, line] = judge(file, options, progress.callback());
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
  add_threads(*verb, options->threads);
  verb->footer(
      "Example:\n"
      "  qkcert verify channel.qkc\n\n"
      "Prints one line that restates each claim that holds. Exit status 1 when a file can be read\n"
      "but is not a true, canonical certificate; then stderr holds one line with the reason.");
  verb->callback([options, &context] { context.status = verify(*options); });
}

}  // namespace qkcert::cli
