#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/version.hpp>
#include <qkcert/io/file.hpp>
#include <qkcert/reports/annotations.hpp>
#include <qkcert/reports/claims_check.hpp>
#include <qkcert/reports/claims_json.hpp>
#include <qkcert/reports/junit.hpp>
#include <qkcert/reports/sarif.hpp>
#include <qkcert/verify/sha256.hpp>

#include "search_options.hpp"
#include "verbs.hpp"

namespace qkcert::cli {

namespace {

struct CheckVerbOptions {
  std::string file;
  std::vector<std::string> ids;
  std::optional<std::string> junit, sarif, cache;
  std::optional<std::uint64_t> jobs, memory;
  std::optional<Rational> time_limit;
  bool json = false;
};

/// What the cache knows this program by: another build may decide otherwise.
std::string program() { return std::string(version()) + " " + sha256(read_file("/proc/self/exe")); }

/// The results can be written, and replace nothing that the claims are decided from.
void check_outputs(const CheckVerbOptions& options, const ClaimsFile& file) {
  std::vector<std::optional<std::string>> inputs = {options.file};
  for (const TheoryClaim& claim : file.claims)
    inputs.insert(inputs.end(), claim.work.inputs.begin(), claim.work.inputs.end());
  for (const auto& output : {options.junit, options.sarif}) {
    if (output == "" || output == "-")
      throw UsageError("--junit and --sarif: expected a path, found '" + *output + "'");
    check_files(inputs, output);
  }
  const auto canonical = [](const std::string& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path));
  };
  if (options.junit && options.sarif && canonical(*options.junit) == canonical(*options.sarif))
    throw UsageError("--junit and --sarif: expected two files, found '" + *options.junit +
                     "' twice");
}

Status check(const CheckVerbOptions& options) {
  ClaimsFile file = parse_claims(read_file(options.file), options.file);
  check_outputs(options, file);
  if (!options.ids.empty()) file = only(std::move(file), options.ids);
  const StopOnInterrupt interrupt;
  const CheckOptions check{.jobs = static_cast<unsigned>(options.jobs.value_or(0)),
                           .time_limit = milliseconds_of(options.time_limit.value_or(60)),
                           .memory = options.memory.value_or(0) << 20,
                           .cache = options.cache,
                           .program = options.cache ? program() : "",
                           .stop = interrupt.flag()};
  const ClaimResults results = check_claims(file, check);
  if (options.junit) write_file(*options.junit, to_junit(results));
  if (options.sarif) write_file(*options.sarif, to_sarif(results));
  if (results.cache_failure)
    std::cerr << "qkcert: results are not kept: " << *results.cache_failure << "\n";
  const char* const github = std::getenv("GITHUB_ACTIONS");
  if (github != nullptr && std::string_view(github) == "true")
    (options.json ? std::cerr : std::cout) << to_annotations(results);
  std::cout << (options.json ? to_json(results) + "\n" : to_text(results));
  return static_cast<Status>(results.outcome());
}

}  // namespace

void add_check(CLI::App& app, Context& context) {
  auto options = std::make_shared<CheckVerbOptions>();
  CLI::App* verb = app.add_subcommand("check", "Decide the theory claims of a file, for CI");
  verb->add_option("CLAIMS", options->file, "a claims file (TOML)")->type_name("")->required();
  verb->add_option("--only", options->ids, "decide this claim alone; may be repeated")
      ->type_name("ID")
      ->allow_extra_args(false);
  add_count(*verb, "--jobs", options->jobs, "processes at a time (default: one per processor)",
            {1, 4096});
  add_seconds(*verb, "--time-limit", options->time_limit,
              "of claims that state no time_limit (default 60)");
  add_count(*verb, "--memory-limit", options->memory,
            "MiB that the process of a claim may have (default: no limit)", {64, 1 << 24});
  verb->add_option("--cache", options->cache,
                   "keep results in this folder, and decide changed claims only")
      ->type_name("DIR");
  verb->add_option("--junit", options->junit, "write the results as JUnit XML")->type_name("FILE");
  verb->add_option("--sarif", options->sarif, "write what did not pass as SARIF 2.1.0")
      ->type_name("FILE");
  verb->add_flag("--json", options->json, "print one JSON object");
  verb->footer(
      "Example:\n"
      "  qkcert check claims/theory.toml --junit results.xml\n\n"
      "Exit status 0 when all claims passed, 1 when some failed, 2 when some could not be "
      "decided.\n"
      "Where GITHUB_ACTIONS is `true`, annotations are printed, too.");
  verb->callback([options, &context] { context.status = check(*options); });
}

}  // namespace qkcert::cli
