#pragma once
/// Where results go: the certificate to a file, the report to the terminal.

#include <CLI/CLI.hpp>
#include <optional>
#include <qkcert/bounds/registry.hpp>
#include <qkcert/core/parallel.hpp>
#include <qkcert/reports/report.hpp>
#include <string>

namespace qkcert::cli {

/// `-o FILE` and `--json`.
struct OutputOptions {
  std::optional<std::string> file;
  bool json = false;

  void add_to(CLI::App& verb);

  /// Checks report.claim as it stands in its certificate, then writes that to `file`, if there is
  /// one, compressed for a name that ends in `.gz`, and reads it back. Fills in report.certificate
  /// and report.sha256.
  /// Errors: FileError; Error when the certificate does not hold (nothing is written then) or the
  /// file has other bytes.
  void certify(Report& report, unsigned threads, const Progress& progress = {}) const;

  /// Prints `text`, or to_json(report) with --json, to standard output; to standard error when
  /// standard output is for the certificate.
  void print(const Report& report, const std::string& text) const;

  /// Prints why there is no certificate to standard error, and the report with --json.
  /// Require: report.reason.
  void print_failure(const Report& report) const;
};

/// A bound as `qkcert bound` lists it: computed and checked, or why it does not apply.
/// Errors: Error when it does not pass its check.
ListedBound list_bound(const BoundKind& kind, const BoundQuery& query);

/// The paths of a call, before any long work.
/// Errors: UsageError when standard input is to be read twice or `output` is one of the inputs;
/// FileError when `output` cannot be written.
void check_files(const std::vector<std::optional<std::string>>& inputs,
                 const std::optional<std::string>& output = {});

}  // namespace qkcert::cli
