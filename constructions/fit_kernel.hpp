#pragma once
/// Products of float matrices for `fit`, by Google Highway, for the instruction set at hand.
///
/// Every entry is the sum over the inner index in ascending order, each product and each sum rounded
/// once (no fused multiply-add), so that its bits are the same for every instruction set.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace qkcert::fit {

/// A block of a row-major matrix; `stride` floats from row to row.
struct Block {
  const float* data;
  std::size_t rows, cols, stride;
};

/// Columns of a matrix side by side in panels of 64, padded with zeros: the right factor.
class Panels {
 public:
  static constexpr std::size_t width = 64;

  /// The columns of b.
  void pack(Block b);
  /// The rows of b, as the columns of its transpose.
  void pack_transposed(Block b);

  std::size_t inner() const { return inner_; }
  std::size_t cols() const { return cols_; }
  std::size_t count() const { return (cols_ + width - 1) / width; }
  /// inner × 64 floats.
  const float* panel(std::size_t index) const { return floats_.data() + index * inner_ * width; }

 private:
  void reshape(std::size_t inner, std::size_t cols);

  std::size_t inner_ = 0, cols_ = 0;
  std::vector<float> floats_;
};

/// Where a product exceeds a bar.
struct Hit {
  std::uint32_t row, col;
};

/// Appends the (row, col) at which a·b exceeds `bar`, row by row within groups of four rows and one
/// panel. Require: a.cols == b.inner().
void hits_above(Block a, const Panels& b, float bar, std::vector<Hit>& hits);

/// c (row-major, `stride` floats from row to row) += a·b. Require: a.cols == b.inner().
void add_product(Block a, const Panels& b, float* c, std::size_t stride);

}  // namespace qkcert::fit
