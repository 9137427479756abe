#pragma once
/// The distance of two convex hulls of rank-one matrices in floating point: a primal-dual
/// interior-point method on all pairs at once. It only proposes; nothing here is trusted.

#include <Eigen/Dense>
#include <limits>

namespace qkcert::refutation {

/// minimise   Σ cost·y + Σ ρ_ij/2·W_ij²
/// subject to Σ sign·y_uv·x_uᵀx_v = ρ∘W,  Σ_{sign>0} y = Σ_{sign<0} y = 1,  y >= 0.
///
/// ρ = 1 everywhere, cost = 0: the distance of the hulls of both signs (|W|), and W separates them
/// when it is not 0. ρ = 0: a linear program over the pairs of points where they meet.
///
/// Shapes  points: m × d; sign, cost: m × m; rho: d × d; a pair of sign 0 is absent.
struct HullProblem {
  Eigen::MatrixXd points;
  Eigen::ArrayXXd sign;
  Eigen::ArrayXXd cost;
  Eigen::ArrayXXd rho;
};

/// An iterate: y and its duals s >= 0 (m × m), the form W (d × d), the duals of both sums.
struct HullPoint {
  Eigen::ArrayXXd y, s;
  Eigen::MatrixXd w;
  Eigen::Vector2d t;
};

/// One solver per problem; step() until converged.
///
/// Cost  a step: O(m·d⁴/4 + m²·d²/2) to form the normal matrix — every pair enters through
///       (x_u x_uᵀ) ⊗ (x_v x_vᵀ), so m² columns of length d² are never built — and d⁶/3 to factor
///       it. Memory 8·(d⁴ + d⁴/4 + 6m²) bytes.
class HullSolver {
 public:
  /// Require  both signs occur.
  explicit HullSolver(HullProblem problem);

  /// One predictor-corrector step. False when the factorisation or the step length broke down.
  bool step();

  const HullPoint& point() const { return at_; }
  const HullProblem& problem() const { return problem_; }
  /// The mean of y·s over the pairs.
  double complementarity() const;
  /// max |Σ sign·y·x_uᵀx_v - ρ∘W|, max |Σ y - 1|.
  double infeasibility() const { return infeasibility_; }

 private:
  struct Residuals {
    Eigen::ArrayXXd dual;   // s - cost - Cᵀw + Gᵀt
    Eigen::MatrixXd force;  // ρ∘w - Cy
    Eigen::Vector2d sums;   // 1 - Gy
  };

  Eigen::ArrayXXd transposed(const Eigen::MatrixXd& w, const Eigen::Vector2d& t) const;
  Eigen::MatrixXd moment(const Eigen::ArrayXXd& y) const;
  Eigen::Vector2d sums(const Eigen::ArrayXXd& y) const;
  Residuals residuals() const;
  bool factor(const Eigen::ArrayXXd& scaling);
  HullPoint direction(const Residuals& r, const Eigen::ArrayXXd& scaling,
                      const Eigen::ArrayXXd& target) const;

  HullProblem problem_;
  HullPoint at_;
  Eigen::ArrayXXd present_, edges_, others_;
  double pairs_ = 0;
  double infeasibility_ = std::numeric_limits<double>::infinity();
  Eigen::MatrixXd products_;  // m × d(d+1)/2: x_ui·x_uj, i <= j
  Eigen::LLT<Eigen::MatrixXd> cholesky_;
  Eigen::MatrixXd normal_;
};

}  // namespace qkcert::refutation
