#include <iterator>
#include <qkcert/core/decimal.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/reports/plot.hpp>

namespace qkcert {

namespace {

using gnuplot::number;
using gnuplot::quoted;

// Gnuplot's numbers: circles, squares, triangles and diamonds, filled and open, so that neighbours
// differ in shape; three dashes and three greys, so that 24 series differ.
constexpr int point_types[] = {7, 4, 9, 6, 5, 8, 13, 12};
constexpr int dash_types[] = {1, 2, 4};
constexpr const char* greys[] = {"#000000", "#505050", "#303030"};

std::string axis(const char* name, const PlotAxis& axis) {
  require(axis.low < axis.high, "plot: an axis must have low < high");
  require(!axis.step || *axis.step > 0, "plot: an axis must have step > 0");
  require(!axis.logarithmic || axis.low > 0, "plot: a logarithmic axis must have low > 0");
  std::string tics;
  for (const Integer& tic : axis.tics) tics += (tics.empty() ? "" : ", ") + to_decimal(tic);
  return std::string("set ") + name + "label " + quoted(axis.name) + "\nset " + name + "range [" +
         number(axis.low) + ":" + number(axis.high) + "]\n" +
         (axis.step ? std::string("set ") + name + "tics " + number(*axis.step) + "\n" : "") +
         (tics.empty() ? "" : std::string("set ") + name + "tics (" + tics + ")\n") +
         (axis.logarithmic ? std::string("set logscale ") + name + "\n" : "");
}

std::string row(const PlotPoint& point) {
  require(point.low.has_value() == point.high.has_value(), "plot: an error bar has two ends");
  return number(point.x) + " " + number(point.y) + " " + number(point.low.value_or(point.y)) + " " +
         number(point.high.value_or(point.y)) + "\n";
}

std::string row(const PlotBox& box) {
  require(box.left < box.right && box.bottom < box.top, "plot: a box must not be empty");
  return number((box.left + box.right) / 2) + " " + number((box.bottom + box.top) / 2) + " " +
         number(box.left) + " " + number(box.right) + " " + number(box.bottom) + " " +
         number(box.top) + "\n";
}

}  // namespace

std::string plot_script(const Plot& plot, PlotFormat format) {
  std::string data, curves;
  std::size_t count = 0;
  const auto add = [&](const std::string& rows, const std::string& style, const std::string& name) {
    const std::string block = "$data" + std::to_string(count++);
    data += block + " << END\n" + rows + "END\n";
    curves += (curves.empty() ? "plot " : ", ") + block + " " + style + " title " + quoted(name);
  };
  for (const PlotBoxes& kind : plot.boxes) {
    std::string rows;
    for (const PlotBox& box : kind.boxes) rows += row(box);
    add(rows,
        std::string("using 1:2:3:4:5:6 with boxxyerror fs solid border lc rgb '#000000' fc rgb '") +
            (kind.dark ? "#303030'" : "#d0d0d0'"),
        kind.name);
  }
  for (const PlotSeries& series : plot.series) {
    std::string rows;
    for (const PlotPoint& point : series.points) rows += row(point);
    add(rows,
        std::string(series.joined ? "using 1:2:3:4 with yerrorlines lw 1.5 ps 0.8 pt "
                                  : "using 1:2 with points lw 1.5 ps 1.1 pt ") +
            std::to_string(point_types[count % std::size(point_types)]) + " dt " +
            std::to_string(dash_types[count % std::size(dash_types)]) + " lc rgb '" +
            greys[count % std::size(greys)] + "'",
        series.name);
  }
  for (std::size_t i = 0; i < plot.marks.size(); ++i) {
    const std::string x = number(plot.marks[i].x);
    add(x + " " + number(plot.y.low) + "\n" + x + " " + number(plot.y.high) + "\n",
        "using 1:2 with lines lw 2 dt " + std::to_string(3 + 2 * (i % 2)) + " lc rgb '#505050'",
        plot.marks[i].name);
  }
  require(!curves.empty(), "plot: something to draw is required");
  return gnuplot::preamble(plot.title, format) + axis("x", plot.x) + axis("y", plot.y) +
         "set key tmargin left vertical Left reverse\nset grid lc rgb '#d0d0d0' dt 1\nset "
         "errorbars 1.5\n" +
         data + curves + "\n";
}

std::string draw(const Plot& plot, PlotFormat format) {
  return gnuplot::run(plot_script(plot, format), format);
}

}  // namespace qkcert
