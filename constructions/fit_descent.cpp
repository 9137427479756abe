#include <lbfgs.h>

#include <memory>
#include <new>
#include <qkcert/constructions/fit_descent.hpp>

namespace qkcert::fit {

namespace {

constexpr int stage = 30;  ///< iterations at one sharpness
constexpr double hard_from =
    200;  ///< the sharpness from which the maximum is taken as the hard one

class Objective {
 public:
  Objective(Loss& loss, const MatrixF& base, const MatrixF& design, Index rows,
            const Descent& descent)
      : loss_(loss), base_(base), design_(design), rows_(rows), descent_(descent) {}

  double evaluate(const double* z, double* gradient) {
    const Index cols = base_.cols();
    projections_ = base_;
    projections_.noalias() +=
        design_ * Eigen::Map<const MatrixXd>(z, rows_, cols).cast<float>().eval();
    const double value = loss_.evaluate(projections_, slopes_);
    product_.noalias() = design_.transpose() * slopes_;
    Eigen::Map<MatrixXd>(gradient, rows_, cols) = product_.cast<double>();
    return value;
  }

  /// Whether the descent shall end after this iteration, which reached z. Near an optimum the
  /// floats can give the library a zero curvature, and it then steps to NaN: such a point is not
  /// accepted.
  bool ended(const double* z, double value) {
    const Eigen::Map<const MatrixXd> point(z, rows_, base_.cols());
    if (!point.allFinite()) return finished_ = true;
    accepted_ = point;
    ++iterations_;
    if (descent_.interrupted() || descent_.done(loss_, value)) return finished_ = true;
    return finished_ = iterations_ >= descent_.iterations;
  }

  /// The last point that an iteration reached; empty before the first.
  const MatrixXd& accepted() const { return accepted_; }
  bool finished() const { return finished_; }
  int iterations() const { return iterations_; }

  static double evaluate_callback(void* self, const double* z, double* gradient, int, double) {
    return static_cast<Objective*>(self)->evaluate(z, gradient);
  }
  static int progress_callback(void* self, const double* z, const double*, double value, double,
                               double, double, int, int, int) {
    return static_cast<Objective*>(self)->ended(z, value) ? 1 : 0;
  }

 private:
  Loss& loss_;
  const MatrixF& base_;
  const MatrixF& design_;
  Index rows_;
  const Descent& descent_;
  MatrixF projections_, slopes_, product_;
  MatrixXd accepted_;
  int iterations_ = 0;
  bool finished_ = false;
};

struct LbfgsFree {
  void operator()(double* memory) const { lbfgs_free(memory); }
};

}  // namespace

double descend(Loss& loss, const MatrixF& base, const MatrixF& design, MatrixXd& z,
               const Descent& descent) {
  const auto size = static_cast<int>(z.size());
  if (size == 0) return 0;
  const std::unique_ptr<double, LbfgsFree> memory(lbfgs_malloc(size));
  if (!memory) throw std::bad_alloc();
  Eigen::Map<MatrixXd> point(memory.get(), z.rows(), z.cols());
  point = z;
  lbfgs_parameter_t parameters;
  lbfgs_parameter_init(&parameters);
  parameters.m = 10;
  parameters.epsilon = 1e-9;
  parameters.linesearch = LBFGS_LINESEARCH_BACKTRACKING_ARMIJO;
  parameters.max_linesearch = 12;
  Objective objective(loss, base, design, z.rows(), descent);
  // The sharpness grows between runs of the library, so that each has one loss. A run that makes no
  // iteration ends the descent, unless more sharpness is still to come.
  for (int before = -1; !objective.finished() && objective.iterations() > before;) {
    before = objective.iterations();
    parameters.max_iterations = loss.sharpness > 0 ? stage : 0;  // 0: until it converges
    lbfgs(size, memory.get(), nullptr, Objective::evaluate_callback, Objective::progress_callback,
          &objective, &parameters);
    if (loss.sharpness > 0) {
      loss.sharpness *= descent.sharpening;
      if (loss.sharpness > hard_from) loss.sharpness = 0;
      before = -1;
    }
  }
  if (objective.accepted().size() > 0) z = objective.accepted();
  MatrixXd gradient(z.rows(), z.cols());
  return objective.evaluate(z.data(), gradient.data());
}

}  // namespace qkcert::fit
