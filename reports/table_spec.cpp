#include <algorithm>
#include <qkcert/bounds/registry.hpp>
#include <qkcert/constructions/method.hpp>
#include <qkcert/core/decimal.hpp>
#include <qkcert/io/toml.hpp>
#include <qkcert/reports/table_spec.hpp>
#include <set>

namespace qkcert {

namespace {

constexpr std::size_t max_points = 100'000;
constexpr std::string_view families[] = {"permutation",  "derangement", "functional",
                                         "out-regular",  "digraph",     "matching",
                                         "digraph-loops"};

bool takes_degree(std::string_view family) { return family == "out-regular"; }
bool needs_edges(std::string_view family) {
  return family == "digraph" || family == "digraph-loops";
}
bool takes_edges(std::string_view family) { return needs_edges(family) || family == "matching"; }

/// A list, or the one value that stands for a list of it.
std::vector<Toml> one_or_more(const Toml& value) {
  if (value.kind() != Toml::Kind::list) return {value};
  std::vector<Toml> list = value.list();
  if (list.empty()) value.fail("at least one value", "an empty list");
  return list;
}

/// A name that stands for something: each one once.
class Once {
 public:
  const std::string& add(const Toml& at, const std::string& text) {
    if (!seen_.insert(text).second) at.fail("each value once", "'" + text + "' again");
    return text;
  }

 private:
  std::set<std::string> seen_;
};

std::string one_line(const Toml& value) {
  const std::string& text = value.text();
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  if (text.empty() || std::ranges::any_of(text, control)) value.fail("text on one line");
  return text;
}

std::string label_of(const Toml& value) {
  const std::string& text = value.text();
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view(":.-_").find(c) != std::string_view::npos;
  };
  if (text.empty() || !std::ranges::all_of(text, plain))
    value.fail("a label of letters, digits, ':', '.', '-' and '_'");
  return text;
}

std::string weight_of(const Toml& value) {
  if (value.kind() == Toml::Kind::text && value.text() == "real") return "real";
  if (value.kind() != Toml::Kind::integer && value.kind() != Toml::Kind::text)
    value.fail("an integer of at least 1, or \"real\"");
  const auto weight = value.kind() == Toml::Kind::text ? parse_integer(value.text())
                                                       : std::optional(value.integer());
  if (!weight || *weight < 1) value.fail("an integer of at least 1, or \"real\"");
  return to_decimal(*weight);
}

std::string bits_of(const Toml& value) {
  if (value.kind() == Toml::Kind::text && value.text() == "real") return "real";
  if (value.kind() == Toml::Kind::text) value.fail("an integer from 2 to 1024, or \"real\"");
  return std::to_string(value.count(2, 1024));
}

template <class Read>
void add_axis(TableSpec& spec, const std::optional<Toml>& values, Read read) {
  if (!values) return;
  TableAxis& axis = spec.grid.emplace_back(TableAxis{values->key(), {}});
  Once once;
  for (const Toml& value : one_or_more(*values))
    axis.values.push_back(once.add(value, read(value)));
}

/// An argument that only some families take: given when one needs it, and the same for all points
/// when another does not take it.
void check_argument(const Toml& grid, const TableSpec& spec, std::string_view name,
                    bool (*takes)(std::string_view), bool (*needs)(std::string_view)) {
  const auto& names = spec.grid.front().values;
  const auto taking = std::ranges::count_if(names, takes);
  const auto given = grid.find(name);
  if (!given && std::ranges::any_of(names, needs)) grid.at(name);
  if (given && taking == 0) given->fail("no such key for these families", "one");
  if (given && taking < std::ssize(names) && one_or_more(*given).size() > 1)
    given->fail("one value, as not all of these families take it");
}

void read_grid(TableSpec& spec, const Toml& grid) {
  const auto number = [](const Toml& value) { return std::to_string(value.count(1)); };
  const auto family = [](const Toml& value) { return value.one_of(families); };
  add_axis(spec, grid.at("family"), family);
  add_axis(spec, grid.at("vertices"), number);
  add_axis(spec, grid.find("degree"), number);
  add_axis(spec, grid.find("edges"), number);
  add_axis(spec, grid.at("d_model"), number);
  const auto bits = grid.find("weight_bits");
  if (const auto both = grid.find("weight_max"); both && bits)
    bits->fail("weight_max or weight_bits", "both");
  if (bits)
    add_axis(spec, bits, bits_of);
  else
    add_axis(spec, grid.at("weight_max"), weight_of);
  grid.finish();
  check_argument(grid, spec, "degree", takes_degree, takes_degree);
  check_argument(grid, spec, "edges", takes_edges, needs_edges);
  std::size_t points = 1;
  for (const TableAxis& axis : spec.grid)
    if ((points *= axis.values.size()) > max_points)
      grid.fail("at most 100000 points", "more");  // no wrap: both factors are below 2^33
  std::vector<std::size_t> values(spec.grid.size(), 0);
  do {
    try {
      table_instance(spec, values);
    } catch (const UsageError& error) {
      grid.fail("arguments that the families can have", error.what());
    }
  } while (next_point(spec, values));
}

std::vector<std::size_t> read_axes(const TableSpec& spec, const std::optional<Toml>& list,
                                   Once& once) {
  std::vector<std::string_view> names;
  for (const TableAxis& axis : spec.grid) names.push_back(axis.name);
  std::vector<std::size_t> axes;
  for (const Toml& value : list ? list->list() : std::vector<Toml>()) {
    const std::string& name = once.add(value, value.one_of(names));
    axes.push_back(static_cast<std::size_t>(std::ranges::find(names, name) - names.begin()));
  }
  return axes;
}

void read_layout(TableSpec& spec, const std::optional<Toml>& layout) {
  const auto varies = [&](std::size_t axis) { return spec.grid[axis].values.size() > 1; };
  if (!layout) {
    for (std::size_t axis = 0; axis < spec.grid.size(); ++axis)
      if (varies(axis)) spec.rows.push_back(axis);
    return;
  }
  Once once;
  spec.rows = read_axes(spec, layout->find("rows"), once);
  spec.columns = read_axes(spec, layout->find("columns"), once);
  layout->finish();
  for (std::size_t axis = 0; axis < spec.grid.size(); ++axis)
    if (varies(axis) && std::ranges::find(spec.rows, axis) == spec.rows.end() &&
        std::ranges::find(spec.columns, axis) == spec.columns.end())
      layout->fail(spec.grid[axis].name + " in rows or columns, as it has several values",
                   "neither");
}

void read_bounds(TableSpec& spec, const std::optional<Toml>& bounds) {
  if (!bounds) return;
  std::vector<std::string_view> names = {"strongest"};
  for (const BoundKind& kind : bound_kinds())
    if (kind.name != "unit-heads") names.push_back(kind.name);  // of one graph, not of a class
  Once once;
  for (const Toml& value : one_or_more(*bounds)) {
    spec.bounds.push_back(once.add(value, value.one_of(names)));
    if (spec.bounds.back() == "margin" && !(spec.edge_ratio && spec.nonedge_ratio))
      value.fail("edge_ratio and nonedge_ratio beside the bound margin", "not both");
  }
}

/// `{axis}` and, in its last part, `*`.
std::string pattern_of(const TableSpec& spec, const Toml& value) {
  std::string text = one_line(value);
  std::string known;
  for (const TableAxis& axis : spec.grid) known += (known.empty() ? "{" : ", {") + axis.name + "}";
  for (std::size_t at = 0; (at = text.find('{', at)) != std::string::npos; ++at) {
    const std::string name = text.substr(at + 1, text.find('}', at) - at - 1);
    if (std::ranges::find(spec.grid, name, &TableAxis::name) == spec.grid.end())
      value.fail("a parameter of the grid in braces, of " + known, "{" + name + "}");
  }
  const std::size_t star = text.find('*'), slash = text.rfind('/');
  if (star != std::string::npos && slash != std::string::npos && star < slash)
    value.fail("'*' in the last part of a path", "'" + text + "'");
  return text;
}

void read_method(TableUpper& upper, const Toml& from) {
  std::vector<std::string_view> names;
  for (const Method& method : methods()) names.push_back(method.name);
  upper.where = from.at("method").one_of(names);
  const Method& method = find_method(upper.where);
  constexpr std::string_view embeddings[] = {"gaussian", "one-hot"};
  upper.one_hot = from.at("embedding").one_of(embeddings) == "one-hot";
  const auto count = [&](const char* key, auto& number, std::uint64_t least,
                         std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) {
    if (const auto value = from.find(key))
      number = static_cast<std::remove_cvref_t<decltype(number)>>(value->count(least, most));
  };
  count("graph_seed", upper.graph_seed, 0);
  count("seed", upper.seed, 0);
  count("patience", upper.patience, 1, 1000);
  if (!upper.one_hot) {
    count("embedding_seed", upper.embedding_seed, 0);
    count("embedding_bits", upper.embedding_bits, 1, 52);
  }
  const auto chosen = [&](const char* key, bool taken, std::optional<std::size_t>& number) {
    const auto value = from.find(key);
    if (value && !taken) value->fail("no " + std::string(key) + " for " + upper.where);
    if (value) number = value->count(1);
  };
  chosen("heads", method.takes_heads, upper.heads);
  chosen("head_dim", method.takes_head_dim, upper.head_dim);
  if (const auto value = from.find("key_dimension")) {
    if (!method.takes_key_dimension) value->fail("no key_dimension for " + upper.where);
    for (const Toml& each : one_or_more(*value)) upper.key_dimensions.push_back(each.count(1));
  }
}

TableUpper read_upper(const TableSpec& spec, const Toml& from) {
  using Source = TableUpper::Source;
  TableUpper upper{one_line(from.at("name")), Source::method, {}};
  if (const auto value = from.find("optional")) upper.optional = value->flag();
  const auto certificates = from.find("certificates"), records = from.find("records"),
             method = from.find("method");
  if (certificates.has_value() + records.has_value() + method.has_value() != 1)
    from.fail("one of the keys certificates, records and method",
              certificates || records || method ? "several" : "none");
  if (certificates) {
    upper.source = Source::certificates;
    upper.where = pattern_of(spec, *certificates);
  } else if (records) {
    upper.source = Source::records;
    upper.where = one_line(*records);
  } else {
    read_method(upper, from);
  }
  from.finish();
  return upper;
}

}  // namespace

TableInstance table_instance(const TableSpec& spec, const std::vector<std::size_t>& values) {
  const auto find = [&](std::string_view name) -> const std::string* {
    for (std::size_t axis = 0; axis < values.size(); ++axis)
      if (spec.grid[axis].name == name) return &spec.grid[axis].values[values[axis]];
    return nullptr;
  };
  const auto count = [&](std::string_view name) { return parse_uint64(*find(name)).value(); };
  const std::string& family = *find("family");
  std::vector<std::uint64_t> arguments = {count("vertices")};
  if (takes_degree(family)) arguments.push_back(count("degree"));
  if (takes_edges(family)) arguments.push_back(find("edges") ? count("edges") : arguments[0] / 2);
  TableInstance instance{Family(family, std::move(arguments)), count("d_model"), {}};
  if (const std::string* weight = find("weight_max"); weight && *weight != "real")
    instance.weight_max = parse_integer(*weight);
  if (const std::string* bits = find("weight_bits"); bits && *bits != "real")
    instance.weight_max = power_of_two(count("weight_bits") - 1) - 1;
  return instance;
}

bool next_point(const TableSpec& spec, std::vector<std::size_t>& values) {
  for (std::size_t axis = values.size(); axis-- > 0; values[axis] = 0)
    if (++values[axis] < spec.grid[axis].values.size()) return true;
  return false;
}

std::string point_text(const TableSpec& spec, const std::vector<std::size_t>& values) {
  std::string text;
  for (std::size_t axis = 0; axis < values.size(); ++axis)
    text +=
        (axis > 0 ? ", " : "") + spec.grid[axis].name + " " + spec.grid[axis].values[values[axis]];
  return text;
}

TableSpec read_table_spec(std::string_view text, const std::string& source) {
  const Toml file = parse_toml(text, source);
  TableSpec spec;
  spec.caption = one_line(file.at("caption"));
  spec.label = label_of(file.at("label"));
  if (const auto value = file.find("class_size")) spec.class_size = value->flag();
  if (const auto value = file.find("ratios")) spec.ratios = value->flag();
  if (const auto value = file.find("digits"))
    spec.digits = static_cast<unsigned>(value->count(0, 20));
  if (const auto value = file.find("failure_bits")) spec.failure_bits = value->count();
  if (const auto value = file.find("edge_ratio")) {
    spec.edge_ratio = value->ratio();
    if (*spec.edge_ratio < 1) value->fail("a ratio of at least 1");
  }
  if (const auto value = file.find("nonedge_ratio")) spec.nonedge_ratio = value->ratio();
  read_grid(spec, file.at("grid"));
  read_layout(spec, file.find("layout"));
  read_bounds(spec, file.find("bounds"));
  Once names;
  const auto uppers = file.find("upper");
  for (const Toml& from : uppers ? uppers->tables() : std::vector<Toml>()) {
    spec.uppers.push_back(read_upper(spec, from));
    names.add(from.at("name"), spec.uppers.back().name);
  }
  file.finish();
  if (spec.bounds.empty() && spec.uppers.empty() && !spec.class_size)
    file.fail("bounds, class_size or [[upper]]", "none of them");
  return spec;
}

}  // namespace qkcert
