#pragma once
/// The table of records as a Markdown page.

#include <qkcert/search/records_state.hpp>

namespace qkcert {

/// `README.md` of the folder of records: for each cell of the state, in the order of record_cells(),
/// the strongest lower bound on D_K for its class with its name, the record with method and split,
/// their ratio rounded up, the certificate with its hash, the earlier D_K, and the replay.
///
/// Ensure  every bound that is shown passes check(); the same state gives the same page.
/// Errors  FileError and FormatError for the graph files of real cells, which are beside `folder`, that
///         of the records.
std::string records_table(const RecordsState& state, const std::string& folder);

}  // namespace qkcert
