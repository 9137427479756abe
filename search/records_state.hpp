#pragma once
/// What is known of each cell: `records.json` (docs/records.md).

#include <map>
#include <qkcert/constructions/method.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace qkcert {

/// One certified channel, by all that its construction needs beside the cell.
struct Record {
  std::string method;
  Architecture architecture;
  std::uint64_t seed;
  unsigned patience;
  std::string version;  ///< of qkcert that found it
  std::string date;     ///< YYYY-MM-DD
  std::string sha256;   ///< of the certificate, uncompressed

  std::size_t key_dimension() const { return architecture.key_dimension(); }
  friend bool operator==(const Record&, const Record&) = default;
};

/// The records a cell has had, D_K strictly falling; the last one holds. Empty: no record yet.
using CellHistory = std::vector<Record>;

/// By the cell's name.
using RecordsState = std::map<std::string, CellHistory>;

/// The canonical bytes of the state.
std::string format_records(const RecordsState& state);

/// The state that `bytes` spell.
///
/// Ensure   format_records(result) == bytes; every cell is one of record_cells(), every record's D_K
///          smaller than that of the one before it.
/// Errors   FormatError `source: cells.NAME[0].seed: expected …, found …`.
RecordsState parse_records(std::string_view bytes, const std::string& source);

}  // namespace qkcert
