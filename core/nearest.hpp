#pragma once
/// Which known word a misspelt one was meant to be.

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace qkcert {

/// The least number of bytes inserted, removed, replaced or swapped with their neighbour that turns
/// `a` into `b` (optimal string alignment). Cost: |a|·|b|.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The first of the `known` words at least distance from `word`, if that distance is at most a
/// third of the longer word's length. Words of more than 64 bytes have none.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> known);

}  // namespace qkcert
