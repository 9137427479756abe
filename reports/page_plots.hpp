#pragma once
/// The plots of the page that compare certificates.

#include <qkcert/reports/page.hpp>

namespace qkcert {

/// Bounds and certified D_K against m for each class, d_model and A = 2^b - 1 of which there are at
/// least two m, and ratios over (m, d_model) for each class and A of which there are two cells. Empty without
/// any. `plots` counts them.
std::string plots_section(const PageInput& input, std::size_t& plots);

/// A figure with the plot inside. `number` makes its ids unique.
std::string figure(const std::string& svg, std::size_t number, const std::string& label);

}  // namespace qkcert
