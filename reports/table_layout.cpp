#include <algorithm>
#include <qkcert/core/decimal.hpp>
#include <qkcert/reports/table_layout.hpp>

namespace qkcert {

namespace {

using Kind = TableQuantity::Kind;

/// All choices of one value on each of these axes, the last axis fastest.
std::vector<std::vector<std::size_t>> choices(const TableSpec& spec,
                                              const std::vector<std::size_t>& axes) {
  std::vector<std::vector<std::size_t>> all = {{}};
  for (const std::size_t axis : axes) {
    std::vector<std::vector<std::size_t>> longer;
    for (const auto& choice : all)
      for (std::size_t value = 0; value < spec.grid[axis].values.size(); ++value) {
        longer.push_back(choice);
        longer.back().push_back(value);
      }
    all = std::move(longer);
  }
  return all;
}

/// Whether a quantity can differ between values of this axis.
bool depends(const TableQuantity& quantity, const std::string& axis) {
  if (quantity.kind == Kind::class_size) return axis != "d_model" && !axis.starts_with("weight_");
  if (quantity.kind == Kind::lower && quantity.weights.starts_with("real"))
    return !axis.starts_with("weight_");
  return true;
}

std::string weights_text(const std::string& weights) {
  if (weights == "finite") return "integer weights of at most A";
  return "weights: " + weights;
}

std::size_t index_of(const Table& table, const TableQuantity& quantity) {
  return static_cast<std::size_t>(&quantity - table.quantities.data());
}

/// Of what a bound speaks.
std::string subject(const Table& table, const TableQuantity& quantity) {
  const std::size_t q = index_of(table, quantity);
  if (std::ranges::any_of(table.points, [q](const auto& point) { return point.entries[q].random; }))
    return "for one random graph of the class, except with probability below 2^-" +
           to_decimal(table.spec.failure_bits);
  return "for the class, not for one chosen graph";
}

TableNote note_of(const Table& table, const TableQuantity& quantity) {
  TableNote note{quantity.name, "", {}};
  const bool says_how = !quantity.method.empty() && quantity.method != "certificate";
  const std::string by = says_how ? " (" + quantity.method + ")" : "";
  switch (quantity.kind) {
    case Kind::class_size:
      note.text =
          "the number of graphs in the class; long numbers have their first digits and their "
          "length in bits.";
      break;
    case Kind::lower:
      note.text = "lower bound " + subject(table, quantity) + "; " +
                  weights_text(quantity.weights) + "; decoder " + quantity.decoder;
      if (quantity.name == "strongest")
        note.text = "the highest lower bound on D_K " + subject(table, quantity);
      note.text += quantity.method.empty() || quantity.method == quantity.name ? "." : by + ".";
      break;
    case Kind::upper:
      note.text = "upper bound: D_K of a channel whose certificate has been verified" + by +
                  "; a certificate of recovery speaks of one graph of the class.";
      break;
    case Kind::ratio:
      note.text =
          "over the highest lower bound on D_K in this table, rounded up; it compares one "
          "graph's channel with a bound for the class.";
      break;
  }
  for (const TablePoint& point : table.points) {
    const TableEntry& entry = point.entries[index_of(table, quantity)];
    for (const std::string& key : entry.references)
      if (std::ranges::find(note.references, key) == note.references.end())
        note.references.push_back(key);
  }
  std::ranges::sort(note.references);
  return note;
}

}  // namespace

TableLayout table_layout(const Table& table) {
  const TableSpec& spec = table.spec;
  TableLayout layout{choices(spec, spec.rows), choices(spec, spec.columns), {}};
  const auto once = [&](const TableQuantity& quantity) {
    return std::ranges::none_of(
        spec.columns, [&](std::size_t axis) { return depends(quantity, spec.grid[axis].name); });
  };
  for (std::size_t q = 0; q < table.quantities.size(); ++q)
    if (spec.columns.empty() || once(table.quantities[q])) layout.columns.push_back({q, {}});
  if (spec.columns.empty()) return layout;
  for (std::size_t group = 0; group < layout.groups.size(); ++group)
    for (std::size_t q = 0; q < table.quantities.size(); ++q)
      if (!once(table.quantities[q])) layout.columns.push_back({q, group});
  return layout;
}

const TableEntry& entry_at(const Table& table, const TableLayout& layout, std::size_t row,
                           const TableColumn& column) {
  const TableSpec& spec = table.spec;
  std::vector<std::size_t> values(spec.grid.size(), 0);
  for (std::size_t i = 0; i < spec.rows.size(); ++i) values[spec.rows[i]] = layout.rows[row][i];
  for (std::size_t i = 0; i < spec.columns.size() && column.group; ++i)
    values[spec.columns[i]] = layout.groups[*column.group][i];
  std::size_t index = 0;
  for (std::size_t axis = 0; axis < values.size(); ++axis)
    index = index * spec.grid[axis].values.size() + values[axis];
  return table.points.at(index).entries.at(column.quantity);
}

std::string value_text(const TableEntry& entry, unsigned digits) {
  if (!entry.value) return "—";
  if (entry.quantity == "ratio") return to_decimal(*entry.value, digits, Rounding::up);
  const Integer value = numerator(*entry.value);
  const std::string text = to_decimal(value);
  if (text.size() <= 24) return text;
  return text.substr(0, 6) + "… (" + std::to_string(bit_length(value)) + " bits)";
}

std::vector<TableNote> table_notes(const Table& table) {
  const TableSpec& spec = table.spec;
  std::vector<TableNote> notes;
  std::string fixed;
  for (std::size_t axis = 0; axis < spec.grid.size(); ++axis)
    if (std::ranges::find(spec.rows, axis) == spec.rows.end() &&
        std::ranges::find(spec.columns, axis) == spec.columns.end())
      fixed += (fixed.empty() ? "" : ", ") + spec.grid[axis].name + " = " +
               spec.grid[axis].values.front();
  if (!fixed.empty()) notes.push_back({"", "Everywhere " + fixed + ".", {}});
  for (const TableQuantity& quantity : table.quantities) notes.push_back(note_of(table, quantity));
  const auto missing = [](const TablePoint& point) {
    return std::ranges::any_of(point.entries, [](const TableEntry& e) { return !e.value; });
  };
  if (std::ranges::any_of(table.points, missing))
    notes.push_back({"", "—: no such value; the CSV and JSON forms of this table say why.", {}});
  notes.push_back({"", "Every bound and certificate was decided in exact arithmetic.", {"qkcert"}});
  return notes;
}

std::vector<TableEvidence> table_evidence(const Table& table) {
  std::vector<TableEvidence> evidence;
  for (std::size_t point = 0; point < table.points.size(); ++point)
    for (std::size_t q = 0; q < table.quantities.size(); ++q)
      if (!table.points[point].entries[q].certificate.empty()) evidence.push_back({point, q});
  return evidence;
}

}  // namespace qkcert
