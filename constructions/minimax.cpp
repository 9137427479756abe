#include <cmath>
#include <qkcert/constructions/minimax.hpp>
#include <qkcert/core/errors.hpp>

namespace qkcert {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int steps = 200;

}  // namespace

MatrixXd to_doubles(const Matrix& rows) {
  MatrixXd x = MatrixXd::Zero(static_cast<Index>(rows.rows()), static_cast<Index>(rows.cols()));
  const Integer largest = rows.max_abs();
  if (largest == 0) return x;
  for (std::size_t i = 0; i < rows.rows(); ++i)
    for (std::size_t j = 0; j < rows.cols(); ++j) {
      const Integer scaled = floor_quotient(rows.at(i, j) * power_of_two(60), largest);
      x(static_cast<Index>(i), static_cast<Index>(j)) =
          std::ldexp(static_cast<double>(to_int64(scaled).value()), -60);
    }
  return x;
}

Minimax::Minimax(const Matrix& rows) : x_(to_doubles(rows)) {
  const Index d = x_.cols();
  ridge_ = 1e-11 * (x_.squaredNorm() + 1) / static_cast<double>(std::max<Index>(d, 1));
  const MatrixXd moment = x_.transpose() * x_ + ridge_ * MatrixXd::Identity(d, d);
  inverse_times_ = moment.llt().solve(x_.transpose());
}

Minimax::Map Minimax::shortest(std::span<const std::size_t> tuple, const MatrixXd& images,
                               double bound) const {
  const auto k = static_cast<Index>(tuple.size());
  MatrixXd targets(k, x_.cols()), lifted(x_.cols(), k);
  for (Index t = 0; t < k; ++t) {
    const auto v = static_cast<Index>(tuple[static_cast<std::size_t>(t)]);
    targets.row(t) = x_.row(v);
    lifted.col(t) = inverse_times_.col(v);
  }
  VectorXd outside = VectorXd::Ones(x_.rows());
  for (const std::size_t v : tuple) outside(static_cast<Index>(v)) = 0;
  VectorXd weights = outside / std::max(outside.sum(), 1.0);
  Map best{{}, HUGE_VAL};
  for (int step = 0;; ++step) {
    // W = C⁻¹Tᵀ(T·C⁻¹Tᵀ)⁻¹R is the least-squares map under the weights in C.
    const MatrixXd map = lifted * (targets * lifted).ldlt().solve(images);
    const VectorXd lengths = (x_ * map).rowwise().norm().cwiseProduct(outside);
    const double longest = x_.rows() > 0 ? lengths.maxCoeff() : 0;
    if (!std::isfinite(longest)) return best;
    if (longest < best.longest) best = {map, longest};
    const double squares = weights.dot(lengths.cwiseAbs2());
    if (best.longest < 0.9 * bound || squares >= bound * bound || step == steps) return best;
    weights = weights.cwiseProduct(lengths);
    weights /= weights.sum();
    const MatrixXd weighted = weights.cwiseSqrt().asDiagonal() * x_;
    const MatrixXd moment =
        weighted.transpose() * weighted +
        ridge_ * MatrixXd::Identity(x_.cols(), x_.cols()) / static_cast<double>(x_.rows());
    lifted = moment.llt().solve(targets.transpose());
  }
}

}  // namespace qkcert
