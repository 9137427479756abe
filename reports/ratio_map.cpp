#include <algorithm>
#include <qkcert/core/decimal.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/reports/json_parts.hpp>
#include <qkcert/reports/ratio_map.hpp>

namespace qkcert {

namespace {

std::string printed_ratio(const RatioCell& cell) {
  const auto ratio = cell.ratio();
  return ratio ? to_decimal(*ratio, 2, Rounding::up) : "-";
}

std::string bound_of(const RatioCell& cell) {
  return cell.bound ? to_decimal(cell.bound->key_dimension) : "-";
}

}  // namespace

std::size_t RatioCell::key_dimension() const {
  return channel_of(certificate->claim.value())->channel.key_dimension();
}

std::optional<Rational> RatioCell::ratio() const {
  if (!bound || bound->key_dimension == 0) return std::nullopt;
  return Rational(Integer(key_dimension()), bound->key_dimension);
}

RatioMap ratio_map(std::span<const Surveyed> list, const FamilyOf& family,
                   const Integer& weight_max) {
  std::set<Integer> dimensions;
  for (const Surveyed& each : list)
    if (const auto view = each.holds ? channel_of(*each.claim) : std::nullopt)
      dimensions.insert(view->embedding.cols());
  RatioMap map{"", weight_max, {}};
  for (const Integer& d_model : dimensions)
    for (const std::uint64_t m : vertices_of(list, family, d_model, weight_max)) {
      const Family member = family(m);
      const auto bounds = class_bounds({member, d_model, weight_max, 0});
      const ClassBound* best = strongest(bounds);
      map.family = member.name();
      map.cells.push_back({member, d_model, best ? std::optional(*best) : std::nullopt,
                           least_certified(list, member, d_model, weight_max)});
    }
  if (map.cells.empty())
    throw UsageError("no certificate that holds is of this family with |weight| <= " +
                     to_decimal(weight_max));
  std::sort(map.cells.begin(), map.cells.end(), [](const RatioCell& a, const RatioCell& b) {
    return std::pair(a.family.vertices(), a.d_model) < std::pair(b.family.vertices(), b.d_model);
  });
  return map;
}

HeatMap ratio_heat_map(const RatioMap& map) {
  std::set<Integer> vertices, dimensions;
  for (const RatioCell& cell : map.cells) {
    vertices.insert(cell.family.vertices());
    dimensions.insert(cell.d_model);
  }
  HeatMap result{.title = map.family + " graphs, |weight| <= A = " + to_decimal(map.weight_max) +
                          ": certified D_K / lower bound, rounded up",
                 .x = {"number of vertices m", {}},
                 .y = {"embedding dimension d_model", {}},
                 .cells = {}};
  for (const Integer& m : vertices) result.x.categories.push_back(to_decimal(m));
  for (const Integer& d : dimensions) result.y.categories.push_back(to_decimal(d));
  for (const RatioCell& cell : map.cells) {
    const auto place = [](const std::set<Integer>& values, const Integer& value) {
      return static_cast<std::size_t>(std::distance(values.begin(), values.find(value)));
    };
    result.cells.push_back({place(vertices, cell.family.vertices()),
                            place(dimensions, cell.d_model), cell.ratio(), printed_ratio(cell),
                            std::to_string(cell.key_dimension()) + " / " + bound_of(cell)});
  }
  return result;
}

std::string ratio_text(const RatioMap& map) {
  const auto padded = [](const std::string& text, std::size_t width) {
    return text + std::string(width - std::min(width, text.size()), ' ');
  };
  std::string text =
      "m         d_model   D_K     bound   by                  ratio     certificate\n";
  for (const RatioCell& cell : map.cells)
    text += padded(std::to_string(cell.family.vertices()), 10) +
            padded(to_decimal(cell.d_model), 10) + padded(std::to_string(cell.key_dimension()), 8) +
            padded(bound_of(cell), 8) + padded(cell.bound ? cell.bound->name : "-", 20) +
            padded(printed_ratio(cell), 10) + cell.certificate->path + "\n";
  return text +
         "Ratios D_K / bound are rounded up. The bounds speak of the class of all such graphs.\n";
}

std::string ratio_json(const RatioMap& map, std::span<const Surveyed> list) {
  using Json = nlohmann::ordered_json;
  Json json{{"kind", "ratio"},
            {"family", map.family},
            {"weight_max", json_number(map.weight_max)},
            {"output", map.output},
            {"cells", Json::array()}};
  for (const RatioCell& cell : map.cells) {
    Json entry{{"family", cell.family.to_string()},
               {"vertices", cell.family.vertices()},
               {"d_model", json_number(cell.d_model)},
               {"lower_bound", cell.bound ? json_number(cell.bound->key_dimension) : Json()},
               {"lower_bound_method", cell.bound ? Json(cell.bound->name) : Json()},
               {"ratio", Json()}};
    if (const auto ratio = cell.ratio())
      entry["ratio"] = {json_number(numerator(*ratio)), json_number(denominator(*ratio))};
    add_certified(entry, cell.certificate);
    json["cells"].push_back(std::move(entry));
  }
  json["refused"] = refused_json(list);
  return json_line(json);
}

}  // namespace qkcert
