#include <algorithm>
#include <qkcert/core/decimal.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/reports/histogram.hpp>
#include <qkcert/reports/json_parts.hpp>

namespace qkcert {

namespace {

/// The power of two in whose units long scores have ten bits before the point.
std::size_t unit_exponent(const Scores& scores) {
  std::size_t bits = bit_length(scores.bin_width);
  for (const ScoreBin& bin : scores.bins) bits = std::max(bits, bit_length(bin.above));
  return bits > 30 ? bits - 10 : 0;
}

}  // namespace

Plot histogram_plot(const ChannelView& channel, const Scores& scores) {
  require(!scores.bins.empty(), "histogram: scores are required");
  const std::size_t exponent = unit_exponent(scores);
  const Integer unit = power_of_two(exponent);
  const auto scaled = [&](const Integer& score) { return Rational(score, unit); };
  PlotBoxes edges{"edges", {}, true}, nonedges{"all other pairs", {}, false};
  std::uint64_t most = 1, edge_count = 0, nonedge_count = 0;
  const Rational floor(1, 2);
  for (const ScoreBin& bin : scores.bins) {
    const Rational left = scaled(bin.above), right = scaled(bin.above + scores.bin_width);
    if (bin.nonedges > 0) nonedges.boxes.push_back({left, right, floor, Integer(bin.nonedges)});
    if (bin.edges > 0) edges.boxes.push_back({left, right, floor, Integer(bin.edges)});
    most = std::max({most, bin.edges, bin.nonedges});
    edge_count += bin.edges;
    nonedge_count += bin.nonedges;
  }
  edges.name = std::to_string(edge_count) + " edges";
  nonedges.name = std::to_string(nonedge_count) + " other pairs";
  const Rational low = scaled(scores.bins.front().above);
  const Rational high = scaled(scores.bins.back().above + scores.bin_width);
  const Rational space = (high - low) / 40;
  Plot plot{.title = "scores of all ordered pairs, in bins of width " +
                     (bit_length(scores.bin_width) <= 20
                          ? to_decimal(scores.bin_width)
                          : "2^" + std::to_string(bit_length(scores.bin_width) - 1)),
            .x = {exponent == 0 ? "score (greatest over the heads, exact integers)"
                                : "score (greatest over the heads, in units of 2^" +
                                      std::to_string(exponent) + ")",
                  low - space, high + space},
            .y = {"pairs in the bin (count)", floor, Integer(most) * 2, {}, true},
            .marks = {{"threshold τ", scaled(channel.threshold)}}};
  plot.boxes = {std::move(nonedges), std::move(edges)};
  std::erase_if(plot.boxes, [](const PlotBoxes& kind) { return kind.boxes.empty(); });
  plot.x.low = std::min(plot.x.low, Rational(plot.marks[0].x - space));
  plot.x.high = std::max(plot.x.high, Rational(plot.marks[0].x + space));
  return plot;
}

std::string histogram_text(const Surveyed& certificate, const Scores& scores) {
  std::string text = "certificate  " + certificate.path + "\nthreshold    τ = " +
                     to_decimal(channel_of(certificate.claim.value())->threshold) +
                     "\nbins         of width " + to_decimal(scores.bin_width) +
                     ": scores s with above < s <= above + width\n\n";
  text += "above, edges, other pairs\n";
  for (const ScoreBin& bin : scores.bins)
    text += to_decimal(bin.above) + ", " + std::to_string(bin.edges) + ", " +
            std::to_string(bin.nonedges) + "\n";
  return text;
}

std::string histogram_json(const Surveyed& certificate, const Scores& scores,
                           const std::string& output) {
  using Json = nlohmann::ordered_json;
  Json json{{"kind", "histogram"},
            {"certificate", certificate.path},
            {"sha256", certificate.sha256.value()},
            {"output", output},
            {"threshold", json_number(channel_of(certificate.claim.value())->threshold)},
            {"bin_width", json_number(scores.bin_width)},
            {"bins", Json::array()}};
  for (const ScoreBin& bin : scores.bins)
    json["bins"].push_back(
        {{"above", json_number(bin.above)}, {"edges", bin.edges}, {"nonedges", bin.nonedges}});
  return json_line(json);
}

}  // namespace qkcert
