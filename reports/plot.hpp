#pragma once
/// Plots as SVG or PDF, drawn by gnuplot (Debian: gnuplot-nox), which is needed for plotting only.
///
/// Made for print and for greyscale: black and dark greys, series told apart by the shape of their
/// points and the dashes of their lines.

#include <optional>
#include <qkcert/reports/gnuplot.hpp>
#include <string>
#include <vector>

namespace qkcert {

/// A point, with the ends of its error bar if it has one.
struct PlotPoint {
  Rational x, y;
  std::optional<Rational> low = {}, high = {};
};

/// Points in the order given.
struct PlotSeries {
  std::string name;  ///< in the key
  std::vector<PlotPoint> points;
  bool joined = true;  ///< by a line
};

/// A rectangle, of which the axes show the part within their ranges.
struct PlotBox {
  Rational left, right, bottom, top;
};

/// Rectangles of one kind, filled with black or with a light grey.
struct PlotBoxes {
  std::string name;  ///< in the key
  std::vector<PlotBox> boxes;
  bool dark = false;
};

/// A vertical line from bottom to top.
struct PlotMark {
  std::string name;  ///< in the key
  Rational x;
};

/// An axis: its name with the unit, its range, and the distance of its tics if that matters.
struct PlotAxis {
  std::string name;
  Rational low, high;
  std::optional<Rational> step = {};
  bool logarithmic = false;
  std::vector<Integer> tics = {};  ///< where they are, if that matters
};

struct Plot {
  std::string title;
  PlotAxis x, y;
  std::vector<PlotSeries> series = {};
  std::vector<PlotMark> marks = {};
  std::vector<PlotBoxes> boxes = {};
};

/// The gnuplot script that draws `plot` to standard output. Numbers have six digits behind the
/// point.
///
/// Require  names and title of one line without control characters, low < high and step > 0 on both
///          axes, low > 0 on a logarithmic one, both ends of an error bar or none, left < right and
///          bottom < top in every box, at least one series, mark or kind of boxes.
/// Ensure   text appears as given: quotes, `_`, `^` and `{` are no markup.
/// Errors   ShapeError.
std::string plot_script(const Plot& plot, PlotFormat format);

/// The bytes of the picture: the same for the same plot and the same gnuplot (a PDF's date is
/// fixed).
/// Errors: ShapeError; FileError when gnuplot cannot be run or fails.
std::string draw(const Plot& plot, PlotFormat format);

}  // namespace qkcert
