#include <qkcert/core/errors.hpp>
#include <qkcert/core/random_graph.hpp>
#include <qkcert/io/file.hpp>
#include <qkcert/search/record_cells.hpp>
#include <set>

#include "folder.hpp"
#include "support.hpp"

namespace qkcert::test {

TEST_CASE("there are 18 permutations and the real graphs, at every A", "[records]") {
  std::set<std::string> names;
  std::size_t random = 0;
  for (const Cell& cell : record_cells()) {
    CHECK(names.insert(cell.name).second);
    CHECK(find_cell(cell.name).options() == cell.options());
    CHECK(cell.vertices > cell.d_model);
    random += cell.source.empty() ? 1 : 0;
  }
  CHECK(random == 54);
  CHECK(names.size() == 59);
  CHECK(names.contains("permutation-m512-d64-a1"));
  CHECK_FALSE(names.contains("permutation-m64-d64-a1"));
  CHECK_THROWS_AS(find_cell("permutation-m64-d64-a1"), UsageError);
}

TEST_CASE("a random cell is what the command's options give", "[records]") {
  const Cell cell = find_cell("permutation-m64-d16-a7");
  CHECK(cell.options() == "--family permutation --vertices 64 --gaussian 16");
  const CellInstance instance = load_cell(cell, "nowhere");
  CHECK(instance.graph == random_graph(Family("permutation", {64}), 1));
  CHECK(instance.embedding.rows == gaussian_embedding(64, 16, 20, 1).rows);
  CHECK(instance.family == Family("permutation", {64}));
  CHECK(cell_family(cell, "nowhere") == instance.family);
}

TEST_CASE("a real cell is read from the folder beside the records", "[records]") {
  const std::string examples = std::string(QKCERT_TEST_DATA) + "/../../examples/";
  const std::tuple<const char*, std::size_t, const char*> cells[] = {
      {"antonyms-512-a7", 512, "matching"},
      {"antonyms-4116-a127", 4116, "matching"},
      {"hypernyms-3692-a127", 3000, "out-degrees"}};
  for (const auto& [name, edges, family] : cells) {
    const Cell cell = find_cell(name);
    const CellInstance instance = load_cell(cell, examples + "records");
    CHECK(instance.graph.edges().size() == edges);
    CHECK(instance.embedding.vertices() == cell.vertices);
    CHECK(instance.embedding.d_model() == 100);
    CHECK(instance.family.name() == family);
    CHECK(cell_family(cell, examples + "records") == instance.family);
  }
}

TEST_CASE("a real cell without its files, or with others, is refused", "[records]") {
  const Folder folder;
  std::filesystem::create_directories(folder / "records");
  const Cell cell = find_cell("antonyms-512-a7");
  CHECK_THROWS_AS(load_cell(cell, folder / "records"), FileError);
  std::filesystem::create_directories(folder / "antonyms");
  write_file(folder / "antonyms/edges.tsv", "0\t1\n");
  write_file(folder / "antonyms/embedding.npy", corpus("npy/valid/even-integers.npy"));
  CHECK_THROWS_WITH(load_cell(cell, folder / "records"),
                    Catch::Contains("embedding.npy: expected 512 × 100 numbers, found "));
  write_file(folder / "antonyms/edges.tsv", "0\t512\n");
  CHECK_THROWS_AS(load_cell(cell, folder / "records"), FormatError);
}

}  // namespace qkcert::test
