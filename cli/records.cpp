#include <chrono>
#include <iostream>
#include <qkcert/core/errors.hpp>
#include <qkcert/io/file.hpp>
#include <qkcert/reports/records_table.hpp>
#include <qkcert/search/records.hpp>

#include "search_options.hpp"
#include "verbs.hpp"

namespace qkcert::cli {

namespace {

struct RecordsVerb {
  std::string folder;
  std::vector<std::string> cells;
  std::optional<Rational> budget;
  std::optional<std::uint64_t> seed, threads;
  bool check = false, replay = false, table_only = false;
};

std::string today() {
  using namespace std::chrono;
  const year_month_day date(floor<days>(system_clock::now()));
  const auto two_digits = [](unsigned number) {
    return (number < 10 ? "-0" : "-") + std::to_string(number);
  };
  return std::to_string(static_cast<int>(date.year())) +
         two_digits(static_cast<unsigned>(date.month())) +
         two_digits(static_cast<unsigned>(date.day()));
}

std::string table_path(const std::string& folder) { return folder + "/README.md"; }

Status check_folder(const RecordsVerb& options) {
  ProgressLine progress;
  const RecordsState state = load_records(options.folder);
  if (state.empty()) throw UsageError(options.folder + ": there is no records.json");
  std::vector<std::string> faults =
      check_records(options.folder, state, options.replay, threads_of(options.threads),
                    [&](const std::string& cell) { progress.show(cell); });
  progress.show("generating the table");
  const std::string path = table_path(options.folder);
  if (read_file(path) != records_table(state, options.folder))
    faults.push_back(path + ": not what records.json gives; --table-only writes it anew");
  progress.clear();
  for (const std::string& fault : faults) std::cerr << fault << "\n";
  if (!faults.empty()) return Status::does_not_hold;
  std::size_t held = 0;
  for (const auto& [name, history] : state) held += history.empty() ? 0 : 1;
  std::cout << held << " records of " << state.size() << " cells hold, and the table is theirs\n";
  return Status::holds;
}

/// What a cell's turn has brought, in one line.
std::string outcome_text(const CellHistory& history, const CellOutcome& outcome) {
  if (history.empty()) return "no record yet";
  const Record& record = history.back();
  std::string text = "D_K " + std::to_string(record.key_dimension());
  if (!outcome.improved) return text + ", as before";
  text += ", " + record.method + ", seed " + std::to_string(record.seed);
  if (history.size() == 1) return text + ", the first record";
  return text + ", before " + std::to_string(history[history.size() - 2].key_dimension());
}

Status improve_cells(const RecordsVerb& options, const std::vector<Cell>& cells) {
  RecordsFolder records(options.folder);
  records.tidy();
  const StopOnInterrupt interrupt;
  ProgressLine progress;
  Status status = Status::holds;
  RecordsOptions search{.seed = options.seed.value_or(1),
                        .threads = threads_of(options.threads),
                        .stop = interrupt.flag(),
                        .date = today()};
  if (options.budget) search.budget = milliseconds_of(*options.budget);
  for (std::size_t i = 0; i < cells.size() && !*interrupt.flag(); ++i) {
    const std::string label =
        cells[i].name + " (" + std::to_string(i + 1) + " of " + std::to_string(cells.size()) + ")";
    search.on_finish = [&](const Attempt& attempt) {
      progress.show(label + ": tried " + attempt_name(attempt));
    };
    progress.show(label);
    const CellOutcome outcome = records.improve(cells[i], search);
    progress.clear();
    if (!outcome.fault.empty()) {
      std::cerr << outcome.fault << (outcome.restored ? "; restored by its replay" : "") << "\n";
      if (!outcome.restored && !outcome.improved) status = Status::does_not_hold;
    }
    if (outcome.without_replay)
      std::cerr << cells[i].name << ": D_K " << *outcome.without_replay
                << " was verified, but its replay is not: it is not kept\n";
    const CellHistory& history = records.state().at(cells[i].name);
    std::cout << cells[i].name << ": " << outcome_text(history, outcome) << std::endl;
  }
  write_file(table_path(options.folder), records_table(records.state(), options.folder));
  return status;
}

Status run_records(const RecordsVerb& options) {
  if (options.check) return check_folder(options);
  std::vector<Cell> cells;
  for (const std::string& name : options.cells) cells.push_back(find_cell(name));
  if (cells.empty() && !options.table_only) cells = record_cells();
  return improve_cells(options, cells);
}

}  // namespace

void add_records(CLI::App& app, Context& context) {
  auto options = std::make_shared<RecordsVerb>();
  CLI::App* verb = app.add_subcommand("records", "Keep a folder of the least D_K certified so far");
  verb->add_option("DIR", options->folder, "the folder, created if it is missing")
      ->required()
      ->type_name("");
  auto* cell = verb->add_option("--cell", options->cells, "this cell alone; may be repeated");
  cell->type_name("NAME")->take_all()->expected(1);
  auto* budget = add_seconds(*verb, "--budget", options->budget,
                             "stop searching each cell after this time (default 10)");
  auto* seed = add_count(*verb, "--seed", options->seed, "seed of the search (default 1)");
  add_threads(*verb, options->threads);
  auto* check = verb->add_flag("--check", options->check,
                               "change nothing: verify every certificate and the table");
  verb->add_flag("--replay", options->replay, "with --check: construct every record again, too")
      ->needs(check);
  auto* table = verb->add_flag("--table-only", options->table_only,
                               "write README.md anew and remove what no record names");
  for (CLI::Option* option : {cell, budget, seed}) {
    check->excludes(option);
    table->excludes(option);
  }
  check->excludes(table);
  verb->footer(
      "Example:\n"
      "  qkcert records records --cell permutation-m16-d8-a127 --budget 1\n\n"
      "A record is replaced only by a verified one of smaller D_K. Ctrl-C ends the search and "
      "keeps\n"
      "what it has found. Exit status 1 when the certificate of a record does not hold.");
  verb->callback([options, &context] { context.status = run_records(*options); });
}

}  // namespace qkcert::cli
