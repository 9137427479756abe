#pragma once
/// All that the page says of one certificate.

#include <qkcert/reports/page.hpp>

namespace qkcert {

/// Verdict, graph with its words, heads, threshold, pairs of least margin and the histogram of scores.
/// `plots` counts the plots.
std::string certificate_article(const PageInput& input, std::size_t index, std::size_t& plots);

}  // namespace qkcert
