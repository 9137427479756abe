#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/io/file.hpp>
#include <qkcert/reports/table.hpp>
#include <qkcert/verify/sha256.hpp>

#include "output.hpp"
#include "progress.hpp"
#include "search_options.hpp"
#include "verbs.hpp"

namespace qkcert::cli {

namespace {

struct TableCommand {
  std::string spec;
  std::string format = "md";
  std::optional<std::string> folder;
  std::optional<std::uint64_t> threads;
  bool json = false;
};

/// Throws before any long work unless the folder can be filled; nothing is changed.
void check_folder(const std::string& folder, const std::string& spec) {
  if (folder.empty()) throw UsageError("-o: a path is needed");
  if (!file_exists(folder)) return require_writable(folder);
  if (!std::filesystem::is_directory(folder)) throw UsageError(folder + ": expected a folder");
  require_writable(folder + "/" + std::filesystem::path(spec).stem().string() + ".tex");
}

/// Makes the folders and writes all files, or none. Nothing that the table was made of is replaced.
void write_table(const std::vector<TableFile>& files, const std::string& folder,
                 const std::vector<std::string>& inputs) {
  std::vector<FileBytes> all;
  for (const TableFile& file : files) {
    const std::string path = folder + "/" + file.name;
    for (const std::string& input : inputs)
      if (same_file(path, input)) throw UsageError(path + ": the output would replace an input");
    all.push_back({path, file.bytes});
  }
  for (const FileBytes& file : all)
    make_directory(std::filesystem::path(file.path).parent_path().string());
  write_files(all);
}

void table(const TableCommand& command) {
  if (command.folder) check_folder(*command.folder, command.spec);
  ProgressLine progress;
  progress.show("table " + command.spec);
  const Progress bar = progress.callback();
  const StopOnInterrupt interrupt;
  std::vector<std::string> inputs;
  const std::vector<TableFile> files = render_table(
      command.spec, {.threads = threads_of(command.threads),
                     .stop = interrupt.flag(),
                     .construct = command.folder.has_value(),
                     .on_point = [&](std::size_t done, std::size_t total,
                                     const std::string&) { bar(done, total); },
                     .on_inputs = [&](std::vector<std::string> all) { inputs = std::move(all); }});
  if (command.folder) write_table(files, *command.folder, inputs);
  progress.clear();
  const std::string wanted = "." + (command.json ? "json" : command.format);
  for (const TableFile& file : files) {
    if (command.folder && !command.json)
      std::cout << sha256(file.bytes) << "  " << *command.folder << "/" << file.name << "\n";
    if (std::filesystem::path(file.name).extension() != wanted) continue;
    if (command.json)
      std::cout << nlohmann::ordered_json::parse(file.bytes).dump() << "\n";
    else if (!command.folder)
      std::cout << file.bytes;
  }
}

}  // namespace

void add_table(CLI::App& app, Context& context) {
  auto command = std::make_shared<TableCommand>();
  CLI::App* verb = app.add_subcommand(
      "table", "A table of bounds and certified channels as LaTeX, Markdown, CSV and JSON");
  verb->add_option("SPEC", command->spec, "what the table is to hold, in TOML; - for stdin")
      ->required();
  auto* folder = verb->add_option("-o,--output", command->folder,
                                  "write all forms, the references and the certificates\nthat are "
                                  "constructed to this folder");
  folder->type_name("DIR");
  verb->add_option("--format", command->format,
                   "print one form: md (the default), tex, csv, json or bib")
      ->type_name("NAME")
      ->check(CLI::IsMember({"md", "tex", "csv", "json", "bib"}))
      ->excludes(folder);
  verb->add_flag("--json", command->json, "print one JSON object");
  add_threads(*verb, command->threads);
  verb->footer(
      "Example:\n"
      "  qkcert table permutations.toml -o tables\n\n"
      "Exit status 1 when a certificate may not stand in the table: it does not hold, or is of\n"
      "another class, d_model or weight limit.");
  verb->callback([command, &context] {
    try {
      table(*command);
    } catch (const TableRefusal& refusal) {
      std::cerr << "qkcert: " << refusal.what() << "\n";
      context.status = Status::does_not_hold;
    }
  });
}

}  // namespace qkcert::cli
