#include <algorithm>
#include <qkcert/core/decimal.hpp>
#include <qkcert/reports/escape.hpp>
#include <qkcert/reports/table_json.hpp>
#include <qkcert/reports/table_layout.hpp>
#include <qkcert/reports/table_text.hpp>

namespace qkcert {

namespace {

std::string joined(const std::vector<std::string>& words, const std::string& between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

std::string markdown_row(const std::vector<std::string>& cells) {
  return "| " + joined(cells, " | ") + " |\n";
}

/// A path as the target of a link: in angle brackets unless it is plain.
std::string link_target(const std::string& path) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("/._-").find(c) != std::string_view::npos;
  };
  if (std::ranges::all_of(path, plain)) return path;
  std::string target;
  for (const char c : path)
    target += c == '<' ? "%3C" : c == '>' ? "%3E" : c == '\\' ? "%5C" : std::string(1, c);
  return "<" + target + ">";
}

std::string link(const std::string& text, const std::string& path) {
  return "[" + text + "](" + link_target(path) + ")";
}

std::string markdown_cell(const TableQuantity& quantity, const TableEntry& entry, unsigned digits) {
  std::string text = markdown_text(value_text(entry, digits));
  if (!entry.certificate.empty()) text = link(text, entry.certificate);
  if (entry.value && quantity.method.empty() && !entry.method.empty())
    text += " (" + markdown_text(entry.method) + ")";
  return text;
}

std::string grid_table(const Table& table) {
  const TableSpec& spec = table.spec;
  const TableLayout layout = table_layout(table);
  std::vector<std::string> head, rule;
  for (const std::size_t axis : spec.rows) {
    head.push_back(markdown_text(spec.grid[axis].name));
    rule.push_back(spec.grid[axis].name == "family" ? "---" : "---:");
  }
  for (const TableColumn& column : layout.columns) {
    std::vector<std::string> values;
    for (std::size_t i = 0; i < spec.columns.size() && column.group; ++i) {
      const TableAxis& axis = spec.grid[spec.columns[i]];
      values.push_back(axis.name + " " + axis.values[layout.groups[*column.group][i]]);
    }
    head.push_back(markdown_text((values.empty() ? "" : joined(values, ", ") + ": ") +
                                 table.quantities[column.quantity].name));
    rule.push_back("---:");
  }
  std::string text = markdown_row(head) + markdown_row(rule);
  for (std::size_t row = 0; row < layout.rows.size(); ++row) {
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < spec.rows.size(); ++i)
      cells.push_back(markdown_text(spec.grid[spec.rows[i]].values[layout.rows[row][i]]));
    for (const TableColumn& column : layout.columns)
      cells.push_back(markdown_cell(table.quantities[column.quantity],
                                    entry_at(table, layout, row, column), spec.digits));
    text += markdown_row(cells);
  }
  return text;
}

std::string evidence_table(const Table& table) {
  const std::vector<TableEvidence> all = table_evidence(table);
  if (all.empty()) return "";
  std::string text = "\n" +
                     markdown_row({"at", "name", "method", "D\\_K", "certificate", "SHA-256"}) +
                     markdown_row({"---", "---", "---", "---:", "---", "---"});
  for (const auto& [at, quantity] : all) {
    const TablePoint& point = table.points[at];
    const TableEntry& entry = point.entries[quantity];
    text += markdown_row({markdown_text(point_text(table.spec, point.values)),
                          markdown_text(table.quantities[quantity].name),
                          markdown_text(entry.method), value_text(entry, 0),
                          link(markdown_text(entry.certificate), entry.certificate),
                          "`" + entry.sha256 + "`"});
  }
  return text;
}

/// The exact value: digits, or a fraction.
std::string exact_text(const TableEntry& entry) {
  if (!entry.value) return "";
  const std::string above = to_decimal(numerator(*entry.value));
  return entry.quantity == "ratio" ? above + "/" + to_decimal(denominator(*entry.value)) : above;
}

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (std::size_t i = 0; i < fields.size(); ++i) line += (i > 0 ? "," : "") + csv_field(fields[i]);
  return line + "\r\n";
}

}  // namespace

std::string table_markdown(const Table& table, const std::string& name) {
  std::string text = "<a id=\"" + table.spec.label + "\"></a>\n\n**Table.** " +
                     markdown_text(table.spec.caption) + "\n\n" + grid_table(table) + "\n";
  for (const TableNote& note : table_notes(table)) {
    text += "- " + (note.name.empty() ? "" : "*" + markdown_text(note.name) + "*: ") +
            markdown_text(note.text);
    for (const std::string& key : note.references) text += " \\[@" + key + "\\]";
    text += "\n";
  }
  text += evidence_table(table);
  return text + "\nReferences: " + link(markdown_text(name + ".bib"), name + ".bib") + "\n";
}

std::string table_csv(const Table& table) {
  std::vector<std::string> head;
  for (const TableAxis& axis : table.spec.grid) head.push_back(axis.name);
  for (const char* name : {"name", "kind", "quantity", "value", "printed", "method", "claim",
                           "certificate", "sha256", "references", "reason"})
    head.emplace_back(name);
  std::string text = csv_line(head);
  for (const TablePoint& point : table.points)
    for (std::size_t q = 0; q < table.quantities.size(); ++q) {
      const TableEntry& entry = point.entries[q];
      std::vector<std::string> fields;
      for (std::size_t axis = 0; axis < point.values.size(); ++axis)
        fields.push_back(table.spec.grid[axis].values[point.values[axis]]);
      for (const std::string& field :
           {table.quantities[q].name, std::string(kind_name(table.quantities[q].kind)),
            entry.quantity, exact_text(entry),
            entry.value ? value_text(entry, table.spec.digits) : std::string(), entry.method,
            entry.claim, entry.certificate, entry.sha256, joined(entry.references, " "),
            entry.reason})
        fields.push_back(field);
      text += csv_line(fields);
    }
  return text;
}

}  // namespace qkcert
