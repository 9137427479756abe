#include <algorithm>
#include <qkcert/core/decimal.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/io/process.hpp>
#include <qkcert/reports/gnuplot.hpp>

namespace qkcert {

PlotFormat plot_format(const std::string& path) {
  if (path.ends_with(".svg")) return PlotFormat::svg;
  if (path.ends_with(".pdf")) return PlotFormat::pdf;
  throw UsageError("a plot is a file whose name ends in .svg or .pdf, found '" + path + "'");
}

namespace gnuplot {

namespace {

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

std::string number(const Rational& value) { return to_decimal(value, 6, Rounding::down); }

std::string quoted(const std::string& text) {
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  require(std::none_of(text.begin(), text.end(), control), "plot: a text of one line is required");
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("''") : std::string(1, c);
  return result + "'";
}

std::string preamble(const std::string& title, PlotFormat format) {
  return "set encoding utf8\n" + terminal(format) + "set title " + quoted(title) + "\n";
}

std::string run(const std::string& script, PlotFormat format) {
  // -d: no start-up files, whose settings would change the picture.
  std::string bytes;
  try {
    bytes = run_filter("gnuplot", {"-d"}, script);
  } catch (const FileError& error) {
    throw FileError(std::string(error.what()) + " (plots need gnuplot; Debian: gnuplot-nox)");
  }
  if (format == PlotFormat::pdf) fix_date(bytes);
  return bytes;
}

}  // namespace gnuplot

}  // namespace qkcert
