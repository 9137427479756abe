#include <algorithm>
#include <qkcert/core/decimal.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/reports/heat_map.hpp>

namespace qkcert {

namespace {

using gnuplot::number;
using gnuplot::quoted;

constexpr int lightest = 242, darkest = 140;

std::string axis(const char* name, const HeatAxis& axis) {
  require(!axis.categories.empty(), "heat map: an axis needs categories");
  std::string tics;
  for (std::size_t i = 0; i < axis.categories.size(); ++i)
    tics += (i > 0 ? ", " : "") + quoted(axis.categories[i]) + " " + std::to_string(i);
  return std::string("set ") + name + "label " + quoted(axis.name) + "\nset " + name +
         "range [-0.5:" + number(Rational(2 * axis.categories.size() - 1, 2)) + "]\nset " + name +
         "tics (" + tics + ") scale 0\n";
}

/// #rrggbb as gnuplot's integer.
Integer grey(const HeatCell& cell, const Rational& least, const Rational& greatest) {
  if (!cell.value) return 0xffffff;
  const Rational share = greatest > least ? (*cell.value - least) / (greatest - least) : 0;
  const Rational level = lightest - share * (lightest - darkest);
  return floor_quotient(numerator(level), denominator(level)) * 0x010101;
}

}  // namespace

std::string heat_map_script(const HeatMap& map, PlotFormat format) {
  Rational least = 0, greatest = 0;
  bool first = true;
  for (const HeatCell& cell : map.cells) {
    require(cell.column < map.x.categories.size() && cell.row < map.y.categories.size(),
            "heat map: a cell is outside");
    if (!cell.value) continue;
    least = first ? *cell.value : std::min(least, *cell.value);
    greatest = first ? *cell.value : std::max(greatest, *cell.value);
    first = false;
  }
  require(!map.cells.empty(), "heat map: a cell is required");
  std::string boxes, labels;
  for (const HeatCell& cell : map.cells) {
    const std::string x = std::to_string(cell.column), y = std::to_string(cell.row);
    boxes += x + " " + y + " 0.5 0.5 " + to_decimal(grey(cell, least, greatest)) + "\n";
    labels += "set label " + quoted(cell.upper) + " at " + x + "," + y +
              " center front offset 0,0.45\nset label " + quoted(cell.lower) + " at " + x + "," +
              y + " center front offset 0,-0.55\n";
  }
  return gnuplot::preamble(map.title, format) + axis("x", map.x) + axis("y", map.y) +
         "unset key\nset style fill solid border lc rgb '#606060'\n" + labels + "$cells << END\n" +
         boxes + "END\nplot $cells using 1:2:3:4:5 with boxxyerror lc rgb variable\n";
}

std::string draw(const HeatMap& map, PlotFormat format) {
  return gnuplot::run(heat_map_script(map, format), format);
}

}  // namespace qkcert
