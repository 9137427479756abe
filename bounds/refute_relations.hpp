#pragma once
/// The lattice of all integer m × m matrices Y with XᵀYX = 0 and ΣY = 0, and short steps in it.

#include <optional>

#include <qkcert/bounds/refute_int_matrix.hpp>

namespace qkcert::refutation {

/// One LLL reduction of [X | 1 | I] gives a unimodular U with rows
///   K'ᵀ (K'ᵀX = 0, K'ᵀ1 = 0),  zᵀ (zᵀX = 0, zᵀ1 = g, absent when 1 is in X's column space),
///   Pᵀ (PᵀX = R, nonsingular);
/// with X₀ = XR⁻¹ (integral) XᵀYX = 0 iff X₀ᵀYX₀ = 0, and PᵀX₀ = I. For Δ = X₀ᵀYX₀ and T = PΔ mod
/// K, F = TPᵀ mod K (K = [K' z], Babai's nearest plane on each column, then on each row) is a small
/// matrix with X₀ᵀFX₀ = Δ. So every Y is about one short kernel vector away from the lattice.
class Relations {
 public:
  /// Require  x: m × r of rank r < m.
  /// Ensure   absent when the reduction did not split as above (it then was not strong enough).
  static std::optional<Relations> of(const IntMatrix& x);

  /// A member of the lattice near `target`. Ensure: exact.
  IntMatrix near(const Eigen::MatrixXd& target) const;

 private:
  Relations(IntMatrix kernel, bool last_sums, IntMatrix inverse, IntMatrix primitive);
  /// `columns` modulo the first `rank` kernel vectors.
  void reduce(IntMatrix& columns, slong rank) const;
  void balance(IntMatrix& y) const;

  IntMatrix kernel_;     // K: m × (m-r)
  bool last_sums_;       // whether K's last column is z
  IntMatrix inverse_;    // P: m × r
  IntMatrix primitive_;  // X₀: m × r
  Eigen::MatrixXd q_, r_;
};

}  // namespace qkcert::refutation
