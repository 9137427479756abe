#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <qkcert/constructions/fit_rounding.hpp>

namespace qkcert::fit {

using Eigen::VectorXd;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double share = 0.3;  ///< of the rows still free that are rounded, and that a repair frees
constexpr int rounding_iterations = 60;
constexpr int repair_iterations = 40;
constexpr int sweeps = 20;
constexpr Index row_block = 64;

/// A random rotation: the orthogonal factor of a Gaussian matrix.
MatrixXd random_rotation(Index size, Random& random) {
  MatrixXd gaussian(size, size);
  for (Index i = 0; i < gaussian.size(); ++i) gaussian.data()[i] = random.normal();
  return Eigen::HouseholderQR<MatrixXd>(gaussian).householderQ();
}

/// Thin orthonormal and triangular factors of a.
struct ThinQr {
  explicit ThinQr(const MatrixXd& a) {
    const Index rank = std::min(a.rows(), a.cols());
    const Eigen::HouseholderQR<MatrixXd> qr(a);
    orthonormal = qr.householderQ() * MatrixXd::Identity(a.rows(), rank);
    triangle = qr.matrixQR().topRows(rank).triangularView<Eigen::Upper>();
  }
  MatrixXd orthonormal, triangle;
};

std::vector<Index> indices(Index count) {
  std::vector<Index> result(static_cast<std::size_t>(count));
  std::iota(result.begin(), result.end(), Index{0});
  return result;
}

}  // namespace

MatrixXd whitener(const MatrixXd& x, Index vertices) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(x.transpose() * x /
                                                       static_cast<double>(vertices));
  VectorXd scale = solver.eigenvalues();
  const double least = 1e-9 * std::max(scale.maxCoeff(), 0.0);
  for (double& value : scale) value = value > least ? 1 / std::sqrt(value) : 0;
  return solver.eigenvectors() * scale.asDiagonal();
}

void equalise(MatrixXd& weights, const Layout& layout, Random& random) {
  for (Index k = 0; k < layout.heads(); ++k) {
    const Index q = layout.query(k), r = layout.key(k), w = layout.width(k);
    const ThinQr query(weights.middleCols(q, w)), key(weights.middleCols(r, w));
    const Eigen::JacobiSVD<MatrixXd> svd(query.triangle * key.triangle.transpose(),
                                         Eigen::ComputeFullU | Eigen::ComputeFullV);
    const MatrixXd root = svd.singularValues().cwiseSqrt().asDiagonal();
    const Index rank = svd.singularValues().size();
    MatrixXd balanced_query = MatrixXd::Zero(weights.rows(), w);
    MatrixXd balanced_key = balanced_query;
    balanced_query.leftCols(rank) = query.orthonormal * svd.matrixU() * root;
    balanced_key.leftCols(rank) = key.orthonormal * svd.matrixV() * root;
    double least = infinity;
    for (int trial = 0; trial < 30; ++trial) {
      const MatrixXd rotation = random_rotation(w, random);
      const MatrixXd turned_query = balanced_query * rotation;
      const MatrixXd turned_key = balanced_key * rotation;
      const double largest =
          std::max(turned_query.cwiseAbs().maxCoeff(), turned_key.cwiseAbs().maxCoeff());
      if (largest >= least) continue;
      least = largest;
      weights.middleCols(q, w) = turned_query;
      weights.middleCols(r, w) = turned_key;
    }
  }
}

Rounder::Rounder(Loss& loss, const MatrixXd& x, double weight_max, Random& random,
                 std::function<bool()> interrupted)
    : loss_(loss),
      x_(x),
      gram_(x.transpose() * x),
      weight_max_(weight_max),
      random_(random),
      interrupted_(std::move(interrupted)),
      best_gap_(-infinity) {}

MatrixXd Rounder::round(MatrixXd weights, int repairs) {
  if (weights.isZero(0)) return weights;
  // Below 64 levels it pays to clip the few largest entries for finer steps of the others.
  const double rms = std::sqrt(weights.squaredNorm() / static_cast<double>(weights.size()));
  const double peak = weights.cwiseAbs().maxCoeff() / rms;
  const double clip = weight_max_ >= 64  ? peak
                      : weight_max_ == 1 ? std::min(peak, 1.2)
                                         : std::min(peak, 1.2 + 0.6 * std::log(weight_max_));
  unit_ = weight_max_ / (clip * rms);
  weights *= unit_;

  const Index d = weights.rows();
  std::vector<Index> order = indices(d);
  std::stable_sort(order.begin(), order.end(),
                   [&](Index i, Index j) { return gram_(i, i) > gram_(j, j); });
  fix_rows(weights, order, rounding_iterations);
  keep_best(weights);
  double kept = improve(weights);
  for (int round = 0; round < repairs && best_gap_ <= 0 && !interrupted_(); ++round) {
    shuffle(order);
    const auto freed = std::max<Index>(1, static_cast<Index>(share * static_cast<double>(d)));
    MatrixXd candidate = weights;
    fix_rows(candidate, {order.begin(), order.begin() + freed}, repair_iterations);
    const double value = improve(candidate);
    if (value > kept) continue;
    kept = value;
    weights.swap(candidate);
  }
  return best_;
}

/// Rounds the given rows (all others are integers already), a share at a time: the rows still free
/// take up the error of each rounded one, first by least squares, then by the loss.
void Rounder::fix_rows(MatrixXd& weights, const std::vector<Index>& order, int iterations) {
  auto next = order.begin();
  while (next != order.end()) {
    const auto left = static_cast<double>(order.end() - next);
    for (auto until = next + std::max<Index>(1, static_cast<Index>(std::ceil(share * left)));
         next != until;) {
      const Index row = *next++;
      pass_on_error(weights, row, {next, order.end()});
    }
    if (next == order.end()) return;
    const std::vector<Index> rest(next, order.end());
    const MatrixXd x_rest = x_(Eigen::all, rest);
    const MatrixXd whiten = whitener(x_rest, x_.rows());
    MatrixXd fixed = weights / unit_;
    fixed(rest, Eigen::all).setZero();
    MatrixXd z = whiten.completeOrthogonalDecomposition().solve(weights(rest, Eigen::all) / unit_);
    descend(loss_, (x_ * fixed).cast<float>(), (x_rest * whiten).cast<float>(), z,
            {.iterations = iterations,
             .done = [](const Loss&, double value) { return value < 1e-9; },
             .interrupted = interrupted_});
    weights(rest, Eigen::all) = whiten * z * unit_;
  }
}

/// Rounds one row and moves the rows in `rest` so that X·W changes least.
void Rounder::pass_on_error(MatrixXd& weights, Index row, const std::vector<Index>& rest) const {
  Eigen::RowVectorXd error = weights.row(row);
  weights.row(row) = error.array().round().cwiseMax(-weight_max_).cwiseMin(weight_max_);
  error -= weights.row(row);
  if (rest.empty()) return;
  MatrixXd normal = gram_(rest, rest);
  normal.diagonal().array() += 1e-9 * normal.trace() / static_cast<double>(rest.size()) + 1e-300;
  weights(rest, Eigen::all) += normal.llt().solve(gram_(rest, row)) * error;
}

/// Coordinate descent on the integers, one weight at a time: a change of W_Q(i, c) by δ changes the
/// scores of its head by δ·x_ui·k_vc, a rank-one update. Returns the loss in units of the floats.
double Rounder::improve(MatrixXd& weights) {
  const Layout& layout = loss_.layout();
  double total = 0;
  for (int sweep = 0; sweep < sweeps && !interrupted_(); ++sweep) {
    MatrixXd projections = x_ * weights;
    bool moved = false;
    total = 0;
    std::vector<Index> heads = indices(layout.heads());
    shuffle(heads);
    for (const Index head : heads) {
      std::vector<Pair> pairs = pairs_of_head(projections, head);
      std::vector<Index> columns = indices(2 * layout.width(head));
      shuffle(columns);
      for (const Index column : columns)
        moved |= improve_column(weights, projections, pairs, head, column);
      for (const Pair& pair : pairs) total += penalty(pair, pair.score);
    }
    keep_best(weights);
    if (best_gap_ > 0 || !moved) break;
  }
  return total / std::pow(unit_, 4);
}

std::vector<Rounder::Pair> Rounder::pairs_of_head(const MatrixXd& projections, Index head) const {
  const Layout& layout = loss_.layout();
  const double high = unit_ * unit_, near = (loss_.t_minus - 0.3) * high;
  const auto dot = [&](Index u, Index v, Index k) {
    return projections.row(u)
        .segment(layout.query(k), layout.width(k))
        .dot(projections.row(v).segment(layout.key(k), layout.width(k)));
  };
  std::vector<Pair> pairs;
  const auto keys = projections.middleCols(layout.key(head), layout.width(head));
  for (Index u0 = 0; u0 < x_.rows(); u0 += row_block) {
    const Index rows = std::min(row_block, x_.rows() - u0);
    MatrixXd scores =
        projections.block(u0, layout.query(head), rows, layout.width(head)) * keys.transpose();
    for (Index i = 0; i < rows; ++i) {
      const Index u = u0 + i;
      for (const Edge& edge : loss_.graph().edges_from(static_cast<std::size_t>(u))) {
        const auto v = static_cast<Index>(edge.target);
        double other = -infinity;
        for (Index k = 0; k < layout.heads(); ++k)
          if (k != head) other = std::max(other, dot(u, v, k));
        if (other < high) pairs.push_back({u, v, scores(i, v), other, true});
        scores(i, v) = -infinity;
      }
      for (Index v = 0; v < x_.rows(); ++v)
        if (scores(i, v) > near) pairs.push_back({u, v, scores(i, v), 0, false});
    }
  }
  return pairs;
}

double Rounder::penalty(const Pair& pair, double score) const {
  const double high = unit_ * unit_;
  const double residual =
      pair.edge ? high - std::max(score, pair.other) : score - loss_.t_minus * high;
  return residual > 0 ? residual * residual : 0;
}

/// One pass over the weights of one column. `column` < width is a query column, else a key column.
bool Rounder::improve_column(MatrixXd& weights, MatrixXd& projections, std::vector<Pair>& pairs,
                             Index head, Index column) {
  const Layout& layout = loss_.layout();
  const Index width = layout.width(head);
  const bool query = column < width;
  const Index offset = query ? column : column - width;
  const Index own = (query ? layout.query(head) : layout.key(head)) + offset;
  const Index partner = (query ? layout.key(head) : layout.query(head)) + offset;
  const double high = unit_ * unit_;
  const auto mine = [&](const Pair& pair) { return query ? pair.u : pair.v; };
  const auto factor = [&](const Pair& pair) {
    return projections(query ? pair.v : pair.u, partner);
  };

  VectorXd slope(x_.rows()), curvature(x_.rows());  // by the row of X that the column meets
  const auto derive = [&] {
    slope.setZero();
    curvature.setZero();
    for (const Pair& pair : pairs) {
      if (pair.edge && pair.score <= pair.other) continue;
      const double residual = pair.edge ? high - pair.score : pair.score - loss_.t_minus * high;
      if (residual <= 0) continue;
      const double t = factor(pair);
      slope(mine(pair)) += (pair.edge ? -2 : 2) * residual * t;
      curvature(mine(pair)) += 2 * t * t;
    }
  };
  derive();
  bool moved = false;
  std::vector<Index> rows = indices(weights.rows());
  shuffle(rows);
  for (const Index row : rows) {
    const double gradient = x_.col(row).dot(slope);
    if (gradient == 0) continue;
    const double step = -gradient / std::max(x_.col(row).cwiseAbs2().dot(curvature), 1e-300);
    if (std::abs(step) < 0.45) continue;
    const double whole = std::abs(step) < 1 ? (step > 0 ? 1 : -1) : std::round(step);
    const double value = std::clamp(weights(row, own) + whole, -weight_max_, weight_max_);
    const double delta = value - weights(row, own);
    if (delta == 0) continue;
    const auto moved_score = [&](const Pair& pair) {
      return pair.score + delta * x_(mine(pair), row) * factor(pair);
    };
    double change = 0;
    for (const Pair& pair : pairs)
      change += penalty(pair, moved_score(pair)) - penalty(pair, pair.score);
    if (change >= 0) continue;
    moved = true;
    weights(row, own) = value;
    for (Pair& pair : pairs) pair.score = moved_score(pair);
    projections.col(own) += delta * x_.col(row);
    derive();
  }
  return moved;
}

/// Keeps the integers if their extremes overlap less than the best so far.
void Rounder::keep_best(const MatrixXd& weights) {
  const Layout& layout = loss_.layout();
  const MatrixXd projections = x_ * weights;
  double least = infinity, greatest = -infinity;
  for (Index u0 = 0; u0 < x_.rows(); u0 += row_block) {
    const Index rows = std::min(row_block, x_.rows() - u0);
    MatrixXd scores = MatrixXd::Constant(rows, x_.rows(), -infinity);
    for (Index k = 0; k < layout.heads(); ++k)
      scores = scores.cwiseMax(projections.block(u0, layout.query(k), rows, layout.width(k)) *
                               projections.middleCols(layout.key(k), layout.width(k)).transpose());
    for (Index i = 0; i < rows; ++i)
      for (const Edge& edge : loss_.graph().edges_from(static_cast<std::size_t>(u0 + i))) {
        double& score = scores(i, static_cast<Index>(edge.target));
        least = std::min(least, score);
        score = -infinity;
      }
    greatest = std::max(greatest, scores.maxCoeff());
  }
  const double gap = (least - greatest) / (unit_ * unit_);
  if (best_.size() > 0 && !(gap > best_gap_)) return;
  best_ = weights;
  best_gap_ = gap;
}

void Rounder::shuffle(std::vector<Index>& values) {
  for (std::size_t i = values.size(); i > 1; --i)
    std::swap(values[i - 1], values[random_.below(i)]);
}

}  // namespace qkcert::fit
