#pragma once
/// Key-query channels: heads of individual widths.

#include <cstddef>
#include <qkcert/core/integer.hpp>
#include <qkcert/core/matrix.hpp>
#include <vector>

namespace qkcert {

/// One head: the score of (u, v) is S_uv = ⟨x_u W_Q, x_v W_K⟩.
///
/// Shapes  query = W_Q, key = W_K: d_model × width.
struct Head {
  Matrix query;
  Matrix key;

  std::size_t width() const { return query.cols(); }
  friend bool operator==(const Head&, const Head&) = default;
};

struct Channel {
  std::vector<Head> heads;

  /// D_K, the sum of the heads' widths. Errors: SizeError from 2^64 on.
  std::size_t key_dimension() const;
  /// A, the largest |weight| of all heads.
  Integer weight_max() const;
  friend bool operator==(const Channel&, const Channel&) = default;
};

/// Require  at least one head, every width >= 1, and W_Q, W_K of d_model rows and equal widths.
/// Errors   ShapeError.
void require_valid(const Channel& channel, std::size_t d_model);

}  // namespace qkcert
