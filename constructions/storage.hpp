#pragma once
/// Weights that could not be held in memory are refused before any is computed.

#include <cstddef>
#include <qkcert/core/integer.hpp>
#include <string_view>

namespace qkcert {

/// No proposal's weights take more bits than this together: 2^34 bits are 2 GiB.
inline constexpr std::size_t max_weight_bits = std::size_t{1} << 34;

/// Require  weights >= 0 numbers of at most `bits` bits each are about to be computed by `method`.
/// Errors   SizeError, naming the method and both numbers, when one would exceed max_bits or all
///          together max_weight_bits (numbers below 64 bits count as 64: a machine word each).
void require_storable(std::string_view method, const Integer& weights, const Integer& bits);

}  // namespace qkcert
