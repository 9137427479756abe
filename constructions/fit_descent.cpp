#include <algorithm>
#include <cmath>
#include <deque>
#include <qkcert/constructions/fit_descent.hpp>
#include <qkcert/core/parallel.hpp>

namespace qkcert::fit {

namespace {

constexpr int stage = 10;        ///< iterations between two looks at all pairs, at one sharpness
constexpr int leg = 30 * stage;  ///< iterations after which L-BFGS forgets
/// A stage over close pairs that ends with a loss so many times the one it began with is undone: its
/// list had become wrong. Then, and at the start of a leg, so many stages look at all pairs.
constexpr double distrust = 1.5;
constexpr int wary_stages = 3;
/// The sharpness from which the maximum is taken as the hard one.
constexpr double hard_from = 200;
constexpr Index row_block = 256;

class Objective {
 public:
  Objective(Loss& loss, const MatrixF& base, const MatrixF& design)
      : loss_(loss), base_(base), design_(design), transposed_(design.transpose()) {}

  /// The loss at z, and its gradient.
  double evaluate(const MatrixXd& z, MatrixXd& gradient, Pairs pairs) {
    point_ = z.cast<float>();
    project();
    const double value = loss_.evaluate(projections_, slopes_, pairs);
    pull_back();
    gradient = product_.cast<double>();
    return value;
  }

 private:
  /// projections = base + design·point
  void project() {
    projections_ = base_;
    panels_.pack(block(point_, 0, point_.rows(), 0, point_.cols()));
    const Index m = design_.rows(), blocks = (m + row_block - 1) / row_block;
    parallel_for(static_cast<std::size_t>(blocks), loss_.threads(), [&](std::size_t i, unsigned) {
      const Index row = static_cast<Index>(i) * row_block;
      add_product(block(design_, row, std::min(row_block, m - row), 0, design_.cols()), panels_,
                  projections_.row(row).data(), panels_.cols());
    });
  }

  /// product = designᵀ·slopes, in bands of its columns and, within one, blocks of the inner index.
  void pull_back() {
    constexpr Index band = Panels::width;
    const Index m = slopes_.rows(), cols = slopes_.cols();
    product_.setZero(transposed_.rows(), cols);
    const auto bands = static_cast<std::size_t>((cols + band - 1) / band);
    parallel_for(bands, loss_.threads(), [&](std::size_t i, unsigned) {
      const Index col = static_cast<Index>(i) * band, width = std::min(band, cols - col);
      Panels panels;
      for (Index row = 0; row < m; row += row_block) {
        const Index rows = std::min(row_block, m - row);
        panels.pack(block(slopes_, row, rows, col, width));
        add_product(block(transposed_, 0, transposed_.rows(), row, rows), panels,
                    product_.data() + col, static_cast<std::size_t>(cols));
      }
    });
  }

  Loss& loss_;
  const MatrixF& base_;
  const MatrixF& design_;
  MatrixF transposed_;
  MatrixF point_, projections_, slopes_, product_;
  Panels panels_;
};

double dot(const MatrixXd& a, const MatrixXd& b) { return a.cwiseProduct(b).sum(); }

/// The last steps and what they changed in the gradient: an estimate of the inverse Hessian.
class History {
 public:
  bool empty() const { return pairs_.empty(); }
  void clear() { pairs_.clear(); }

  void add(MatrixXd step, MatrixXd change) {
    const double product = dot(step, change);
    if (!(product > 1e-10 * change.squaredNorm())) return;
    if (pairs_.size() == 10) pairs_.pop_front();
    pairs_.push_back({std::move(step), std::move(change), 1 / product});
  }

  /// The step downhill from z (J. Nocedal, Math. Comp. 35 (1980), 773-782).
  MatrixXd direction(const MatrixXd& z, const MatrixXd& gradient) const {
    MatrixXd result = -gradient;
    std::vector<double> along;
    for (auto pair = pairs_.rbegin(); pair != pairs_.rend(); ++pair) {
      along.push_back(pair->rho * dot(pair->step, result));
      result -= along.back() * pair->change;
    }
    if (empty()) return result * (0.1 * z.norm() / (gradient.norm() + 1e-30));
    result /= pairs_.back().rho * pairs_.back().change.squaredNorm();
    for (const Pair& pair : pairs_) {
      result += (along.back() - pair.rho * dot(pair.change, result)) * pair.step;
      along.pop_back();
    }
    return result;
  }

 private:
  struct Pair {
    MatrixXd step, change;
    double rho;
  };
  std::deque<Pair> pairs_;
};

/// One iteration: a step that lowers the loss over the given pairs. Return whether there was one.
bool advance(Objective& objective, History& history, Pairs pairs, MatrixXd& z, MatrixXd& gradient,
             double& value) {
  const MatrixXd direction = history.direction(z, gradient);
  const double slope = dot(gradient, direction);
  if (!(slope < 0)) return false;
  MatrixXd next, next_gradient;
  double step = 1;
  for (int tries = 0; tries < 10; ++tries, step *= 0.4) {
    next = z + step * direction;
    const double next_value = objective.evaluate(next, next_gradient, pairs);
    if (!(next_value <= value + 1e-4 * step * slope)) continue;
    history.add(next - z, next_gradient - gradient);
    z.swap(next);
    gradient.swap(next_gradient);
    value = next_value;
    return true;
  }
  return false;
}

}  // namespace

double descend(Loss& loss, const MatrixF& base, const MatrixF& design, MatrixXd& z,
               const Descent& descent) {
  if (z.size() == 0) return 0;
  Objective objective(loss, base, design);
  History history;
  MatrixXd gradient;
  double value = objective.evaluate(z, gradient, Pairs::all);
  int wary = wary_stages;  // stages still to come that look at all pairs
  for (int iteration = descent.first; iteration < descent.iterations; iteration += stage) {
    if (iteration % leg == 0) {
      history.clear();
      wary = wary_stages;
      if (descent.on_leg) descent.on_leg(z, iteration);
    }
    if (descent.on_stage) descent.on_stage(value, iteration);
    if (descent.done(loss, value) || descent.interrupted()) break;
    const Pairs pairs = wary-- > 0 ? Pairs::all : Pairs::close;
    const MatrixXd before = z;
    const double bearable = distrust * value + 1e-6;
    for (int i = 0; i < stage && !descent.interrupted(); ++i) {
      const bool fresh = history.empty();
      if (advance(objective, history, pairs, z, gradient, value)) continue;
      history.clear();
      // Not even downhill: an optimum, unless the loss is still to change.
      if (fresh && i == 0 && loss.sharpness == 0)
        return objective.evaluate(z, gradient, Pairs::all);
      break;
    }
    loss.sharpness *= descent.sharpening;
    if (loss.sharpness > hard_from) loss.sharpness = 0;
    value = objective.evaluate(z, gradient, Pairs::all);
    if (pairs == Pairs::close && !(value <= bearable)) {
      z = before;
      history.clear();
      wary = wary_stages;
      value = objective.evaluate(z, gradient, Pairs::all);
    }
  }
  return value;
}

}  // namespace qkcert::fit
