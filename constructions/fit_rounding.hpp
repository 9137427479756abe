#pragma once
/// From the floats of `fit` to integer weights.
///
/// Weights stand side by side as in fit_loss.hpp: W = [W_Q | W_K], d_model × 2·D_K. An integer
/// matrix W stands for the floats W / unit, so its scores are unit² times theirs.

#include <qkcert/constructions/fit_descent.hpp>
#include <qkcert/constructions/fit_state.hpp>
#include <qkcert/core/random.hpp>

namespace qkcert::fit {

/// The generator of one step of one phase: nothing of it has to be kept in a state.
Random step_random(std::uint64_t seed, Phase phase, std::uint64_t step);

/// T with (X·T)ᵀ(X·T) = m·I on the row space of X: descent over Z in W = T·Z is well conditioned.
MatrixXd whitener(const MatrixXd& x, Index vertices);

/// Changes W_Q to W_Q·M and W_K to W_K·M⁻ᵀ in every head, which leaves the scores as they are:
/// balanced singular values, turned at random so that the largest |entry| is small beside the
/// others.
void equalise(MatrixXd& weights, const Layout& layout, Random& random);

/// What a long phase tells, and asks, outside.
struct Hooks {
  std::function<bool()> interrupted;
  /// Told at the boundaries of stages that the state can be kept.
  std::function<void()> checkpoint = [] {};
  /// Told what is being done.
  std::function<void(const std::string&)> progress = [](const std::string&) {};
};

/// Integer weights under repair, and the best that was met.
class Rounder {
 public:
  /// Shapes  x: m × d_model; state.point: weights, d_model × 2·D_K.
  /// Require loss.sharpness == 0.
  Rounder(Loss& loss, const MatrixXd& x, double weight_max, std::uint64_t seed, State& state,
          Hooks hooks);

  /// Scales the floats to the range ±weight_max, rounds them (below 16 by `steps` of quantise(), else
  /// row by row), and improves the integers until their extremes are separated, `repairs` rounds are
  /// over, or it is interrupted: then what is left is rounded at once. Goes on from state.phase and
  /// state.step. Return the integer weights whose extremes overlap least, d_model × 2·D_K.
  MatrixXd round(std::uint64_t repairs, int steps);

 private:
  /// A pair whose score in the head under search matters: near or above t⁻, or an edge.
  struct Pair {
    Index u, v;
    double score;
    double other;  ///< for an edge, its best score in the other heads
    bool edge;
  };

  void scale();
  bool round_quickly(const std::vector<Index>& order);
  void descend_on_integers(int steps);
  void fix_rows(MatrixXd& weights, const std::vector<Index>& order, std::size_t first,
                int iterations, bool keep);
  void pass_on_error(MatrixXd& weights, Index row, const std::vector<Index>& rest) const;
  double improve(MatrixXd& weights, Random& random);
  std::vector<Pair> pairs_of_head(const MatrixXd& projections, Index head) const;
  bool improve_column(MatrixXd& weights, MatrixXd& projections, std::vector<Pair>& pairs,
                      Index head, Index column, Random& random);
  double penalty(const Pair& pair, double score) const;
  void keep_best(const MatrixXd& weights);

  Loss& loss_;
  const MatrixXd& x_;
  MatrixXd gram_;  ///< XᵀX
  double weight_max_;
  std::uint64_t seed_;
  State& state_;
  Hooks hooks_;
};

}  // namespace qkcert::fit
