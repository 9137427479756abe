#include <algorithm>
#include <qkcert/core/decimal.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/reports/bounds_plot.hpp>
#include <qkcert/reports/json_parts.hpp>

namespace qkcert {

namespace {

std::string padded(std::string text, std::size_t width) {
  return text + std::string(width - std::min(width, text.size()), ' ');
}

/// The names of all bounds of the curve, in the order of the registry.
std::vector<std::string> names_of(const BoundsCurve& curve) {
  std::vector<std::string> names;
  for (const BoundKind& kind : bound_kinds())
    for (const BoundsPoint& point : curve.points)
      for (const ClassBound& bound : point.bounds)
        if (bound.name == kind.name && (names.empty() || names.back() != kind.name))
          names.emplace_back(kind.name);
  return names;
}

const ClassBound* find(const BoundsPoint& point, const std::string& name) {
  for (const ClassBound& bound : point.bounds)
    if (bound.name == name) return &bound;
  return nullptr;
}

}  // namespace

std::size_t BoundsPoint::key_dimension() const {
  return channel_of(certificate->claim.value())->channel.key_dimension();
}

std::set<std::uint64_t> vertices_of(std::span<const Surveyed> list, const FamilyOf& family,
                                    const Integer& d_model, const Integer& weight_max) {
  std::set<std::uint64_t> vertices;
  for (const Surveyed& each : list) {
    const auto view = each.holds ? channel_of(*each.claim) : std::nullopt;
    if (!view || view->graph.vertices() == 0) continue;
    const std::uint64_t m = view->graph.vertices();
    try {
      if (least_certified({&each, 1}, family(m), d_model, weight_max)) vertices.insert(m);
    } catch (const UsageError&) {  // the family has no member of so many vertices
    }
  }
  return vertices;
}

BoundsCurve bounds_curve(std::span<const Surveyed> list, const FamilyOf& family,
                         const Integer& d_model, const Integer& weight_max,
                         const std::set<std::uint64_t>& vertices) {
  BoundsCurve curve{"", d_model, weight_max, {}};
  for (const std::uint64_t m : vertices) {
    const Family member = family(m);
    curve.family = member.name();
    curve.points.push_back({member, class_bounds({member, d_model, weight_max, 0}),
                            least_certified(list, member, d_model, weight_max)});
  }
  return curve;
}

Plot bounds_plot(const BoundsCurve& curve) {
  Plot plot{.title = curve.family + " graphs, d_model " + to_decimal(curve.d_model) +
                     ", |weight| <= A = " + to_decimal(curve.weight_max),
            .x = {"number of vertices m", 1, 2, {}, true},
            .y = {"total key dimension D_K (dimensions)", Rational(1, 2), 1, {}, true}};
  const auto add = [&](PlotSeries series) {
    if (series.points.empty()) return;
    for (const PlotPoint& point : series.points) plot.y.high = std::max(plot.y.high, point.y);
    plot.series.push_back(std::move(series));
  };
  PlotSeries certified{"certified D_K: an upper bound for one instance each", {}, false};
  for (const BoundsPoint& point : curve.points)
    if (point.certificate)
      certified.points.push_back(
          {Integer(point.family.vertices()), Integer(point.key_dimension())});
  add(std::move(certified));
  for (const std::string& name : names_of(curve)) {
    PlotSeries series{"", {}};
    bool finite = true;
    for (const BoundsPoint& point : curve.points)
      if (const ClassBound* bound = find(point, name); bound && bound->key_dimension > 0) {
        series.points.push_back({Integer(point.family.vertices()), bound->key_dimension});
        finite = bound->finite;
      }
    series.name = "lower bound for the class: " + name + (finite ? "" : ", real weights");
    add(std::move(series));
  }
  if (plot.series.empty()) throw UsageError("there is nothing above 0 to draw");
  for (const BoundsPoint& point : curve.points)
    if (curve.points.size() <= 12) plot.x.tics.emplace_back(point.family.vertices());
  plot.x.low = Rational(Integer(curve.points.front().family.vertices()) * 9, 10);
  plot.x.high = Rational(Integer(curve.points.back().family.vertices()) * 10, 9);
  plot.y.high = plot.y.high * 3 / 2;
  return plot;
}

std::string bounds_text(const BoundsCurve& curve) {
  const std::vector<std::string> names = names_of(curve);
  std::string text = padded("m", 10);
  for (const std::string& name : names) text += padded(name, 18);
  text += padded("D_K", 8) + "certificate\n";
  for (const BoundsPoint& point : curve.points) {
    text += padded(std::to_string(point.family.vertices()), 10);
    for (const std::string& name : names) {
      const ClassBound* bound = find(point, name);
      text += padded(bound ? ">= " + to_decimal(bound->key_dimension) : "-", 18);
    }
    text += point.certificate
                ? padded(std::to_string(point.key_dimension()), 8) + point.certificate->path + "\n"
                : padded("-", 8) + "none\n";
  }
  return text;
}

std::string bounds_json(const BoundsCurve& curve, std::span<const Surveyed> list) {
  nlohmann::ordered_json json{{"kind", "bounds"},
                              {"family", curve.family},
                              {"d_model", json_number(curve.d_model)},
                              {"weight_max", json_number(curve.weight_max)},
                              {"output", curve.output},
                              {"cells", nlohmann::ordered_json::array()}};
  for (const BoundsPoint& point : curve.points) {
    nlohmann::ordered_json cell{{"family", point.family.to_string()},
                                {"vertices", point.family.vertices()},
                                {"lower_bounds", nlohmann::ordered_json::array()}};
    for (const ClassBound& bound : point.bounds)
      cell["lower_bounds"].push_back(
          {{"name", bound.name}, {"lower_bound", json_number(bound.key_dimension)}});
    add_certified(cell, point.certificate);
    json["cells"].push_back(std::move(cell));
  }
  json["refused"] = refused_json(list);
  return json_line(json);
}

}  // namespace qkcert
