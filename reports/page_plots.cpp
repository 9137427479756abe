#include <qkcert/core/decimal.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/reports/html.hpp>
#include <qkcert/reports/page_plots.hpp>
#include <qkcert/reports/ratio_map.hpp>

namespace qkcert {

namespace {

/// A class at every m: permutations whenever the graph is one, else the narrowest class.
struct PlotClass {
  std::string name;
  std::optional<std::uint64_t> degree = {};
  auto operator<=>(const PlotClass&) const = default;

  Family at(std::uint64_t vertices) const {
    if (name == "matching") return Family(name, {vertices, vertices / 2});
    if (degree) return Family(name, {vertices, *degree});
    return Family(name, {vertices});
  }
};

/// Nothing for a class that is no class at every m.
std::optional<PlotClass> plot_class(const Graph& graph) {
  if (family_of("permutation", graph)) return PlotClass{"permutation"};
  const Family family = narrowest_family(graph);
  PlotClass result{std::string(family.name())};
  if (family.kind() == FamilyKind::out_regular) result.degree = family.arguments()[1];
  const bool everywhere =
      family.kind() == FamilyKind::functional || family.kind() == FamilyKind::out_regular ||
      (family.kind() == FamilyKind::matching && family == result.at(family.vertices()));
  return everywhere ? std::optional(result) : std::nullopt;
}

}  // namespace

std::string figure(const std::string& svg, std::size_t number, const std::string& label) {
  return "<figure class=\"plot\">" + inline_svg(svg, "p" + std::to_string(number) + "-", label) +
         "</figure>\n";
}

std::string plots_section(const PageInput& input, std::size_t& plots) {
  std::set<std::pair<PlotClass, Integer>> ratios;
  std::set<std::tuple<PlotClass, Integer, Integer>> curves;
  for (const Surveyed& each : input.certificates) {
    const auto view = each.holds ? channel_of(*each.claim) : std::nullopt;
    if (!view || view->graph.vertices() == 0) continue;
    const auto found = plot_class(view->graph);
    if (!found) continue;
    const Integer weights = weight_class(view->channel.weight_max());
    ratios.insert({*found, weights});
    curves.insert({*found, view->embedding.cols(), weights});
  }
  std::string figures;
  std::size_t left_out = 0;
  const auto add = [&](const auto& plot, const std::string& label) {
    if (plots >= input.limits.plots) {
      ++left_out;
      return;
    }
    if (input.on_step) input.on_step("plot of " + label);
    figures += figure(draw(plot, PlotFormat::svg), ++plots, label);
  };
  for (const auto& [kind, weights] : ratios) {
    const RatioMap map = ratio_map(
        input.certificates, [&, &each = kind](std::uint64_t m) { return each.at(m); }, weights);
    if (map.cells.size() > 1)
      add(ratio_heat_map(map), "ratios of certified D_K to the lower bound over m and d_model, " +
                                   kind.name + " graphs, A = " + to_decimal(weights));
  }
  for (const auto& [kind, d_model, weights] : curves) {
    const FamilyOf family = [&each = kind](std::uint64_t m) { return each.at(m); };
    const auto vertices = vertices_of(input.certificates, family, d_model, weights);
    if (vertices.size() > 1)
      add(bounds_plot(bounds_curve(input.certificates, family, d_model, weights, vertices)),
          "bounds and certified D_K against m, " + kind.name + " graphs, d_model " +
              to_decimal(d_model) + ", A = " + to_decimal(weights));
  }
  if (figures.empty() && left_out == 0) return {};
  return "<section id=\"plots\"><h2>Plots</h2>\n<p class=\"note\">A channel of smaller weights "
         "counts for "
         "every larger A as well. In the maps a cell has the ratio, rounded up, and D_K / bound." +
         (left_out == 0 ? "" : " Not shown: " + std::to_string(left_out) + " more plots.") +
         "</p>\n<div class=\"plots\">\n" + figures + "</div></section>\n";
}

}  // namespace qkcert
