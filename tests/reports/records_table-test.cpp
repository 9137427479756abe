#include <qkcert/core/errors.hpp>
#include <qkcert/reports/records_table.hpp>
#include <qkcert/search/records.hpp>

#include "support.hpp"

namespace qkcert::test {
namespace {

/// The cells of the row of that name.
std::vector<std::string> row_of(const std::string& table, const std::string& name) {
  const std::size_t at = table.find("\n| `" + name + "` |");
  REQUIRE(at != std::string::npos);
  std::vector<std::string> cells;
  std::string cell;
  for (const char c : table.substr(at + 2, table.find('\n', at + 1) - at - 2)) {
    if (c != '|') {
      cell += c;
      continue;
    }
    const std::size_t first = cell.find_first_not_of(' ');
    cells.push_back(first == std::string::npos
                        ? ""
                        : cell.substr(first, cell.find_last_not_of(' ') + 1 - first));
    cell.clear();
  }
  return cells;
}

Record some_record(Architecture split) {
  return {"fit", split, 5, 1, "0.1.0", "2026-01-31", std::string(64, 'a')};
}

}  // namespace

TEST_CASE("the table states bound, record, ratio, certificate and replay", "[records]") {
  const std::string name = "permutation-m512-d8-a1", hash(64, 'a');
  const std::string table = records_table(
      {{name, {some_record({100, 3, 0}), some_record({60, 4, 0}), some_record({50, 3, 22})}}}, "x");
  // 171 is counting-columns: more than the 153 of counting. 172/171 = 1.0058… is rounded up.
  const std::string certificate = name + "-dk172.qkc.gz";
  CHECK(row_of(table, name) ==
        std::vector<std::string>{
            "`" + name + "`", "171", "counting-columns", "172", "fit", "22 × 4 + 28 × 3", "1.01",
            "0.1.0, 2026-01-31", "300, 240", "[" + certificate + "](" + certificate + ")",
            "`" + hash + "`",
            "`--family permutation --vertices 512 --gaussian 8 --method fit --heads 50 "
            "--key-dimension 172 --seed 5 --weight-max 1 --budget 1000000`"});
}

TEST_CASE("cells without a record have a bound alone", "[records]") {
  const std::string table =
      records_table({{"permutation-m16-d8-a127", {}}, {"hypernyms-3692-a127", {}}},
                    std::string(QKCERT_TEST_DATA) + "/../../examples/records");
  const std::vector<std::string> random = row_of(table, "permutation-m16-d8-a127");
  CHECK(std::vector(random.begin() + 1, random.begin() + 4) ==
        std::vector<std::string>{"1", "counting", "no record yet"});
  const std::vector<std::string> real = row_of(table, "hypernyms-3692-a127");
  CHECK(std::vector(real.begin() + 1, real.begin() + 4) ==
        std::vector<std::string>{"23", "counting", "no record yet"});
  CHECK(random.size() == 12);
  CHECK(table.find("permutation-m16-d8-a127") < table.find("`hypernyms-3692-a127"));
}

TEST_CASE("methods that choose their own heads are replayed without them", "[records]") {
  const Cell cell = find_cell("permutation-m32-d8-a7");
  Record record = some_record({32, 1, 0});
  record.method = "edge-per-head";
  CHECK(replay_options(cell, record) ==
        "--family permutation --vertices 32 --gaussian 8 --method edge-per-head --seed 5 "
        "--weight-max 7 --budget 1000000");
  CHECK(certificate_name(cell, record) == "permutation-m32-d8-a7-dk32.qkc.gz");
}

}  // namespace qkcert::test
