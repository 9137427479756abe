#pragma once
/// The ways to split a total key dimension into heads that a search tries.

#include <cstddef>
#include <optional>
#include <qkcert/constructions/method.hpp>
#include <vector>

namespace qkcert {

/// How many splits of one D_K a search looks at.
enum class Splits { few, many };

/// Numbers of heads for this D_K, without repetition, the most promising first: those whose heads
/// are about as wide as √d_model, half as wide again or half as wide; with `many` also much
/// narrower and much wider ones, and one head. When one has verified before, `favourite` is its
/// width, and those closest to it (by ratio) come first.
///
/// Require  key_dimension >= 1.
/// Ensure   not empty, every number from 1 to key_dimension.
std::vector<std::size_t> head_counts(std::size_t key_dimension, std::size_t d_model, Splits splits,
                                     std::optional<double> favourite = {});

/// The request for `heads` heads of at most this D_K together, by what the method lets one choose;
/// nothing when it can choose neither. `base` has what the user fixed.
std::optional<Request> with_split(const Method& method, const Request& base,
                                  std::size_t key_dimension, std::size_t heads);

/// The request that gives an architecture again: heads, head_dim and key_dimension of `base` become
/// those of it, as the method takes them.
Request with_architecture(const Method& method, const Request& base,
                          const Architecture& architecture);

}  // namespace qkcert
