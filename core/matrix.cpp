#include <algorithm>
#include <limits>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/matrix.hpp>

namespace qkcert {

Matrix::Matrix(std::size_t rows, std::size_t cols) : rows_(rows), cols_(cols) {
  if (cols > 0 && rows > std::numeric_limits<std::ptrdiff_t>::max() / sizeof(Integer) / cols)
    throw SizeError("Matrix: the shape is too large");
  entries_ = Narrow(rows * cols, 0);
}

std::size_t Matrix::index(std::size_t row, std::size_t col) const {
  require(row < rows_ && col < cols_, "Matrix: index out of range");
  return row * cols_ + col;
}

Integer Matrix::at(std::size_t row, std::size_t col) const {
  const std::size_t i = index(row, col);
  if (narrow()) return std::get<Narrow>(entries_)[i];
  return std::get<Wide>(entries_)[i];
}

void Matrix::set(std::size_t row, std::size_t col, std::int64_t value) {
  if (narrow() && value != std::numeric_limits<std::int64_t>::min())
    std::get<Narrow>(entries_)[index(row, col)] = value;
  else
    set(row, col, Integer(value));
}

void Matrix::set(std::size_t row, std::size_t col, const Integer& value) {
  const std::size_t i = index(row, col);
  if (narrow()) {
    if (const auto small = to_int64(value)) return set(row, col, *small);
    *this = widened();
  }
  std::get<Wide>(entries_)[i] = value;
}

std::span<const std::int64_t> Matrix::narrow_row(std::size_t row) const {
  require(narrow() && row < rows_, "Matrix::narrow_row: a row of a narrow matrix is required");
  return {std::get<Narrow>(entries_).data() + row * cols_, cols_};
}

std::span<const Integer> Matrix::wide_row(std::size_t row) const {
  require(!narrow() && row < rows_, "Matrix::wide_row: a row of a wide matrix is required");
  return {std::get<Wide>(entries_).data() + row * cols_, cols_};
}

Matrix Matrix::widened() const {
  Matrix result = *this;
  if (narrow()) {
    const auto& entries = std::get<Narrow>(entries_);
    result.entries_ = Wide(entries.begin(), entries.end());
  }
  return result;
}

Integer Matrix::max_abs() const {
  if (narrow()) {
    std::int64_t largest = 0;
    for (const std::int64_t x : std::get<Narrow>(entries_))
      largest = std::max(largest, std::abs(x));
    return largest;
  }
  Integer largest = 0;
  for (const Integer& x : std::get<Wide>(entries_)) largest = std::max(largest, Integer(abs(x)));
  return largest;
}

bool operator==(const Matrix& a, const Matrix& b) {
  if (a.rows_ != b.rows_ || a.cols_ != b.cols_) return false;
  if (a.narrow() == b.narrow()) return a.entries_ == b.entries_;
  for (std::size_t i = 0; i < a.rows_; ++i)
    for (std::size_t j = 0; j < a.cols_; ++j)
      if (a.at(i, j) != b.at(i, j)) return false;
  return true;
}

Matrix identity(std::size_t size) {
  Matrix result(size, size);
  for (std::size_t i = 0; i < size; ++i) result.set(i, i, std::int64_t{1});
  return result;
}

}  // namespace qkcert
