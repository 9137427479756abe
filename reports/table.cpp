#include <algorithm>
#include <qkcert/bounds/registry.hpp>
#include <qkcert/io/file.hpp>
#include <qkcert/reports/bibliography.hpp>
#include <qkcert/reports/table.hpp>
#include <qkcert/reports/table_json.hpp>
#include <qkcert/reports/table_latex.hpp>
#include <qkcert/reports/table_text.hpp>
#include <qkcert/reports/table_upper.hpp>
#include <qkcert/verify/certificate.hpp>
#include <qkcert/verify/check.hpp>
#include <set>

namespace qkcert {

namespace {

using Kind = TableQuantity::Kind;

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> list;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    list.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return list;
}

/// What the claim of a bound says, as a number.
TableEntry bound_value(const Claim& claim) {
  if (const auto dimension = key_dimension_of(claim))
    return {.value = Rational(*dimension), .quantity = "D_K"};
  if (const auto* margin = std::get_if<MarginBound>(&claim))
    return {.value = Rational(margin->rank), .quantity = "rank"};
  if (const auto* heads = std::get_if<HeadsBound>(&claim))
    return {.value = Rational(heads->heads), .quantity = "heads"};
  return {.value = Rational(2), .quantity = "heads"};  // one head does not serve the class
}

const char* quantity_of(std::string_view bound) {
  return bound == "margin"                                  ? "rank"
         : bound == "heads" || bound == "single-head-class" ? "heads"
                                                            : "D_K";
}

/// One bound of the registry, computed and decided.
TableEntry bound_entry(const BoundKind& kind, const BoundQuery& query, bool real) {
  TableEntry entry{.quantity = quantity_of(kind.name)};
  if (real && kind.weights == "finite") {
    entry.reason = "it speaks of weights of limited size";
    return entry;
  }
  Claim claim = HeadsBound{query.family, 0, 0};
  try {
    claim = kind.compute(query);
  } catch (const Error& error) {
    entry.reason = error.what();
    return entry;
  }
  if (const Verdict verdict = check(claim, 1); !verdict.holds)
    throw TableRefusal(std::string(kind.name) +
                       ": the bound does not pass its check: " + verdict.text);
  entry = bound_value(claim);
  entry.method = kind.name;
  entry.random = is_random(claim);
  entry.references = words(kind.sources);
  return entry;
}

/// The highest D_K for the class among the bounds that speak of all channels with such weights.
TableEntry strongest_entry(BoundQuery query, bool real) {
  query.failure_bits = 0;
  TableEntry strongest{.quantity = "D_K", .reason = "no bound on D_K applies"};
  for (const BoundKind& kind : bound_kinds()) {
    if (kind.weights != "finite" && kind.weights != "real") continue;
    TableEntry entry = bound_entry(kind, query, real);
    if (entry.value && entry.quantity == "D_K" &&
        (!strongest.value || *entry.value > *strongest.value))
      strongest = std::move(entry);
  }
  return strongest;
}

const BoundKind& kind_of(const std::string& name) {
  for (const BoundKind& kind : bound_kinds())
    if (kind.name == name) return kind;
  throw ShapeError("kind_of: an unknown bound");
}

std::vector<TableQuantity> quantities_of(const TableSpec& spec) {
  std::vector<TableQuantity> all;
  if (spec.class_size) all.push_back({Kind::class_size, "class size"});
  for (const std::string& name : spec.bounds)
    if (name == "strongest")
      all.push_back({Kind::lower, name, "finite or real", "threshold-max"});
    else
      all.push_back({Kind::lower, name, std::string(kind_of(name).weights),
                     std::string(kind_of(name).decoder)});
  for (const TableUpper& upper : spec.uppers) {
    all.push_back({Kind::upper, upper.name});
    if (spec.ratios && !spec.bounds.empty()) all.push_back({Kind::ratio, upper.name + " / bound"});
  }
  return all;
}

/// The upper bound before it over the highest D_K for the class among the bounds of this point.
TableEntry ratio_entry(const std::vector<TableEntry>& before) {
  TableEntry ratio{.quantity = "ratio", .reason = "a bound or a channel is missing"};
  const TableEntry& upper = before.back();
  const TableEntry* lower = nullptr;
  for (const TableEntry& entry : before) {
    if (entry.quantity != "D_K" || !entry.claim.empty() || !entry.value || entry.random) continue;
    if (lower == nullptr || *entry.value > *lower->value) lower = &entry;
  }
  if (lower == nullptr || !upper.value) return ratio;
  if (lower->value->is_zero()) {
    ratio.reason = "the lower bound is 0";
    return ratio;
  }
  ratio.value = *upper.value / *lower->value;
  ratio.method = lower->method;
  ratio.reason.clear();
  return ratio;
}

TablePoint compute_point(const TableSpec& spec, const std::vector<TableQuantity>& quantities,
                         const std::vector<std::size_t>& values, const TablePlace& place,
                         const TableOptions& options, std::vector<TableFile>& certificates) {
  const TableInstance instance = table_instance(spec, values);
  const bool real = !instance.weight_max;
  const BoundQuery query{.family = instance.family,
                         .d_model = instance.d_model,
                         .weight_max = instance.weight_max.value_or(1),
                         .failure_bits = spec.failure_bits,
                         .edge_ratio = spec.edge_ratio,
                         .nonedge_ratio = spec.nonedge_ratio};
  TablePoint point{values, {}};
  std::size_t upper = 0;
  for (const TableQuantity& quantity : quantities) {
    switch (quantity.kind) {
      case Kind::class_size:
        point.entries.push_back(
            {.value = Rational(instance.family.size()), .quantity = "graphs", .method = "count"});
        break;
      case Kind::lower:
        point.entries.push_back(quantity.name == "strongest"
                                    ? strongest_entry(query, real)
                                    : bound_entry(kind_of(quantity.name), query, real));
        break;
      case Kind::upper:
        point.entries.push_back(upper_entry(spec, upper++, values, place, options, certificates));
        break;
      case Kind::ratio:
        point.entries.push_back(ratio_entry(point.entries));
        break;
    }
  }
  return point;
}

/// The method of a quantity's entries, where it is the same.
void name_methods(Table& table) {
  for (std::size_t q = 0; q < table.quantities.size(); ++q) {
    std::set<std::string> methods;
    for (const TablePoint& point : table.points)
      if (point.entries[q].value) methods.insert(point.entries[q].method);
    if (methods.size() == 1) table.quantities[q].method = *methods.begin();
  }
}

/// `tables/permutations.toml`: the folder and the name in it without its ending.
TablePlace place_of(const std::string& path) {
  if (path == "-") return {"", "table"};
  const std::size_t slash = path.rfind('/');
  std::string name = path.substr(slash == path.npos ? 0 : slash + 1);
  if (const std::size_t dot = name.rfind('.'); dot != name.npos && dot > 0) name.resize(dot);
  return {slash == path.npos ? "" : slash == 0 ? "/" : path.substr(0, slash), std::move(name)};
}

/// LaTeX and BibTeX are told this name.
void require_plain(const std::string& name) {
  const auto special = [](char c) {
    return static_cast<unsigned char>(c) <= ' ' ||
           std::string_view("%#{}~\\^$&\",").find(c) != std::string_view::npos;
  };
  if (name.empty() || std::ranges::any_of(name, special))
    throw UsageError("'" + name + "': the files of a table are named after its spec, and LaTeX " +
                     "takes no such name");
}

std::string references_of(const Table& table) {
  std::set<std::string> keys = {"qkcert"};
  for (const TablePoint& point : table.points)
    for (const TableEntry& entry : point.entries)
      keys.insert(entry.references.begin(), entry.references.end());
  return bibliography(keys);
}

/// The files that the table of this spec, read from `path`, is made of; the spec first.
std::vector<std::string> inputs_of(const TableSpec& spec, const std::string& path) {
  const TablePlace place = place_of(path);
  std::set<std::string> files;
  std::vector<std::size_t> values(spec.grid.size(), 0);
  do {
    for (std::size_t upper = 0; upper < spec.uppers.size(); ++upper)
      for (std::string& file : upper_files(spec, upper, values, place))
        files.insert(std::move(file));
  } while (next_point(spec, values));
  std::vector<std::string> all = {path};
  all.insert(all.end(), files.begin(), files.end());
  return all;
}

}  // namespace

std::vector<std::string> table_inputs(const std::string& path) {
  return inputs_of(read_table_spec(read_file(path), path), path);
}

Table compute_table(const TableSpec& spec, const std::string& folder, const std::string& name,
                    const TableOptions& options) {
  if (!options.construct &&
      std::ranges::count(spec.uppers, TableUpper::Source::method, &TableUpper::source) > 0)
    throw UsageError("it constructs channels, whose certificates need a folder: -o DIR");
  Table table{spec, quantities_of(spec), {}, {}};
  std::size_t total = 1, done = 0;
  for (const TableAxis& axis : spec.grid) total *= axis.values.size();
  std::vector<std::size_t> values(spec.grid.size(), 0);
  do {
    const std::string at = point_text(spec, values);
    if (options.stop != nullptr && *options.stop) throw Error("stopped");
    if (options.on_point) options.on_point(done++, total, at);
    try {
      table.points.push_back(compute_point(spec, table.quantities, values, {folder, name}, options,
                                           table.certificates));
    } catch (const TableRefusal& error) {
      throw TableRefusal(at + ": " + error.what());
    } catch (const UsageError& error) {
      throw UsageError(at + ": " + error.what());
    } catch (const SizeError& error) {
      throw SizeError(at + ": " + error.what());
    } catch (const FileError& error) {
      throw FileError(at + ": " + error.what());
    }
  } while (next_point(spec, values));
  name_methods(table);
  return table;
}

std::vector<TableFile> render_table(const std::string& path, const TableOptions& options) {
  const TablePlace place = place_of(path);
  require_plain(place.name);
  const TableSpec spec = read_table_spec(read_file(path), path == "-" ? "standard input" : path);
  if (options.on_inputs) options.on_inputs(inputs_of(spec, path));
  Table table = compute_table(spec, place.folder, place.name, options);
  std::vector<TableFile> files = {{place.name + ".tex", table_latex(table, place.name)},
                                  {place.name + ".md", table_markdown(table, place.name)},
                                  {place.name + ".csv", table_csv(table)},
                                  {place.name + ".json", table_json(table)},
                                  {place.name + ".bib", references_of(table)}};
  std::ranges::move(table.certificates, std::back_inserter(files));
  return files;
}

}  // namespace qkcert
