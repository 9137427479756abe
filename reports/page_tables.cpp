#include <algorithm>
#include <qkcert/core/decimal.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/reports/page_tables.hpp>
#include <qkcert/reports/tried.hpp>
#include <qkcert/search/records.hpp>
#include <qkcert/verify/certificate.hpp>

namespace qkcert {

namespace {

HtmlCell text_cell(const std::string& text) { return {html_text(text)}; }

HtmlCell bound_cell(const ClassBound* bound) {
  return bound ? number_cell(bound->key_dimension) : HtmlCell{};
}

/// D_K / bound.
HtmlCell ratio_to(const ClassBound* bound, std::size_t key_dimension) {
  if (!bound || bound->key_dimension == 0) return {};
  const Rational ratio(Integer(key_dimension), bound->key_dimension);
  return ratio_cell(ratio, to_decimal(ratio, 2, Rounding::up));
}

HtmlCell status_cell(bool holds) {
  return holds ? HtmlCell{"<span class=\"good\">verified</span>", "verified"}
               : HtmlCell{"<span class=\"bad\">refused</span>", "refused"};
}

std::vector<HtmlCell> certificate_row(const PageInput& input, std::size_t index,
                                      BoundsCache& bounds) {
  const Surveyed& each = input.certificates[index];
  const std::string name = html_text(name_in(input, each.path), 200);
  const bool linked = index < input.limits.articles;
  std::vector<HtmlCell> row = {
      {linked ? "<a href=\"#" + article_id(index) + "\">" + name + "</a>" : name, name},
      status_cell(each.holds),
      text_cell(each.claim ? std::string(claim_name(*each.claim)) : "")};
  const auto view = each.claim ? channel_of(*each.claim) : std::nullopt;
  if (!view) {
    row.resize(11);
    return row;
  }
  const std::size_t key_dimension = view->channel.key_dimension();
  for (const Integer& value : {Integer(view->graph.vertices()), Integer(view->graph.edges().size()),
                               Integer(view->embedding.cols()), Integer(view->channel.heads.size()),
                               Integer(key_dimension), view->channel.weight_max()})
    row.push_back(number_cell(value));
  const auto speaks_of = each.holds ? class_of(each) : std::nullopt;
  const ClassBound* best =
      speaks_of ? strongest(bounds.of(speaks_of->family, speaks_of->d_model, speaks_of->weight_max))
                : nullptr;
  row.push_back(bound_cell(best));
  row.push_back(ratio_to(best, key_dimension));
  return row;
}

/// `20 (0.1.0, 2026-01-31) → 18 (…)`.
std::string history_text(const CellHistory& history) {
  std::string text;
  for (const Record& record : history)
    text += (text.empty() ? "" : " → ") + std::to_string(record.key_dimension()) + " (" +
            record.version + ", " + record.date + ")";
  return text;
}

/// Whether the certificate is the cell's: on its instance, with its weights, verified from its file.
HtmlCell record_status(const PageInput& input, const Cell& cell, const Record& record,
                       std::size_t& faults) {
  std::optional<CellInstance> instance;
  try {
    instance = load_cell(cell, input.folder);
  } catch (const Error&) {
    return {"not compared: the graph and embedding of this cell are not beside the folder"};
  }
  const std::string fault = record_fault(cell, *instance, record, input.folder, input.threads);
  if (fault.empty()) return status_cell(true);
  ++faults;
  return {"<span class=\"bad\">refused</span>: " + html_text(text_in(input, fault))};
}

std::vector<HtmlCell> record_row(const PageInput& input, const Cell& cell,
                                 const CellHistory& history, BoundsCache& bounds,
                                 std::size_t& faults) {
  const ClassBound* best = nullptr;
  try {
    best = strongest(bounds.of(cell_family(cell, input.folder), cell.d_model, cell.weight_max));
  } catch (const Error&) {  // the graph of a real cell is not there: record_status says so
  }
  std::vector<HtmlCell> row = {text_cell(cell.name), bound_cell(best),
                               text_cell(best ? best->name : "")};
  if (history.empty()) {
    row.resize(10);
    row[8] = text_cell("no record yet");
    return row;
  }
  const Record& record = history.back();
  row.push_back(number_cell(Integer(record.key_dimension())));
  row.push_back(ratio_to(best, record.key_dimension()));
  row.push_back(text_cell(record.method));
  row.push_back(text_cell(architecture_text(record.architecture)));
  row.push_back(number_cell(Integer(record.seed)));
  row.push_back(text_cell(history_text(history)));
  row.push_back(record_status(input, cell, record, faults));
  return row;
}

}  // namespace

std::optional<ChannelClass> class_of(const Surveyed& certificate) {
  const auto view = certificate.claim ? channel_of(*certificate.claim) : std::nullopt;
  if (!view || view->graph.vertices() == 0) return std::nullopt;
  return ChannelClass{narrowest_family(view->graph), view->embedding.cols(),
                      weight_class(view->channel.weight_max())};
}

const std::vector<ClassBound>& BoundsCache::of(const Family& family, const Integer& d_model,
                                               const Integer& weight_max) {
  const std::string key =
      family.to_string() + " " + to_decimal(d_model) + " " + to_decimal(weight_max);
  const auto [at, fresh] = known_.try_emplace(key);
  if (fresh) at->second = class_bounds({family, d_model, weight_max, 0});
  return at->second;
}

std::string text_in(const PageInput& input, std::string text) {
  const std::string prefix = input.folder + (input.folder.ends_with('/') ? "" : "/");
  for (auto at = text.find(prefix); at != text.npos; at = text.find(prefix, at))
    if (at == 0 || text[at - 1] == ' ')
      text.erase(at, prefix.size());
    else
      ++at;
  return text;
}

std::string name_in(const PageInput& input, const std::string& path) {
  const std::string prefix = input.folder + (input.folder.ends_with('/') ? "" : "/");
  return path.starts_with(prefix) ? path.substr(prefix.size()) : path;
}

std::string article_id(std::size_t index) { return "certificate-" + std::to_string(index + 1); }

std::string class_name(const Family& family) {
  if (family.arguments().size() <= 8) return family.to_string();
  return std::string(family.name()) + " of " + std::to_string(family.vertices()) + " vertices";
}

std::string certificates_section(const PageInput& input, BoundsCache& bounds) {
  HtmlTable table{"Certificates",
                  {"certificate", "status", "claim", "m", "edges", "d_model", "heads", "D_K",
                   "|weight| ≤", "bound", "D_K / bound"},
                  {}};
  for (std::size_t i = 0; i < input.certificates.size(); ++i)
    table.rows.push_back(certificate_row(input, i, bounds));
  return "<section id=\"certificates\"><h2>Certificates</h2>\n" + html_table(table) +
         "<p class=\"note\">D_K of a certificate is an upper bound for its one graph and "
         "embedding. The "
         "bound is the strongest lower bound for the narrowest class of its graph, at A = 2^b − 1, "
         "the least "
         "of that form that no weight exceeds; some graphs of the class may need less. Ratios are "
         "rounded "
         "up, and sorted exactly.</p></section>\n";
}

std::string bounds_section(const PageInput& input, BoundsCache& bounds) {
  HtmlTable table{"Lower bounds on D_K", {"class", "d_model", "A"}, {}};
  std::vector<std::pair<std::string, ChannelClass>> classes;
  for (const Surveyed& each : input.certificates)
    if (const auto found = each.holds ? class_of(each) : std::nullopt)
      classes.emplace_back(class_name(found->family), *found);
  const auto key = [](const auto& entry) {
    const ChannelClass& each = entry.second;
    return std::tuple(each.family.name(), each.family.arguments(), each.d_model, each.weight_max);
  };
  std::sort(classes.begin(), classes.end(),
            [&](const auto& a, const auto& b) { return key(a) < key(b); });
  classes.erase(std::unique(classes.begin(), classes.end(),
                            [&](const auto& a, const auto& b) { return key(a) == key(b); }),
                classes.end());
  if (classes.empty()) return {};
  std::vector<std::string> names;
  for (const BoundKind& kind : bound_kinds())
    if (kind.weights == "finite" || kind.weights == "real") {
      const auto has = [&](const auto& entry) {
        const auto& list =
            bounds.of(entry.second.family, entry.second.d_model, entry.second.weight_max);
        return std::any_of(list.begin(), list.end(),
                           [&](const ClassBound& bound) { return bound.name == kind.name; });
      };
      if (!std::any_of(classes.begin(), classes.end(), has)) continue;
      names.emplace_back(kind.name);
      table.headers.push_back(names.back() + (kind.weights == "real" ? " (real weights)" : ""));
    }
  for (const auto& [name, each] : classes) {
    std::vector<HtmlCell> row = {text_cell(name), number_cell(each.d_model),
                                 number_cell(each.weight_max)};
    const auto& list = bounds.of(each.family, each.d_model, each.weight_max);
    for (const std::string& wanted : names) {
      const auto found = std::find_if(
          list.begin(), list.end(), [&](const ClassBound& bound) { return bound.name == wanted; });
      row.push_back(bound_cell(found == list.end() ? nullptr : &*found));
    }
    table.rows.push_back(std::move(row));
  }
  return "<section id=\"bounds\"><h2>Bounds</h2>\n" + html_table(table) +
         "<p class=\"note\">No smaller D_K serves every graph of the class on one embedding of "
         "this "
         "d_model, with integer weights up to A in absolute value or, where it says so, with any "
         "real "
         "ones. Every bound was computed and checked for this page.</p></section>\n";
}

std::string records_section(const PageInput& input, BoundsCache& bounds, std::size_t& faults) {
  if (input.records.empty()) return {};
  HtmlTable table{"Records and their history",
                  {"cell", "bound", "by", "D_K", "D_K / bound", "method", "split", "seed",
                   "history of D_K", "certificate"},
                  {}};
  for (const Cell& cell : record_cells())
    if (const auto found = input.records.find(cell.name); found != input.records.end()) {
      if (input.on_step) input.on_step("record of " + cell.name);
      table.rows.push_back(record_row(input, cell, found->second, bounds, faults));
    }
  return "<section id=\"records\"><h2>Records</h2>\n" + html_table(table) +
         "<p class=\"note\">For each cell, a graph, an embedding and A, the certified channel of "
         "least D_K "
         "found so far, and what it has replaced (D_K, version, date). “verified” says that the "
         "file is the "
         "certificate that the record names, speaks of the cell’s own graph and embedding, keeps "
         "to A, and "
         "holds. A split is heads × width.</p></section>\n";
}

}  // namespace qkcert
