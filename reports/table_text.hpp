#pragma once
/// A table as Markdown and as CSV.

#include <qkcert/reports/table.hpp>

namespace qkcert {

/// Caption, table, notes, certificates with their SHA-256, and the references, in GitHub's
/// Markdown. `name` is that of the .bib file.
std::string table_markdown(const Table& table, const std::string& name);

/// A line for each entry, by point: the values of all axes, then name, kind, quantity, value
/// (exact; a ratio as NUMERATOR/DENOMINATOR), printed, method, claim, certificate, sha256,
/// references (a space between), reason. RFC 4180: lines end in CR LF.
std::string table_csv(const Table& table);

}  // namespace qkcert
