#pragma once
/// The products ⟨x_v, z⟩ of every row with one vector, exactly.

#include <qkcert/core/matrix.hpp>
#include <vector>

namespace qkcert {

/// Shapes   rows: m × d; z: d.
/// Require  `rows` outlives this.
class RowProducts {
 public:
  explicit RowProducts(const Matrix& rows) : rows_(rows), largest_(rows.max_abs()) {}

  /// ⟨x_0, z⟩, …, ⟨x_{m-1}, z⟩.
  ///
  /// Cost    m·d multiply-adds: 128-bit when rows and z are narrow and d·max|x|·max|z| < 2^127, a
  ///         bound on every partial sum; else GMP.
  /// Errors  ShapeError.
  std::vector<Integer> with(const std::vector<Integer>& z) const;

 private:
  const Matrix& rows_;
  Integer largest_;
};

}  // namespace qkcert
