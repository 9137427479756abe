#include <qkcert/reports/histogram.hpp>

#include "surveyed.hpp"

namespace qkcert::test {

TEST_CASE("histogram_plot: edges and other pairs apart, τ between them") {
  const Surveyed cycle = surveyed_cycle(5, 0, 7);
  const ChannelView view = channel_of(*cycle.claim).value();
  const Scores scores =
      scan_scores({view.graph, view.embedding, view.channel, view.threshold, 2, 8}, 1);
  const Plot plot = histogram_plot(view, scores);
  REQUIRE(plot.boxes.size() == 2);
  CHECK(plot.boxes[0].name == "20 other pairs");
  CHECK(plot.boxes[1].name == "5 edges");
  CHECK(plot.boxes[1].dark);
  REQUIRE(plot.marks.size() == 1);
  CHECK(plot.marks[0].x == 0);
  for (const PlotBox& box : plot.boxes[0].boxes) CHECK(box.right <= 0);
  for (const PlotBox& box : plot.boxes[1].boxes) {
    CHECK(box.left >= 0);
    CHECK(box.top == 5);
  }
  CHECK(plot.y.logarithmic);
  CHECK(draw(plot, PlotFormat::svg).find("threshold τ") != std::string::npos);
}

TEST_CASE("long scores are drawn in units of a power of two") {
  const Surveyed cycle = surveyed_cycle(3, 0, std::int64_t{1} << 50);
  const ChannelView view = channel_of(*cycle.claim).value();
  const Scores scores =
      scan_scores({view.graph, view.embedding, view.channel, view.threshold, 2, 8}, 1);
  const Plot plot = histogram_plot(view, scores);
  CHECK(plot.x.name.find("in units of 2^") != std::string::npos);
  CHECK(plot.x.high < 2048);
}

}  // namespace qkcert::test
