#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <qkcert/constructions/fit_quantise.hpp>
#include <qkcert/constructions/fit_rounding.hpp>
#include <qkcert/core/parallel.hpp>

namespace qkcert::fit {

using Eigen::VectorXd;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double share = 0.3;  ///< of the rows still free that are rounded, and that a repair frees
constexpr int rounding_iterations = 60;
constexpr int repair_iterations = 40;
constexpr int sweeps = 20;
constexpr double quantised_below = 16;  ///< the weight limit from which rounding is by rows
constexpr Index row_block = 64;
/// Extremes of integers are compared in floats: a gap is one from here on.
constexpr double least_gap = 1e-5;

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

void shuffle(std::vector<Index>& values, Random& random) {
  for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[random.below(i)]);
}

}  // namespace

Random step_random(std::uint64_t seed, Phase phase, std::uint64_t step) {
  return Random(seed + 0x9E3779B97F4A7C15 * (4 * step + static_cast<std::uint64_t>(phase)));
}

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

Rounder::Rounder(Loss& loss, const MatrixXd& x, double weight_max, std::uint64_t seed, State& state,
                 Hooks hooks)
    : loss_(loss),
      x_(x),
      gram_(x.transpose() * x),
      weight_max_(weight_max),
      seed_(seed),
      state_(state),
      hooks_(std::move(hooks)) {}

MatrixXd Rounder::round(std::uint64_t repairs, int steps) {
  MatrixXd& weights = state_.point;
  if (weights.isZero(0)) return weights;
  std::vector<Index> order = indices(weights.rows());
  std::stable_sort(order.begin(), order.end(),
                   [&](Index i, Index j) { return gram_(i, i) > gram_(j, j); });
  if (state_.phase != Phase::repair) {
    if (state_.phase == Phase::round && state_.step == 0) scale();
    if (weight_max_ < quantised_below) {
      if (state_.phase == Phase::round && round_quickly(order)) return state_.best;
      descend_on_integers(steps);
    } else {
      fix_rows(weights, order, state_.step, rounding_iterations, true);
    }
    keep_best(weights);
    Random random = step_random(seed_, Phase::round, 1);
    state_.loss = improve(weights, random);
    state_.phase = Phase::repair;
    state_.step = 0;
  }
  for (; state_.step < repairs && state_.gap <= least_gap; ++state_.step) {
    hooks_.checkpoint();
    if (hooks_.interrupted()) break;
    hooks_.progress("fit: repair " + std::to_string(state_.step + 1));
    Random random = step_random(seed_, Phase::repair, state_.step);
    std::vector<Index> freed = order;
    shuffle(freed, random);
    freed.resize(std::max<std::size_t>(
        1, static_cast<std::size_t>(share * static_cast<double>(freed.size()))));
    MatrixXd candidate = weights;
    fix_rows(candidate, freed, 0, repair_iterations, false);
    const double value = improve(candidate, random);
    if (value > state_.loss) continue;
    state_.loss = value;
    weights.swap(candidate);
  }
  return state_.best;
}

/// Below 64 levels it pays to clip the few largest entries for finer steps of the others.
void Rounder::scale() {
  MatrixXd& weights = state_.point;
  const double rms = std::sqrt(weights.squaredNorm() / static_cast<double>(weights.size()));
  const double peak = weights.cwiseAbs().maxCoeff() / rms;
  const double clip = weight_max_ >= 64 ? peak : std::min(peak, 1.2 + 0.6 * std::log(weight_max_));
  state_.unit = weight_max_ / (clip * rms);
  weights *= state_.unit;
}

/// Row by row without descent on the integers, which costs more; whether that was enough.
bool Rounder::round_quickly(const std::vector<Index>& order) {
  MatrixXd weights = state_.point;
  fix_rows(weights, order, 0, rounding_iterations, false);
  keep_best(weights);
  return state_.gap > least_gap;
}

/// Rounds by descent over the integers. Its states have a phase of their own, since a state of the
/// phase `round` at step 0 holds floats that are still to be scaled.
void Rounder::descend_on_integers(int steps) {
  const int first = state_.phase == Phase::quantise ? static_cast<int>(state_.step) : 0;
  state_.phase = Phase::quantise;
  quantise(loss_, x_, state_.point, state_.unit,
           {.weight_max = weight_max_,
            .steps = steps,
            .first = first,
            .interrupted = hooks_.interrupted,
            .on_leg = [this](double value, int step) {
              state_.step = static_cast<std::uint64_t>(step);
              hooks_.checkpoint();
              hooks_.progress("fit: descending on integers, step " + std::to_string(step) +
                              ", loss " + std::to_string(value));
            }});
  state_.point = nearest_integers(state_.point, weight_max_);
}

/// Rounds the given rows (all others are integers already), a share at a time: the rows still free
/// take up the error of each rounded one, first by least squares, then by the loss. `first` of them
/// are rounded already, and `keep`: the state's step counts them.
void Rounder::fix_rows(MatrixXd& weights, const std::vector<Index>& order, std::size_t first,
                       int iterations, bool keep) {
  const double unit = state_.unit;
  for (std::size_t next = first; next < order.size();) {
    const auto left = static_cast<double>(order.size() - next);
    for (const std::size_t until = next + static_cast<std::size_t>(std::ceil(share * left));
         next < until;) {
      const Index row = order[next++];
      pass_on_error(weights, row, {order.begin() + static_cast<Index>(next), order.end()});
    }
    if (next == order.size()) return;
    const std::vector<Index> rest(order.begin() + static_cast<Index>(next), order.end());
    const MatrixXd x_rest = x_(Eigen::all, rest);
    const MatrixXd whiten = whitener(x_rest, x_.rows());
    MatrixXd fixed = weights / unit;
    fixed(rest, Eigen::all).setZero();
    MatrixXd z = whiten.completeOrthogonalDecomposition().solve(weights(rest, Eigen::all) / unit);
    const double value =
        descend(loss_, (x_ * fixed).cast<float>(), (x_rest * whiten).cast<float>(), z,
                {.iterations = iterations,
                 .done = [](const Loss&, double each) { return each < 1e-9; },
                 .interrupted = hooks_.interrupted});
    weights(rest, Eigen::all) = whiten * z * unit;
    if (!keep) continue;
    state_.step = next;
    hooks_.checkpoint();
    hooks_.progress("fit: " + std::to_string(next) + " of " + std::to_string(order.size()) +
                    " rows rounded, loss " + std::to_string(value));
  }
}

/// Rounds one row and moves the rows in `rest` so that X·W changes least.
void Rounder::pass_on_error(MatrixXd& weights, Index row, const std::vector<Index>& rest) const {
  Eigen::RowVectorXd error = weights.row(row);
  weights.row(row) = nearest_integers(error, weight_max_);
  error -= weights.row(row);
  if (rest.empty()) return;
  MatrixXd normal = gram_(rest, rest);
  normal.diagonal().array() += 1e-9 * normal.trace() / static_cast<double>(rest.size()) + 1e-300;
  weights(rest, Eigen::all) += normal.llt().solve(gram_(rest, row)) * error;
}

/// Coordinate descent on the integers, one weight at a time: a change of W_Q(i, c) by δ changes the
/// scores of its head by δ·x_ui·k_vc, a rank-one update. Returns the loss in units of the floats.
double Rounder::improve(MatrixXd& weights, Random& random) {
  const Layout& layout = loss_.layout();
  double total = 0;
  for (int sweep = 0; sweep < sweeps && !hooks_.interrupted(); ++sweep) {
    MatrixXd projections = x_ * weights;
    bool moved = false;
    total = 0;
    std::vector<Index> heads = indices(layout.heads());
    shuffle(heads, random);
    for (const Index head : heads) {
      if (hooks_.interrupted()) break;
      std::vector<Pair> pairs = pairs_of_head(projections, head);
      std::vector<Index> columns = indices(2 * layout.width(head));
      shuffle(columns, random);
      for (const Index column : columns)
        moved |= improve_column(weights, projections, pairs, head, column, random);
      for (const Pair& pair : pairs) total += penalty(pair, pair.score);
    }
    keep_best(weights);
    if (state_.gap > least_gap || !moved) break;
  }
  return total / std::pow(state_.unit, 4);
}

std::vector<Rounder::Pair> Rounder::pairs_of_head(const MatrixXd& projections, Index head) const {
  const Layout& layout = loss_.layout();
  const double high = state_.unit * state_.unit;
  const auto near = static_cast<float>(loss_.t_minus - 0.3);
  const auto dot = [&](Index u, Index v, Index k) {
    return projections.row(u)
        .segment(layout.query(k), layout.width(k))
        .dot(projections.row(v).segment(layout.key(k), layout.width(k)));
  };
  const Index m = x_.rows(), width = layout.width(head), blocks = (m + row_block - 1) / row_block;
  const MatrixF queries =
      (projections.middleCols(layout.query(head), width) / state_.unit).cast<float>();
  const MatrixF keys =
      (projections.middleCols(layout.key(head), width) / state_.unit).cast<float>();
  Panels panels;
  panels.pack_transposed(block(keys, 0, m, 0, width));
  std::vector<std::vector<Pair>> found(static_cast<std::size_t>(blocks));
  parallel_for(found.size(), loss_.threads(), [&](std::size_t index, unsigned) {
    const Index u0 = static_cast<Index>(index) * row_block, rows = std::min(row_block, m - u0);
    for (Index u = u0; u < u0 + rows; ++u)
      for (const Edge& edge : loss_.graph().edges_from(static_cast<std::size_t>(u))) {
        const auto v = static_cast<Index>(edge.target);
        double other = -infinity;
        for (Index k = 0; k < layout.heads(); ++k)
          if (k != head) other = std::max(other, dot(u, v, k));
        if (other < high) found[index].push_back({u, v, dot(u, v, head), other, true});
      }
    std::vector<Hit> hits;
    hits_above(block(queries, u0, rows, 0, width), panels, near, hits);
    for (const auto& [row, v] : hits) {
      const Index u = u0 + row;
      if (!loss_.graph().contains({static_cast<std::size_t>(u), v}))
        found[index].push_back({u, v, dot(u, v, head), 0, false});
    }
  });
  std::vector<Pair> pairs;
  for (const auto& each : found) pairs.insert(pairs.end(), each.begin(), each.end());
  return pairs;
}

double Rounder::penalty(const Pair& pair, double score) const {
  const double high = state_.unit * state_.unit;
  const double residual =
      pair.edge ? high - std::max(score, pair.other) : score - loss_.t_minus * high;
  return residual > 0 ? residual * residual : 0;
}

/// One pass over the weights of one column. `column` < width is a query column, else a key column.
bool Rounder::improve_column(MatrixXd& weights, MatrixXd& projections, std::vector<Pair>& pairs,
                             Index head, Index column, Random& random) {
  const Layout& layout = loss_.layout();
  const Index width = layout.width(head);
  const bool query = column < width;
  const Index offset = query ? column : column - width;
  const Index own = (query ? layout.query(head) : layout.key(head)) + offset;
  const Index partner = (query ? layout.key(head) : layout.query(head)) + offset;
  const double high = state_.unit * state_.unit;
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
  shuffle(rows, random);
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
  MatrixF ignored;
  loss_.evaluate((x_ * weights / state_.unit).cast<float>(), ignored);
  const double gap = double{loss_.least_edge()} - loss_.greatest_nonedge();
  if (state_.best.size() > 0 && !(gap > state_.gap)) return;
  state_.best = weights;
  state_.gap = gap;
}

}  // namespace qkcert::fit
