#pragma once
/// FLINT's integer matrices as values. Internal to the search for multipliers.

#include <flint/fmpz_mat.h>

#include <Eigen/Dense>
#include <cstddef>
#include <qkcert/core/matrix.hpp>
#include <utility>

namespace qkcert::refutation {

class IntMatrix {
 public:
  IntMatrix(slong rows, slong cols) { fmpz_mat_init(raw_, rows, cols); }
  IntMatrix(const IntMatrix& other) { fmpz_mat_init_set(raw_, other.raw_); }
  IntMatrix(IntMatrix&& other) noexcept {
    fmpz_mat_init(raw_, 0, 0);
    fmpz_mat_swap(raw_, other.raw_);
  }
  IntMatrix& operator=(IntMatrix other) noexcept {
    fmpz_mat_swap(raw_, other.raw_);
    return *this;
  }
  ~IntMatrix() { fmpz_mat_clear(raw_); }

  slong rows() const { return fmpz_mat_nrows(raw_); }
  slong cols() const { return fmpz_mat_ncols(raw_); }
  fmpz* at(slong i, slong j) { return fmpz_mat_entry(raw_, i, j); }
  const fmpz* at(slong i, slong j) const { return fmpz_mat_entry(raw_, i, j); }
  fmpz_mat_struct* raw() { return raw_; }
  const fmpz_mat_struct* raw() const { return raw_; }

  Integer value(slong i, slong j) const {
    Integer result;
    fmpz_get_mpz(result.backend().data(), at(i, j));
    return result;
  }
  IntMatrix transposed() const {
    IntMatrix result(cols(), rows());
    fmpz_mat_transpose(result.raw_, raw_);
    return result;
  }
  IntMatrix block(slong row, slong col, slong rows, slong cols) const {
    IntMatrix result(rows, cols);
    for (slong i = 0; i < rows; ++i)
      for (slong j = 0; j < cols; ++j) fmpz_set(result.at(i, j), at(row + i, col + j));
    return result;
  }
  /// The nearest doubles.
  Eigen::MatrixXd doubles() const {
    Eigen::MatrixXd result(rows(), cols());
    for (slong i = 0; i < rows(); ++i)
      for (slong j = 0; j < cols(); ++j) result(i, j) = fmpz_get_d(at(i, j));
    return result;
  }
  friend IntMatrix operator*(const IntMatrix& a, const IntMatrix& b) {
    IntMatrix result(a.rows(), b.cols());
    fmpz_mat_mul(result.raw_, a.raw_, b.raw_);
    return result;
  }
  IntMatrix& operator-=(const IntMatrix& other) {
    fmpz_mat_sub(raw_, raw_, other.raw_);
    return *this;
  }

 private:
  fmpz_mat_t raw_;
};

/// The integers nearest to `values`. Require: all finite.
inline IntMatrix rounded(const Eigen::MatrixXd& values) {
  IntMatrix result(values.rows(), values.cols());
  for (slong i = 0; i < result.rows(); ++i)
    for (slong j = 0; j < result.cols(); ++j) fmpz_set_d(result.at(i, j), std::round(values(i, j)));
  return result;
}

inline IntMatrix int_matrix(const Matrix& values) {
  IntMatrix result(static_cast<slong>(values.rows()), static_cast<slong>(values.cols()));
  for (std::size_t i = 0; i < values.rows(); ++i)
    for (std::size_t j = 0; j < values.cols(); ++j)
      fmpz_set_mpz(result.at(static_cast<slong>(i), static_cast<slong>(j)),
                   values.at(i, j).backend().data());
  return result;
}

inline Matrix core_matrix(const IntMatrix& values) {
  Matrix result(static_cast<std::size_t>(values.rows()), static_cast<std::size_t>(values.cols()));
  for (slong i = 0; i < values.rows(); ++i)
    for (slong j = 0; j < values.cols(); ++j)
      result.set(static_cast<std::size_t>(i), static_cast<std::size_t>(j), values.value(i, j));
  return result;
}

}  // namespace qkcert::refutation
