#pragma once
/// A heat map as SVG or PDF: a grid whose cells are the darker the larger their value, each with its
/// number in words, so that no legend of greys is needed.

#include <optional>
#include <qkcert/reports/gnuplot.hpp>
#include <string>
#include <vector>

namespace qkcert {

struct HeatCell {
  std::size_t column = 0, row = 0;
  std::optional<Rational> value = {};  ///< absent: the cell stays white
  std::string upper, lower;            ///< two lines of text in the cell
};

/// An axis of categories: its name with the unit, and theirs, in order.
struct HeatAxis {
  std::string name;
  std::vector<std::string> categories;
};

struct HeatMap {
  std::string title;
  HeatAxis x, y;
  std::vector<HeatCell> cells;
};

/// The gnuplot script. Greys go from #f2f2f2 at the least value to #8c8c8c at the greatest, on which
/// black text is read (contrast 6:1).
///
/// Require  texts of one line without control characters, a category on each axis, cells within them.
/// Errors   ShapeError.
std::string heat_map_script(const HeatMap& map, PlotFormat format);

/// The bytes of the picture. Errors: ShapeError; FileError as gnuplot::run.
std::string draw(const HeatMap& map, PlotFormat format);

}  // namespace qkcert
