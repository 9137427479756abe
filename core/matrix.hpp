#pragma once
/// Dense matrices of exact integers, row-major. They hold embeddings, weights and projections.

#include <cstdint>
#include <qkcert/core/integer.hpp>
#include <span>
#include <variant>
#include <vector>

namespace qkcert {

/// Entries are stored as 64-bit integers as long as all satisfy |entry| <= 2^63 - 1 (the matrix is
/// then *narrow*), else all as Integer. Which of the two never changes a value, only the speed.
///
/// Errors: every access checks its indices, in every build type, and throws ShapeError.
class Matrix {
 public:
  Matrix() = default;
  /// All zero. Errors: SizeError when rows·cols does not fit in memory's address range.
  Matrix(std::size_t rows, std::size_t cols);

  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }

  Integer at(std::size_t row, std::size_t col) const;
  void set(std::size_t row, std::size_t col, std::int64_t value);
  /// Widens the matrix when the value needs it.
  void set(std::size_t row, std::size_t col, const Integer& value);

  bool narrow() const { return std::holds_alternative<Narrow>(entries_); }
  /// Row `row` as machine integers. Require: narrow().
  std::span<const std::int64_t> narrow_row(std::size_t row) const;
  /// Row `row` as Integers. Require: !narrow().
  std::span<const Integer> wide_row(std::size_t row) const;
  /// The same values, stored as Integers.
  Matrix widened() const;

  /// The largest |entry|; 0 when there is none.
  Integer max_abs() const;

  /// Equal shapes and equal values.
  friend bool operator==(const Matrix& a, const Matrix& b);

 private:
  using Narrow = std::vector<std::int64_t>;
  using Wide = std::vector<Integer>;

  std::size_t index(std::size_t row, std::size_t col) const;

  std::size_t rows_ = 0;
  std::size_t cols_ = 0;
  std::variant<Narrow, Wide> entries_;
};

/// The matrix with ones on the diagonal.
Matrix identity(std::size_t size);

}  // namespace qkcert
