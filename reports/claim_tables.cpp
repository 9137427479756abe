#include <filesystem>
#include <qkcert/io/file.hpp>
#include <qkcert/io/folder.hpp>
#include <qkcert/reports/claim_inputs.hpp>
#include <qkcert/reports/claim_tables.hpp>
#include <qkcert/reports/table.hpp>

namespace qkcert {

namespace {

constexpr Observable table_facts[] = {{"unchanged", Observable::Type::flag, true},
                                      {"changed", Observable::Type::text}};

/// Whether the table's files are those in the folder; else the first that is not.
Observations observe_table(const std::string& spec, const std::string& folder) {
  const std::vector<TableFile> files = render_table(spec, {.threads = 1});
  for (const TableFile& file : files) {
    const std::string path = folder + "/" + file.name;
    const bool there = file_exists(path);
    if (there && read_file(path) == file.bytes) continue;
    return {{{"unchanged", false}, {"changed", file.name}},
            path + (there ? ": is not what the table gives" : ": there is no such file")};
  }
  return {{{"unchanged", true}},
          spec + ": all " + std::to_string(files.size()) + " files are what the table gives"};
}

/// Those files of the table that are in the folder.
std::vector<std::string> stored_files(const std::string& folder, const std::string& name) {
  std::vector<std::string> files;
  for (const char* ending : {".tex", ".md", ".csv", ".json", ".bib"})
    files.push_back(folder + "/" + name + ending);
  std::erase_if(files, [](const std::string& path) { return !file_exists(path); });
  const std::string certificates = folder + "/" + name;
  if (std::filesystem::is_directory(certificates))
    for (const std::string& file : list_folder(certificates))
      files.push_back(certificates + "/" + file);
  return files;
}

ClaimWork read_table_claim(const Toml& claim, const std::string& folder) {
  ClaimWork work;
  const std::string spec = input_file(claim.at("table"), folder, work.inputs);
  const std::filesystem::path parts(spec);
  std::string place = parts.has_parent_path() ? parts.parent_path().string() : ".";
  if (const auto output = claim.find("output")) place = path_below(folder, output->text());
  work.inputs = table_inputs(spec);
  for (std::string& file : stored_files(place, parts.stem().string()))
    work.inputs.push_back(std::move(file));
  work.observe = [=] { return observe_table(spec, place); };
  return work;
}

}  // namespace

std::vector<ClaimKind> table_claim_kinds() { return {{"table", table_facts, read_table_claim}}; }

}  // namespace qkcert
