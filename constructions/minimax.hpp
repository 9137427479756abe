#pragma once
/// Linear maps that give some rows of an embedding prescribed images and all others short ones, in
/// floats: a proposal to be rounded and checked, never a verdict.

#include <Eigen/Cholesky>
#include <qkcert/core/matrix.hpp>
#include <span>

namespace qkcert {

/// The embedding in doubles, |entries| <= 1: entry / largest to 60 bits.
Eigen::MatrixXd to_doubles(const Matrix& rows);

/// Shapes  rows: m × d.
class Minimax {
 public:
  explicit Minimax(const Matrix& rows);

  struct Map {
    Eigen::MatrixXd weights;  ///< W, d × w
    double longest;           ///< the longest ‖x_v W‖ over v outside the tuple
  };

  /// A W with x_t W = images' row for each t of the tuple and the other ‖x_v W‖ as short as can be:
  /// Lawson's iteration, least squares under weights that grow with the lengths.
  ///
  ///   min over W of max ‖x_v W‖ = max over weights u >= 0, Σu = 1, of min over W of (Σ u_v‖x_v W‖²)^½
  ///
  /// so each step bounds the best from below, too.
  ///
  /// Shapes   images: |tuple| × w.
  /// Require  distinct vertices in the tuple; bound > 0.
  /// Ensure   it ends as soon as longest < 0.9·bound, or as the lower bound reaches `bound`, or after
  ///          200 steps, with the shortest map seen; deterministic.
  /// Cost     O(m·d·w) for the first step, which most tuples need alone; O(m·d²) for each other.
  Map shortest(std::span<const std::size_t> tuple, const Eigen::MatrixXd& images,
               double bound) const;

 private:
  Eigen::MatrixXd x_;
  double ridge_;
  Eigen::MatrixXd inverse_times_;  ///< (XᵀX + ridge)⁻¹Xᵀ
};

}  // namespace qkcert
