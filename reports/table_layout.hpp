#pragma once
/// How a table's entries are arranged and spelled, the same in every format.

#include <qkcert/reports/table.hpp>
#include <string>
#include <vector>

namespace qkcert {

/// A column of the printed table: one quantity, under one choice of values on the column axes or,
/// when it depends on none of these, under all of them at once.
struct TableColumn {
  std::size_t quantity;
  std::optional<std::size_t> group;  ///< index into TableLayout::groups; absent: stands once
};

struct TableLayout {
  std::vector<std::vector<std::size_t>> rows;    ///< the values on the row axes
  std::vector<std::vector<std::size_t>> groups;  ///< the values on the column axes
  std::vector<TableColumn> columns;              ///< those that stand once, then group by group
};

TableLayout table_layout(const Table& table);

/// The entry in that place.
const TableEntry& entry_at(const Table& table, const TableLayout& layout, std::size_t row,
                           const TableColumn& column);

/// A number as it is printed: an integer whole, or its first digits with its bit length when it has
/// more than 24; a ratio rounded up to `digits`. `—` when there is none.
std::string value_text(const TableEntry& entry, unsigned digits);

/// What a reader has to know: what is fixed, what each quantity means and of what it speaks.
struct TableNote {
  std::string name;  ///< of the quantity; empty for remarks on the table
  std::string text;
  std::vector<std::string> references = {};  ///< BibTeX keys
};
std::vector<TableNote> table_notes(const Table& table);

/// The certified channels in the order of the points: the point, the quantity and the entry.
struct TableEvidence {
  std::size_t point, quantity;
};
std::vector<TableEvidence> table_evidence(const Table& table);

}  // namespace qkcert
