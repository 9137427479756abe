#include <optional>
#include <qkcert/bounds/registry.hpp>
#include <qkcert/core/decimal.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/reports/records_table.hpp>
#include <qkcert/reports/tried.hpp>
#include <qkcert/search/records.hpp>
#include <qkcert/verify/certificate.hpp>
#include <qkcert/verify/check.hpp>

namespace qkcert {

namespace {

constexpr const char* head = R"(# Records

For each cell the certified channel of least D_K found so far, and the strongest lower bound for its class.
`qkcert records` writes this page; how a record is kept and replaced: [docs/records.md](../../docs/records.md).

A cell is an instance and A, the largest |weight| that is allowed. `permutation-mM-dD-aA` is the random
permutation of M vertices (`--graph-seed 1`) on Gaussian rows of dimension D (`--embedding-seed 1`,
`--embedding-bits 20`). The real graphs are [antonyms](../antonyms/README.md),
[antonyms-4116](../antonyms-4116/README.md) and [hypernyms](../hypernyms/README.md).

| column | meaning |
|---|---|
| bound | no smaller D_K serves every graph of the cell's class: all permutations of M vertices, or a real graph's narrowest family, which `qkcert info` names; it says nothing about this one graph |
| D_K | upper bound: the D_K of the certificate, which `qkcert verify` decides |
| split | heads × width |
| ratio | D_K / bound, rounded up |
| found | by which version of qkcert, and when |
| before | the D_K of earlier records, first to last |
| replay | options of `qkcert construct`, given in this folder; that version prints the same SHA-256 |

The SHA-256 is that of the certificate itself, as `zcat FILE | sha256sum` prints it.

| cell | bound | by | D_K | method | split | ratio | found | before | certificate | SHA-256 | replay |
|---|---|---|---|---|---|---|---|---|---|---|---|
)";

/// The strongest bound for the cell's class, decided anew.
Claim checked_bound(const Cell& cell, const std::string& folder) {
  Claim bound = strongest_bound({cell_family(cell, folder), cell.d_model, cell.weight_max, 0});
  if (const Verdict verdict = check(bound, 1); !verdict.holds)
    throw Error("the bound does not pass its check: " + verdict.text);
  return bound;
}

std::string row(const Cell& cell, const CellHistory& history, const std::string& folder) {
  const Claim bound = checked_bound(cell, folder);
  const Integer least = key_dimension_of(bound).value();
  const std::string start = "| `" + cell.name + "` | " + to_decimal(least) + " | " +
                            std::string(claim_name(bound).substr(6)) + " | ";
  if (history.empty()) return start + "no record yet | | | | | | | | |\n";
  const Record& record = history.back();
  const std::string certificate = certificate_name(cell, record);
  std::string before;
  for (std::size_t i = 0; i + 1 < history.size(); ++i)
    before += (i > 0 ? ", " : "") + std::to_string(history[i].key_dimension());
  const std::string ratio =
      least == 0 ? ""
                 : to_decimal(Rational(Integer(record.key_dimension()), least), 2, Rounding::up);
  return start + std::to_string(record.key_dimension()) + " | " + record.method + " | " +
         architecture_text(record.architecture) + " | " + ratio + " | " + record.version + ", " +
         record.date + " | " + before + " | [" + certificate + "](" + certificate + ") | `" +
         record.sha256 + "` | `" + replay_options(cell, record) + "` |\n";
}

}  // namespace

std::string records_table(const RecordsState& state, const std::string& folder) {
  std::string text = head;
  for (const Cell& cell : record_cells())
    if (const auto found = state.find(cell.name); found != state.end())
      text += row(cell, found->second, folder);
  return text;
}

}  // namespace qkcert
