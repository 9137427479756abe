#include <algorithm>
#include <filesystem>
#include <qkcert/io/file.hpp>
#include <qkcert/reports/claim_tables.hpp>
#include <qkcert/reports/table.hpp>

#include "support.hpp"

namespace qkcert::test {
namespace {

const std::string specs = std::string(QKCERT_TEST_DATA) + "/tables";

ClaimWork work_of(const std::string& parameters) {
  return table_claim_kinds().at(0).read(parse_toml(parameters, "claim"), specs);
}

bool reads(const ClaimWork& work, const std::string& path) {
  return std::ranges::find(work.inputs, path) != work.inputs.end();
}

}  // namespace

TEST_CASE("a table that is kept is unchanged until a file of it is not", "[tables]") {
  const auto kept = work_of("table = \"corners.toml\"\n");
  CHECK(std::get<bool>(kept.observe().facts.at(0).fact));
  CHECK(reads(kept, specs + "/corners.toml"));
  CHECK(reads(kept, specs + "/corners.tex"));
  CHECK(reads(kept, specs + "/corners/onehot-code-1-permutation-m8-r2-d8-b2.qkc"));

  std::string folder = (std::filesystem::temp_directory_path() / "qkcert-table-XXXXXX").string();
  REQUIRE(::mkdtemp(folder.data()) != nullptr);
  make_directory(folder + "/corners");
  const std::string parameters = "table = \"corners.toml\"\noutput = \"" + folder + "\"\n";
  for (const TableFile& file : render_table(specs + "/corners.toml"))
    write_file(folder + "/" + file.name, file.bytes);
  CHECK(std::get<bool>(work_of(parameters).observe().facts.at(0).fact));
  for (const TableFile& file : render_table(specs + "/corners.toml")) {
    const std::string path = folder + "/" + file.name;
    CHECK(reads(work_of(parameters), path));
    const auto changed = [&] {
      const Observations found = work_of(parameters).observe();
      CHECK_FALSE(std::get<bool>(found.facts.at(0).fact));
      return std::get<std::string>(found.facts.at(1).fact);
    };
    write_file(path, file.bytes + "\n");
    CHECK(changed() == file.name);
    remove_file(path);
    CHECK(changed() == file.name);
    write_file(path, file.bytes);
  }
  std::filesystem::remove_all(folder);
}

TEST_CASE("a table depends on the certificates that it names", "[tables]") {
  const std::vector<std::string> files = table_inputs(specs + "/files.toml");
  CHECK(files == std::vector<std::string>{
                     specs + "/files.toml", specs + "/certificates/class-m8-d8-a.qkc.gz",
                     specs + "/certificates/class-m8-d8-b.qkc",
                     specs + "/certificates/class-m9-d6-b.qkc", specs + "/certificates/m8-d8.qkc"});
  CHECK_THROWS_AS(work_of("table = \"none.toml\"\n"), PlacedError);
  CHECK_THROWS_AS(work_of("table = \"invalid/empty.toml\"\n"), FormatError);
}

TEST_CASE("a table depends on its records", "[tables]") {
  std::string folder = (std::filesystem::temp_directory_path() / "qkcert-table-XXXXXX").string();
  REQUIRE(::mkdtemp(folder.data()) != nullptr);
  const std::string records = std::filesystem::canonical(specs + "/../../../examples/records");
  write_file(
      folder + "/r.toml",
      "caption = \"R\"\nlabel = \"r\"\n[grid]\nfamily = \"permutation\"\nvertices = [16, 17]\n"
      "d_model = 8\nweight_max = 7\n[[upper]]\nname = \"r\"\nrecords = \"" +
          records + "\"\noptional = true\n");
  const std::vector<std::string> files = table_inputs(folder + "/r.toml");
  REQUIRE(files.size() == 3);
  CHECK(files[1].starts_with(records + "/permutation-m16-d8-a7-dk"));
  CHECK(files[2] == records + "/records.json");
  std::filesystem::remove_all(folder);
}

}  // namespace qkcert::test
