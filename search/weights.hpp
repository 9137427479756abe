#pragma once
/// Trained weights as channels: which entries of which arrays are the heads.

#include <optional>
#include <qkcert/core/channel.hpp>
#include <qkcert/io/arrays.hpp>
#include <string>

namespace qkcert {

/// Where the query and key weights stand in a file of arrays (docs/weights.md).
///
/// Either `query` and `key`, or `fused` with queries, keys and values (as much of each) along the
/// output axis. An array has an input axis of d_model entries and an output axis of heads·d_k
/// entries, the heads one behind the other; or, with `head_axis`, three axes, that one being the
/// heads'. Without `transposed` the input axis comes before the output axis, with it behind.
struct WeightLayout {
  std::optional<std::string> query, key, fused;
  std::size_t heads = 1;  ///< not with head_axis
  std::optional<std::size_t> head_axis;
  bool transposed = false;
};

/// A channel that is its integers times 2^scale, W_Q and W_K alike.
struct ScaledChannel {
  Channel channel;
  std::int64_t scale = 0;
};

/// The heads in that layout, exactly: all weights are brought to integers by one common power of two.
///
/// Ensure   some weight is odd, unless all are 0.
/// Errors   UsageError when the layout is incomplete or contradictory, a name is not in the file, or
///          a shape does not fit d_model and the heads; FormatError; SizeError.
ScaledChannel read_weights(NamedArrays& arrays, const WeightLayout& layout, std::size_t d_model);

}  // namespace qkcert
