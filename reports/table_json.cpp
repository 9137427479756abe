#include <qkcert/core/decimal.hpp>
#include <qkcert/reports/json_number.hpp>
#include <qkcert/reports/table_json.hpp>
#include <qkcert/reports/table_layout.hpp>

namespace qkcert {

namespace {

using Json = nlohmann::ordered_json;

/// A value of an axis: a number where it is one.
Json axis_value(const std::string& text) {
  const auto value = parse_integer(text);
  return value ? json_number(*value) : Json(text);
}

Json names_of(const TableSpec& spec, const std::vector<std::size_t>& axes) {
  Json names = Json::array();
  for (const std::size_t axis : axes) names.push_back(spec.grid[axis].name);
  return names;
}

Json entry_json(const TableQuantity& quantity, const TableEntry& entry, unsigned digits) {
  const bool ratio = quantity.kind == TableQuantity::Kind::ratio;
  Json json;
  json["name"] = quantity.name;
  json["quantity"] = entry.quantity;
  json["value"] = nullptr;
  if (entry.value && ratio)
    json["value"] = {json_number(numerator(*entry.value)), json_number(denominator(*entry.value))};
  else if (entry.value)
    json["value"] = json_number(numerator(*entry.value));
  json["printed"] = value_text(entry, digits);
  json["rounding"] = ratio ? Json("up") : Json();
  json["method"] = entry.method.empty() ? Json() : Json(entry.method);
  json["references"] = entry.references;
  if (quantity.kind == TableQuantity::Kind::upper && entry.value) {
    json["claim"] = entry.claim;
    json["certificate"] = entry.certificate;
    json["sha256"] = entry.sha256;
  }
  if (!entry.value) json["reason"] = entry.reason;
  return json;
}

Json point_json(const Table& table, const TablePoint& point) {
  const TableSpec& spec = table.spec;
  const TableInstance instance = table_instance(spec, point.values);
  Json json;
  json["family"] = instance.family.to_string();
  json["d_model"] = json_number(Integer(instance.d_model));
  json["weight_max"] = instance.weight_max ? json_number(*instance.weight_max) : Json();
  for (std::size_t axis = 0; axis < spec.grid.size(); ++axis)
    json["values"][spec.grid[axis].name] = axis_value(spec.grid[axis].values[point.values[axis]]);
  json["entries"] = Json::array();
  for (std::size_t q = 0; q < table.quantities.size(); ++q)
    json["entries"].push_back(entry_json(table.quantities[q], point.entries[q], spec.digits));
  return json;
}

}  // namespace

std::string_view kind_name(TableQuantity::Kind kind) {
  static constexpr std::string_view names[] = {"class_size", "lower", "upper", "ratio"};
  return names[static_cast<std::size_t>(kind)];
}

std::string table_json(const Table& table) {
  const TableSpec& spec = table.spec;
  Json json;
  json["caption"] = spec.caption;
  json["label"] = spec.label;
  for (const TableAxis& axis : spec.grid) {
    Json& values = json["grid"][axis.name] = Json::array();
    for (const std::string& value : axis.values) values.push_back(axis_value(value));
  }
  json["rows"] = names_of(spec, spec.rows);
  json["columns"] = names_of(spec, spec.columns);
  json["digits"] = spec.digits;
  json["failure_bits"] = json_number(spec.failure_bits);
  json["quantities"] = Json::array();
  for (const TableQuantity& quantity : table.quantities) {
    Json listed = {{"name", quantity.name}, {"kind", kind_name(quantity.kind)}};
    if (quantity.kind == TableQuantity::Kind::lower) {
      listed["weights"] = quantity.weights;
      listed["decoder"] = quantity.decoder;
    }
    json["quantities"].push_back(std::move(listed));
  }
  json["points"] = Json::array();
  for (const TablePoint& point : table.points) json["points"].push_back(point_json(table, point));
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace qkcert
