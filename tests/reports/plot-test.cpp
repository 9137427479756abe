#include <qkcert/core/errors.hpp>
#include <qkcert/reports/plot.hpp>

#include "support.hpp"

namespace qkcert {

namespace {

Plot example() {
  return {.title = "it's a_b^c {d} \"e\" `f` é",
          .x = {"D_K (dimensions)", 0, 4, 1},
          .y = {"rate", 0, 1},
          .series = {{"first", {{1, Rational(1, 3), 0, Rational(1, 2)}, {2, Rational(1, 2)}}},
                     {"second", {{3, Rational(-1, 3)}}}},
          .marks = {{"bound", 3}}};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("plot_script holds every number and every name") {
  const std::string script = plot_script(example(), PlotFormat::svg);
  CHECK(contains(script, "set title 'it''s a_b^c {d} \"e\" `f` é'\n"));
  CHECK(contains(script,
                 "set xlabel 'D_K (dimensions)'\nset xrange [0.000000:4.000000]\n"
                 "set xtics 1.000000\n"));
  CHECK(contains(script, "set ylabel 'rate'\nset yrange [0.000000:1.000000]\nset key"));
  CHECK(contains(script,
                 "$data0 << END\n1.000000 0.333333 0.000000 0.500000\n"
                 "2.000000 0.500000 0.500000 0.500000\nEND\n"));
  CHECK(contains(script, "$data1 << END\n3.000000 -0.333334 -0.333334 -0.333334\nEND\n"));
  CHECK(contains(script, "$data2 << END\n3.000000 0.000000\n3.000000 1.000000\nEND\n"));
  for (const char* name : {"title 'first'", "title 'second'", "title 'bound'"})
    CHECK(count(script, name) == 1);
}

TEST_CASE("plot_script tells series apart by more than grey") {
  Plot plot = example();
  plot.series.assign(24, plot.series[0]);
  plot.marks.clear();
  const std::string script = plot_script(plot, PlotFormat::svg);
  std::vector<std::string> styles;
  for (auto at = script.find(" pt "); at != script.npos; at = script.find(" pt ", at + 1))
    styles.push_back(script.substr(at, script.find(" lc", at) - at));
  REQUIRE(styles.size() == 24);
  std::sort(styles.begin(), styles.end());
  CHECK(std::adjacent_find(styles.begin(), styles.end()) == styles.end());
}

TEST_CASE("plot_script: logarithmic axes, tics, single points and boxes") {
  Plot plot = example();
  plot.x = {"m", 1, 64, {}, true, {16, 32}};
  plot.series[1].joined = false;
  plot.boxes = {{"light", {{0, 2, Rational(1, 2), 3}}},
                {"dark", {{2, 4, Rational(1, 2), 1}}, true}};
  const std::string script = plot_script(plot, PlotFormat::svg);
  CHECK(contains(script, "set xtics (16, 32)\nset logscale x\n"));
  CHECK(!contains(script, "logscale y"));
  CHECK(contains(script,
                 "$data0 << END\n1.000000 1.750000 0.000000 2.000000 0.500000 3.000000\nEND\n"));
  CHECK(contains(script,
                 "$data0 using 1:2:3:4:5:6 with boxxyerror fs solid border lc rgb '#000000' fc rgb "
                 "'#d0d0d0' title 'light'"));
  CHECK(contains(script, "fc rgb '#303030' title 'dark'"));
  CHECK(contains(script, "$data3 using 1:2 with points"));
  CHECK(draw(plot, PlotFormat::svg).ends_with("</svg>\n\n"));
}

TEST_CASE("plot_format goes by the file's name") {
  CHECK(plot_format("a.svg") == PlotFormat::svg);
  CHECK(plot_format("a.svg.pdf") == PlotFormat::pdf);
  for (const char* name : {"", "svg", "a.png", "a.SVG", "-"})
    CHECK_THROWS_AS(plot_format(name), UsageError);
}

TEST_CASE("draw: an SVG with its texts as they were given, the same each time") {
  const std::string svg = draw(example(), PlotFormat::svg);
  CHECK(svg.starts_with("<?xml"));
  CHECK(svg.ends_with("</svg>\n\n"));
  for (const char* text : {"it's a_b^c {d} \"e\" `f` é", "D_K (dimensions)", "rate"}) {
    INFO(svg);
    CHECK(contains(svg, text));
  }
  CHECK(draw(example(), PlotFormat::svg) == svg);
  Plot moved = example();
  moved.series[0].points[0].y = Rational(2, 3);
  CHECK(draw(moved, PlotFormat::svg) != svg);
}

TEST_CASE("draw: a PDF without the time") {
  const std::string pdf = draw(example(), PlotFormat::pdf);
  CHECK(pdf.starts_with("%PDF"));
  CHECK(contains(pdf, "/CreationDate (D:20000101000000"));
  CHECK(draw(example(), PlotFormat::pdf) == pdf);
}

TEST_CASE("a plot that makes no sense is refused") {
  const auto refused = [](auto change) {
    Plot plot = example();
    change(plot);
    CHECK_THROWS_AS(plot_script(plot, PlotFormat::svg), ShapeError);
  };
  refused([](Plot& plot) { plot.title = "two\nlines"; });
  refused([](Plot& plot) { plot.series[0].name = "a\tb"; });
  refused([](Plot& plot) { plot.x.high = plot.x.low; });
  refused([](Plot& plot) { plot.x.step = 0; });
  refused([](Plot& plot) { plot.x.logarithmic = true; });
  refused([](Plot& plot) { plot.boxes = {{"", {{1, 1, 0, 1}}}}; });
  refused([](Plot& plot) { plot.boxes = {{"", {{0, 1, 1, 1}}}}; });
  refused([](Plot& plot) { plot.series[0].points[0].high.reset(); });
  refused([](Plot& plot) {
    plot.series.clear();
    plot.marks.clear();
  });
}

TEST_CASE("draw says what is missing when gnuplot is not there") {
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/dev/null", 1);
  CHECK_THROWS_WITH(
      draw(example(), PlotFormat::svg),
      Catch::StartsWith("gnuplot: cannot be run: ") && Catch::Contains("Debian: gnuplot-nox"));
  setenv("PATH", path.c_str(), 1);
}

}  // namespace qkcert
