#pragma once
/// Descent over integer weights, for `fit` at low precision.

#include <functional>
#include <qkcert/constructions/fit_loss.hpp>

namespace qkcert::fit {

/// The nearest integers within ±weight_max.
MatrixXd nearest_integers(const MatrixXd& weights, double weight_max);

struct Quantisation {
  double weight_max;
  int steps;
  /// Steps made before, by the interrupted descent that this one continues.
  int first = 0;
  /// Ends the descent at once: out of time, or stopped; asked between stages.
  std::function<bool()> interrupted;
  /// Told of the loss and the steps made, at the start and after every 500. From there, with the
  /// weights and the unit, another descent goes on exactly as this one.
  std::function<void(double, int)> on_leg = {};
};

/// Lowers the loss of the integers nearest to `weights`, over the weights and over `unit` (integers
/// per float, as in fit_rounding.hpp), until the integers separate or the steps are made.
///
/// The gradient is the loss's at the integers, taken as if rounding were the identity
/// (straight-through); the steps are Adam's, shrinking to none. Nine evaluations in ten look at the
/// close pairs only.
///
/// Require loss.sharpness == 0, unit > 0.
/// Ensure  the same for any thread count; unit > 0.
/// Source  Y. Bengio, N. Léonard, A. Courville, arXiv 1308.3432 (straight-through); D. P. Kingma,
///         J. Ba, arXiv 1412.6980 (Adam).
void quantise(Loss& loss, const MatrixXd& x, MatrixXd& weights, double& unit,
              const Quantisation& quantisation);

}  // namespace qkcert::fit
