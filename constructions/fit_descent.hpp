#pragma once
/// L-BFGS (liblbfgs) on the loss of `fit`.

#include <functional>
#include <qkcert/constructions/fit_loss.hpp>

namespace qkcert::fit {

struct Descent {
  int iterations;
  /// Ends the descent early when true of (loss, its value); asked after every iteration.
  std::function<bool(const Loss&, double)> done;
  /// Ends the descent at once: out of time, or stopped.
  std::function<bool()> interrupted;
  /// Every 30 iterations the loss's sharpness grows by this factor, until the maximum is the hard
  /// one.
  double sharpening = 1;
};

/// Descends over Z, where the projections are base + design·Z.
///
/// Shapes  base: m × 2·D_K; design: m × r; z: r × 2·D_K.
/// Ensure  z is the last accepted point, and the loss was evaluated there last: its extremes are
/// z's.
///         The same for any thread count.
/// Return  the loss at z.
double descend(Loss& loss, const MatrixF& base, const MatrixF& design, MatrixXd& z,
               const Descent& descent);

}  // namespace qkcert::fit
