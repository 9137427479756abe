#include <cmath>
#include <qkcert/constructions/fit_quantise.hpp>

namespace qkcert::fit {

namespace {

constexpr int stage = 10;           ///< steps between two looks at all pairs
constexpr int leg = 50 * stage;     ///< steps after which the averages start anew
constexpr double rate = 0.1;        ///< of the first step, in units of the grid
constexpr double unit_rate = 0.05;  ///< of the unit's relative steps, times that of the weights
/// How far beyond the limit a weight may stray and still come back soon.
constexpr double slack = 0.4;

/// Running averages of a gradient and of its square (one column per weight or a single one).
class Averages {
 public:
  Averages(Index rows, Index cols)
      : mean_(MatrixXd::Zero(rows, cols)), square_(MatrixXd::Zero(rows, cols)) {}

  /// The direction for the gradient: entries of about 1, and 0 where it was always 0.
  MatrixXd direction(const MatrixXd& gradient) {
    constexpr double keep = 0.9, keep_square = 0.999;
    power_ *= keep;
    square_power_ *= keep_square;
    mean_ = keep * mean_ + (1 - keep) * gradient;
    square_ = keep_square * square_ + (1 - keep_square) * gradient.cwiseAbs2();
    return (mean_.array() / (1 - power_)) /
           ((square_.array() / (1 - square_power_)).sqrt() + 1e-12);
  }

 private:
  MatrixXd mean_, square_;
  double power_ = 1, square_power_ = 1;
};

}  // namespace

MatrixXd nearest_integers(const MatrixXd& weights, double weight_max) {
  return weights.array().round().cwiseMax(-weight_max).cwiseMin(weight_max);
}

void quantise(Loss& loss, const MatrixXd& x, MatrixXd& weights, double& unit,
              const Quantisation& quantisation) {
  const double limit = quantisation.weight_max;
  const auto fresh = [&] { return Averages(weights.rows(), weights.cols()); };
  Averages averages = fresh(), unit_averages(1, 1);
  MatrixF slopes;
  for (int step = quantisation.first; step < quantisation.steps; ++step) {
    const bool look = step % stage == 0;
    if (look && quantisation.interrupted()) return;
    const MatrixXd projections = x * nearest_integers(weights, limit) / unit;
    const double value =
        loss.evaluate(projections.cast<float>(), slopes, look ? Pairs::all : Pairs::close);
    if (step % leg == 0) {
      averages = fresh();
      unit_averages = Averages(1, 1);
      if (quantisation.on_leg) quantisation.on_leg(value, step);
    }
    if (look && loss.separated()) return;
    const MatrixXd gradient = slopes.cast<double>();
    const double left = 1 - static_cast<double>(step) / quantisation.steps;
    const MatrixXd direction = averages.direction(x.transpose() * gradient);
    weights = (weights - rate * left * direction).cwiseMax(-limit - slack).cwiseMin(limit + slack);
    // The projections shrink as the unit grows.
    const MatrixXd by_unit = MatrixXd::Constant(1, 1, -gradient.cwiseProduct(projections).sum());
    unit *= 1 - unit_rate * rate * left * unit_averages.direction(by_unit)(0, 0);
  }
}

}  // namespace qkcert::fit
