#include <algorithm>
#include <iterator>
#include <qkcert/core/decimal.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/io/process.hpp>
#include <qkcert/reports/plot.hpp>

namespace qkcert {

namespace {

// Gnuplot's numbers: circles, squares, triangles and diamonds, filled and open, so that neighbours
// differ in shape; three dashes and three greys, so that 24 series differ.
constexpr int point_types[] = {7, 4, 9, 6, 5, 8, 13, 12};
constexpr int dash_types[] = {1, 2, 4};
constexpr const char* greys[] = {"#000000", "#505050", "#303030"};

std::string number(const Rational& value) { return to_decimal(value, 6, Rounding::down); }

/// 'text', where two single quotes stand for one.
std::string quoted_text(const std::string& text) {
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  require(std::none_of(text.begin(), text.end(), control), "plot: a text of one line is required");
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("''") : std::string(1, c);
  return result + "'";
}

std::string axis(const char* name, const PlotAxis& axis) {
  require(axis.low < axis.high, "plot: an axis must have low < high");
  require(!axis.step || *axis.step > 0, "plot: an axis must have step > 0");
  return std::string("set ") + name + "label " + quoted_text(axis.name) + "\nset " + name +
         "range [" + number(axis.low) + ":" + number(axis.high) + "]\n" +
         (axis.step ? std::string("set ") + name + "tics " + number(*axis.step) + "\n" : "");
}

std::string row(const PlotPoint& point) {
  require(point.low.has_value() == point.high.has_value(), "plot: an error bar has two ends");
  return number(point.x) + " " + number(point.y) + " " + number(point.low.value_or(point.y)) + " " +
         number(point.high.value_or(point.y)) + "\n";
}

std::string terminal(PlotFormat format) {
  if (format == PlotFormat::pdf)
    return "set terminal pdfcairo noenhanced size 16cm,10.5cm font 'DejaVu Sans,10'\n";
  return "set terminal svg noenhanced size 640,420 font 'DejaVu Sans,13' name 'plot' "
         "background '#ffffff'\n";
}

/// cairo writes the time into each PDF; a fixed date of the same length takes its place.
void fix_date(std::string& pdf) {
  const std::string key = "/CreationDate (D:", fixed = "20000101000000";
  const auto at = pdf.find(key);
  if (at != pdf.npos && pdf.size() - at > key.size() + fixed.size())
    pdf.replace(at + key.size(), fixed.size(), fixed);
}

}  // namespace

std::string plot_script(const Plot& plot, PlotFormat format) {
  std::string data, curves;
  std::size_t count = 0;
  const auto add = [&](const std::string& rows, const std::string& style, const std::string& name) {
    const std::string block = "$data" + std::to_string(count++);
    data += block + " << END\n" + rows + "END\n";
    curves +=
        (curves.empty() ? "plot " : ", ") + block + " " + style + " title " + quoted_text(name);
  };
  for (const PlotSeries& series : plot.series) {
    std::string rows;
    for (const PlotPoint& point : series.points) rows += row(point);
    add(rows,
        "using 1:2:3:4 with yerrorlines lw 1.5 ps 0.8 pt " +
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
  return "set encoding utf8\n" + terminal(format) + "set title " + quoted_text(plot.title) + "\n" +
         axis("x", plot.x) + axis("y", plot.y) +
         "set key tmargin left vertical Left reverse\nset grid lc rgb '#d0d0d0' dt 1\nset "
         "errorbars 1.5\n" +
         data + curves + "\n";
}

std::string draw(const Plot& plot, PlotFormat format) {
  // -d: no start-up files, whose settings would change the picture.
  std::string bytes;
  try {
    bytes = run_filter("gnuplot", {"-d"}, plot_script(plot, format));
  } catch (const FileError& error) {
    throw FileError(std::string(error.what()) + " (plots need gnuplot; Debian: gnuplot-nox)");
  }
  if (format == PlotFormat::pdf) fix_date(bytes);
  return bytes;
}

}  // namespace qkcert
