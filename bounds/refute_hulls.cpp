#include <qkcert/bounds/refute_hulls.hpp>

#include <algorithm>
#include <cmath>

namespace qkcert::refutation {

using Eigen::ArrayXXd;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

namespace {

/// The position of {i, j} in a row of `products`.
Index pair_index(Index i, Index j) { return i <= j ? j * (j + 1) / 2 + i : i * (i + 1) / 2 + j; }

/// The largest step in [0, 1] that keeps `fraction` of the way to the boundary.
double step_length(const ArrayXXd& value, const ArrayXXd& change, double fraction) {
  const double worst = (change / value).minCoeff();
  return worst < 0 ? std::min(1.0, -fraction / worst) : 1.0;
}

}  // namespace

HullSolver::HullSolver(HullProblem problem) : problem_(std::move(problem)) {
  const MatrixXd& x = problem_.points;
  const Index m = x.rows(), d = x.cols();
  edges_ = (problem_.sign > 0).cast<double>();
  others_ = (problem_.sign < 0).cast<double>();
  present_ = edges_ + others_;
  pairs_ = present_.sum();
  products_.resize(m, d * (d + 1) / 2);
  for (Index j = 0; j < d; ++j)
    for (Index i = 0; i <= j; ++i)
      products_.col(pair_index(i, j)) = x.col(i).cwiseProduct(x.col(j));
  // Absent pairs keep y = 0 and s = 1, and are left out of every sum by `present_`.
  at_.y = edges_ / edges_.sum() + others_ / others_.sum();
  at_.w = moment(at_.y);
  const ArrayXXd reach = problem_.cost + problem_.sign * (x * at_.w * x.transpose()).array();
  const double low = std::min(0.0, (reach * present_).minCoeff());
  const double spread = (reach * present_).maxCoeff() - low;
  at_.t = Vector2d::Constant(low - 0.1 * spread - 1e-3);
  at_.s = present_ * (reach - at_.t(0)) + (1 - present_);
}

/// Cᵀw - Gᵀt
ArrayXXd HullSolver::transposed(const MatrixXd& w, const Vector2d& t) const {
  const MatrixXd scores = problem_.points * w * problem_.points.transpose();
  return problem_.sign * scores.array() - t(0) * edges_ - t(1) * others_;
}

MatrixXd HullSolver::moment(const ArrayXXd& y) const {
  return problem_.points.transpose() * (problem_.sign * y).matrix() * problem_.points;
}

Vector2d HullSolver::sums(const ArrayXXd& y) const {
  return {(edges_ * y).sum(), (others_ * y).sum()};
}

double HullSolver::complementarity() const { return (present_ * at_.y * at_.s).sum() / pairs_; }

HullSolver::Residuals HullSolver::residuals() const {
  return {present_ * (at_.s - problem_.cost) - transposed(at_.w, at_.t),
          (problem_.rho * at_.w.array()).matrix() - moment(at_.y), Vector2d::Ones() - sums(at_.y)};
}

/// The normal matrix [C; G] D [C; G]ᵀ + ρI, D = `scaling`; W(i,k) is unknown i + d·k.
bool HullSolver::factor(const ArrayXXd& scaling) {
  const Index d = problem_.points.cols(), n = d * d;
  const MatrixXd core = products_.transpose() * (scaling.matrix() * products_);
  normal_.resize(n + 2, n + 2);
  for (Index l = 0; l < d; ++l)
    for (Index j = 0; j < d; ++j)
      for (Index k = l; k < d; ++k) {
        const double* column = &core(0, pair_index(k, l));
        for (Index i = 0; i < d; ++i) normal_(i + d * k, j + d * l) = column[pair_index(i, j)];
      }
  const MatrixXd& x = problem_.points;
  const MatrixXd on_edges = x.transpose() * (scaling * edges_).matrix() * x;
  const MatrixXd on_others = x.transpose() * (scaling * others_).matrix() * x;
  normal_.row(n).head(n) = on_edges.reshaped().transpose();
  normal_.row(n + 1).head(n) = -on_others.reshaped().transpose();
  normal_(n, n) = (scaling * edges_).sum();
  normal_(n + 1, n) = 0;
  normal_(n + 1, n + 1) = (scaling * others_).sum();
  normal_.diagonal().head(n).array() += problem_.rho.reshaped();
  normal_.diagonal() *= 1 + 1e-14;  // dependent rows (one-hot, touching hulls) stay positive
  cholesky_.compute(normal_);
  return cholesky_.info() == Eigen::Success;
}

/// The Newton direction to y·s = target; `scaling` is y/s as factored.
HullPoint HullSolver::direction(const Residuals& r, const ArrayXXd& scaling,
                                const ArrayXXd& target) const {
  const Index d = problem_.points.cols(), n = d * d;
  const ArrayXXd free = present_ * (target / at_.s) - present_ * at_.y + scaling * r.dual;
  VectorXd right(n + 2);
  right.head(n) = (moment(free) - r.force).reshaped();
  right.tail(2) = sums(free) - r.sums;
  const VectorXd solution = cholesky_.solve(right);
  HullPoint step;
  step.w = solution.head(n).reshaped(d, d);
  step.t = -solution.tail(2);
  step.s = transposed(step.w, step.t) - r.dual;
  step.y = present_ * ((target - at_.y * step.s) / at_.s - at_.y);
  return step;
}

bool HullSolver::step() {
  const Residuals r = residuals();
  const ArrayXXd scaling = present_ * at_.y / at_.s;
  if (!factor(scaling)) return false;
  const ArrayXXd safe = at_.y + (1 - present_);
  const HullPoint affine = direction(r, scaling, ArrayXXd::Zero(safe.rows(), safe.cols()));
  const double reach_y = step_length(safe, affine.y, 1);
  const double reach_s = step_length(at_.s, affine.s, 1);
  const double mu = complementarity();
  const double ahead =
      (present_ * (at_.y + reach_y * affine.y) * (at_.s + reach_s * affine.s)).sum() / pairs_;
  const double centre = std::pow(ahead / mu, 3) * mu;
  const HullPoint step = direction(r, scaling, present_ * (centre - affine.y * affine.s));
  if (!step.y.allFinite() || !step.s.allFinite()) return false;
  double along_y = step_length(safe, step.y, 0.995);
  double along_s = step_length(at_.s, step.s, 0.995);
  if ((problem_.rho > 0).any())
    along_y = along_s = std::min(along_y, along_s);  // W joins both residuals
  at_.y += along_y * step.y;
  at_.s += along_s * step.s;
  at_.w += along_s * step.w;
  at_.t += along_s * step.t;
  const Residuals now = residuals();
  infeasibility_ = std::max(now.force.cwiseAbs().maxCoeff(), now.sums.cwiseAbs().maxCoeff());
  return std::max(along_y, along_s) > 1e-8;
}

}  // namespace qkcert::refutation
