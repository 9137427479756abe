#pragma once
/// L-BFGS on the loss of `fit`, in stages.

#include <functional>
#include <qkcert/constructions/fit_loss.hpp>

namespace qkcert::fit {

struct Descent {
  /// At most so many, in whole stages.
  int iterations;
  /// Iterations made before, by the interrupted descent that this one continues.
  int first = 0;
  /// Ends the descent when true of (loss, its value); asked between stages.
  std::function<bool(const Loss&, double)> done;
  /// Ends the descent at once: out of time, or stopped.
  std::function<bool()> interrupted;
  /// After every stage the loss's sharpness grows by this factor, until the maximum is the hard one.
  double sharpening = 1;
  /// Told of z and the iterations made, at the start and after every 300. From there, with the
  /// loss's sharpness, another descent goes on exactly as this one.
  std::function<void(const MatrixXd&, int)> on_leg = {};
  /// Told of the loss and the iterations made, before every stage.
  std::function<void(double, int)> on_stage = {};
};

/// Descends over Z, where the projections are base + design·Z.
///
/// A stage is 10 iterations over the close pairs, after a look at all; the first stages of a leg, and
/// those after one whose list had become wrong, look at all throughout. L-BFGS is our own: it keeps
/// what it knows of the curvature while the loss changes a little from stage to stage.
///
/// Shapes  base: m × 2·D_K; design: m × r; z: r × 2·D_K.
/// Ensure  z is the last accepted point, and the loss looked at all its pairs last: its extremes are
///         z's. The same for any thread count and instruction set.
/// Return  the loss at z.
double descend(Loss& loss, const MatrixF& base, const MatrixF& design, MatrixXd& z,
               const Descent& descent);

}  // namespace qkcert::fit
