#pragma once
/// The scores of one channel with τ.

#include <qkcert/reports/plot.hpp>
#include <qkcert/reports/scores.hpp>
#include <qkcert/reports/survey.hpp>

namespace qkcert {

/// Boxes over exact bins, edges dark and all other pairs light, on a logarithmic axis of counts, and τ
/// as a vertical line. Large scores are shown in units of a power of two.
Plot histogram_plot(const ChannelView& channel, const Scores& scores);

/// A table, and one JSON object on one line with the keys kind ("histogram"), certificate, sha256,
/// output, threshold, bin_width, bins: an array of objects with above (the score that the bin's scores
/// exceed), edges, nonedges.
std::string histogram_text(const Surveyed& certificate, const Scores& scores);
std::string histogram_json(const Surveyed& certificate, const Scores& scores,
                           const std::string& output);

}  // namespace qkcert
