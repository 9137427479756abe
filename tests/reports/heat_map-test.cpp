#include <qkcert/core/errors.hpp>
#include <qkcert/reports/heat_map.hpp>

#include "support.hpp"

namespace qkcert {

namespace {

HeatMap example() {
  return {.title = "it's",
          .x = {"m", {"16", "32"}},
          .y = {"d_model", {"8"}},
          .cells = {{0, 0, Rational(1), "1.00", "2 / 2"}, {1, 0, Rational(5, 2), "2.50", "5 / 2"}}};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

}  // namespace

TEST_CASE("heat_map_script: a box of its own grey and two lines of text for each cell") {
  HeatMap map = example();
  const std::string script = heat_map_script(map, PlotFormat::svg);
  CHECK(contains(script, "set xrange [-0.5:1.500000]\nset xtics ('16' 0, '32' 1) scale 0\n"));
  CHECK(contains(script, "set yrange [-0.5:0.500000]\n"));
  // #f2f2f2 = 15921906 for the least, #8c8c8c = 9211020 for the greatest.
  CHECK(contains(script, "$cells << END\n0 0 0.5 0.5 15921906\n1 0 0.5 0.5 9211020\nEND\n"));
  CHECK(contains(script, "set label '2.50' at 1,0"));
  CHECK(contains(script, "set label '5 / 2' at 1,0"));
  map.cells.push_back({0, 0, Rational(7, 4), "", ""});  // half way: 242 - 51 = 191 = 0xbf
  map.cells.push_back({0, 0, {}, "", ""});
  CHECK(contains(heat_map_script(map, PlotFormat::svg),
                 "0 0 0.5 0.5 12566463\n0 0 0.5 0.5 16777215\nEND\n"));
}

TEST_CASE("heat maps are drawn, one value or several, the same each time") {
  HeatMap map = example();
  const std::string svg = draw(map, PlotFormat::svg);
  CHECK(svg.ends_with("</svg>\n\n"));
  CHECK(contains(svg, "5 / 2"));
  CHECK(draw(map, PlotFormat::svg) == svg);
  map.cells.resize(1);
  CHECK(draw(map, PlotFormat::pdf).starts_with("%PDF"));
}

TEST_CASE("a heat map that makes no sense is refused") {
  HeatMap map = example();
  map.cells[0].column = 2;
  CHECK_THROWS_AS(heat_map_script(map, PlotFormat::svg), ShapeError);
  map = example();
  map.cells.clear();
  CHECK_THROWS_AS(heat_map_script(map, PlotFormat::svg), ShapeError);
  map = example();
  map.y.categories.clear();
  CHECK_THROWS_AS(heat_map_script(map, PlotFormat::svg), ShapeError);
  map = example();
  map.cells[0].upper = "a\nb";
  CHECK_THROWS_AS(heat_map_script(map, PlotFormat::svg), ShapeError);
}

}  // namespace qkcert
