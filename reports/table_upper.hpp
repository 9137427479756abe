#pragma once
/// The certified channels of a table: found in files and records, or constructed.

#include <qkcert/reports/table.hpp>

namespace qkcert {

/// Where a table is made.
struct TablePlace {
  std::string folder;  ///< where the spec's relative paths begin
  std::string name;    ///< the folder of constructed certificates, beside the table
};

/// The entry of these channels at that point; a constructed certificate is added to `certificates`.
///
/// Ensure   an entry with a value has a certificate that is canonical, is of the point's family,
///          d_model and weights, and has passed check() as it stands in its bytes.
/// Errors   as compute_table().
TableEntry upper_entry(const TableSpec& spec, std::size_t upper,
                       const std::vector<std::size_t>& values, const TablePlace& place,
                       const TableOptions& options, std::vector<TableFile>& certificates);

/// The files among which upper_entry() finds its own, so far as they are there.
/// Errors: FileError and FormatError of folders and records.
std::vector<std::string> upper_files(const TableSpec& spec, std::size_t upper,
                                     const std::vector<std::size_t>& values,
                                     const TablePlace& place);

}  // namespace qkcert
