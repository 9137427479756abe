#pragma once
/// Plots as SVG or PDF, drawn by gnuplot (Debian: gnuplot-nox), which is needed for plotting only.
///
/// Made for print and for greyscale: black and dark greys, series told apart by the shape of their
/// points and the dashes of their lines.

#include <optional>
#include <qkcert/core/integer.hpp>
#include <string>
#include <vector>

namespace qkcert {

/// A point, with the ends of its error bar if it has one.
struct PlotPoint {
  Rational x, y;
  std::optional<Rational> low = {}, high = {};
};

/// Points joined by a line in the order given.
struct PlotSeries {
  std::string name;  ///< in the key
  std::vector<PlotPoint> points;
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
};

struct Plot {
  std::string title;
  PlotAxis x, y;
  std::vector<PlotSeries> series = {};
  std::vector<PlotMark> marks = {};
};

enum class PlotFormat { svg, pdf };

/// The gnuplot script that draws `plot` to standard output. Numbers have six digits behind the
/// point.
///
/// Require  names and title of one line without control characters, low < high and step > 0 on both
///          axes, both ends of an error bar or none, at least one series or mark.
/// Ensure   text appears as given: quotes, `_`, `^` and `{` are no markup.
/// Errors   ShapeError.
std::string plot_script(const Plot& plot, PlotFormat format);

/// The bytes of the picture: the same for the same plot and the same gnuplot (a PDF's date is
/// fixed).
/// Errors: ShapeError; FileError when gnuplot cannot be run or fails.
std::string draw(const Plot& plot, PlotFormat format);

}  // namespace qkcert
