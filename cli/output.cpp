#include "output.hpp"

#include <filesystem>
#include <iostream>
#include <qkcert/core/errors.hpp>
#include <qkcert/io/gzip.hpp>
#include <qkcert/reports/json.hpp>
#include <qkcert/verify/certificate.hpp>
#include <qkcert/verify/check.hpp>
#include <qkcert/verify/sha256.hpp>

namespace qkcert::cli {

void OutputOptions::add_to(CLI::App& verb) {
  verb.add_option(
          "-o,--output", file,
          "write the certificate here, - for stdout; compressed\nfor a name that ends in .gz")
      ->type_name("FILE");
  verb.add_flag("--json", json, "print one JSON object");
}

void OutputOptions::certify(Report& report, unsigned threads, const Progress& progress) const {
  const std::string bytes = write_certificate(report.claim.value());
  const Verdict verdict = check(read_certificate(bytes, "certificate"), threads, progress);
  if (!verdict.holds) throw Error("the certificate does not pass its check: " + verdict.text);
  report.sha256 = sha256(bytes);
  if (!file) return;
  const std::string stored = packed_for(*file, bytes);
  write_file(*file, stored);
  // Nothing can be read back from a pipe or a device.
  if (*file != "-" && std::filesystem::is_regular_file(*file) &&
      (read_file(*file) != stored || read_packed_file(*file) != bytes))
    throw Error(*file + ": reads back other bytes than were written");
  report.certificate = *file;
}

void OutputOptions::print(const Report& report, const std::string& text) const {
  (file == "-" ? std::cerr : std::cout) << (json ? to_json(report) + "\n" : text);
}

void OutputOptions::print_failure(const Report& report) const {
  std::cerr << "qkcert: " << report.reason.value() << "\n";
  if (json) print(report, {});
}

ListedBound list_bound(const BoundKind& kind, const BoundQuery& query) {
  ListedBound bound{
      std::string(kind.name), std::string(kind.weights), std::string(kind.decoder), {}};
  try {
    bound.claim = kind.compute(query);
  } catch (const Error& error) {
    bound.reason = error.what();
    return bound;
  }
  if (const Verdict verdict = check(*bound.claim, 1); !verdict.holds)
    throw Error(bound.name + ": the bound does not pass its check: " + verdict.text);
  return bound;
}

void check_files(const std::vector<std::optional<std::string>>& inputs,
                 const std::optional<std::string>& output) {
  if (std::count(inputs.begin(), inputs.end(), "-") > 1)
    throw UsageError("standard input can be read only once, - is given twice");
  if (!output) return;
  if (output->empty()) throw UsageError("-o: a path is needed");
  for (const auto& input : inputs)
    if (input && same_file(*output, *input))
      throw UsageError(*output + ": the output would replace an input");
  require_writable(*output);
}

}  // namespace qkcert::cli
