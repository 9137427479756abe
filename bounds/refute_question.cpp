#include <qkcert/bounds/refute_question.hpp>

#include <algorithm>
#include <cmath>
#include <qkcert/bounds/refute_relations.hpp>
#include <qkcert/bounds/refute_vertex.hpp>
#include <qkcert/core/random.hpp>

#include <flint/fmpz_lll.h>

namespace qkcert::refutation {

using Eigen::ArrayXXd;
using Eigen::Index;
using Eigen::MatrixXd;

namespace {

/// Fills transform and points; returns how near the columns are to being dependent (1: orthogonal).
double whiten(Coordinates& at) {
  const auto r = static_cast<Index>(at.x.cols());
  const MatrixXd x = at.x.doubles();
  const Eigen::VectorXd inverse_norms = x.colwise().norm().cwiseInverse().transpose();
  const Eigen::HouseholderQR<MatrixXd> qr(x * inverse_norms.asDiagonal());
  const double scale = std::sqrt(static_cast<double>(x.rows()) / static_cast<double>(r));
  const MatrixXd target = scale * MatrixXd::Identity(r, r);
  at.transform = inverse_norms.asDiagonal() *
                 qr.matrixQR().topRows(r).triangularView<Eigen::Upper>().solve(target);
  at.points = x * at.transform;
  return qr.matrixQR().diagonal().cwiseAbs().minCoeff();
}

void remove_content(Coordinates& at) {
  fmpz_t content;
  fmpz_init(content);
  fmpz_mat_content(content, at.x.raw());
  if (!fmpz_is_zero(content)) {
    fmpz_mat_scalar_divexact_fmpz(at.x.raw(), at.x.raw(), content);
    fmpz_get_mpz(at.content.backend().data(), content);
  }
  fmpz_clear(content);
}

}  // namespace

Coordinates coordinates_of(const Matrix& embedding) {
  const IntMatrix all = int_matrix(embedding);
  const std::vector<slong> independent = independent_rows(all.transposed());
  const auto r = static_cast<slong>(independent.size());
  Coordinates at{IntMatrix(all.cols(), r), IntMatrix(all.rows(), r), 1, {}, {}};
  for (slong j = 0; j < r; ++j) fmpz_one(at.basis.at(independent[static_cast<std::size_t>(j)], j));
  at.x = all * at.basis;
  remove_content(at);
  if (r == 0 || whiten(at) > 1e-5) return at;
  IntMatrix rows = at.x.transposed(), steps(r, r);  // nearly dependent: a reduced basis is not
  fmpz_mat_one(steps.raw());
  fmpz_lll_t context;
  fmpz_lll_context_init_default(context);
  fmpz_lll(rows.raw(), steps.raw(), context);
  at.basis = at.basis * steps.transposed();
  at.x = rows.transposed();
  whiten(at);
  return at;
}

ArrayXXd signs_of(const Graph& graph, const std::vector<Edge>& kept) {
  const auto m = static_cast<Index>(graph.vertices());
  ArrayXXd sign = ArrayXXd::Constant(m, m, -1);
  const auto mark = [&](const std::vector<Edge>& edges, double value) {
    for (const auto& [u, v] : edges) sign(static_cast<Index>(u), static_cast<Index>(v)) = value;
  };
  mark(graph.edges(), 0);
  mark(kept, 1);
  return sign;
}

namespace {

Edge edge_at(Index u, Index v) {
  return {static_cast<std::size_t>(u), static_cast<std::size_t>(v)};
}

}  // namespace

double Question::margin(const MatrixXd& form) const {
  const ArrayXXd scores = (at_.points * form * at_.points.transpose()).array();
  const double infinity = std::numeric_limits<double>::infinity();
  return (sign_ > 0).select(scores, infinity).minCoeff() -
         (sign_ < 0).select(scores, -infinity).maxCoeff();
}

Head Question::head_of(const IntMatrix& form) const {
  return {core_matrix(at_.basis * form), core_matrix(at_.basis)};
}

std::optional<SeparatingForm> Question::separated_by(const IntMatrix& form) const {
  const IntMatrix scores = at_.x * form * at_.x.transposed();
  const fmpz *least = nullptr, *greatest = nullptr;
  for (slong u = 0; u < scores.rows(); ++u)
    for (slong v = 0; v < scores.cols(); ++v) {
      const fmpz* score = scores.at(u, v);
      if (sign_(u, v) > 0 && (!least || fmpz_cmp(score, least) < 0)) least = score;
      if (sign_(u, v) < 0 && (!greatest || fmpz_cmp(score, greatest) > 0)) greatest = score;
    }
  if (fmpz_cmp(least, greatest) <= 0) return std::nullopt;
  Integer threshold;
  fmpz_get_mpz(threshold.backend().data(), greatest);
  return SeparatingForm{head_of(form), threshold * at_.content * at_.content};
}

/// `form` in the embedding's coordinates, rounded with as few bits as will do.
std::optional<SeparatingForm> Question::separating(const MatrixXd& form) const {
  MatrixXd native = at_.transform * form * at_.transform.transpose();
  native /= native.cwiseAbs().maxCoeff();
  if (!native.allFinite()) return std::nullopt;
  const auto entry_bits = static_cast<int>(std::abs(fmpz_mat_max_bits(at_.x.raw())));
  const int limit = std::min(60 + 2 * entry_bits, 1000);
  for (int bits = 0; bits <= limit; bits += bits < 60 ? 1 : 8)
    if (auto found = separated_by(rounded(std::ldexp(1.0, bits) * native))) return found;
  return std::nullopt;
}

/// The multipliers that `near` spells, if it has the right signs and XᵀYX = 0.
std::optional<Multipliers> Question::spelled(const IntMatrix& near) const {
  Multipliers result;
  for (slong u = 0; u < near.rows(); ++u)
    for (slong v = 0; v < near.cols(); ++v) {
      const int value = fmpz_sgn(near.at(u, v)), side = sign_(u, v) > 0 ? 1 : -1;
      if (value * side < 0) return std::nullopt;
      if (value != 0)
        (side > 0 ? result.edges : result.nonedges)
            .push_back({edge_at(u, v), abs(near.value(u, v))});
    }
  const IntMatrix rest = at_.x.transposed() * near * at_.x;
  if (result.edges.empty() || !fmpz_mat_is_zero(rest.raw())) return std::nullopt;
  return result;
}

/// Moves an interior point of the meeting set to the lattice. The distance to the lattice does not
/// depend on the scale, so the first trial tells about how large the numbers have to be.
std::optional<Multipliers> Question::near_interior(const ArrayXXd& y) const {
  const double least = y.minCoeff();
  if (!(least > 1e-12 * y.maxCoeff()) || at_.x.cols() >= at_.x.rows()) return std::nullopt;
  // LLL cannot be interrupted: 192 rows of 41 bits take 8 s, 256 more than 250 s.
  if (at_.x.rows() * std::abs(fmpz_mat_max_bits(at_.x.raw())) > 8192) return std::nullopt;
  const auto relations = Relations::of(at_.x);
  if (!relations) return std::nullopt;
  double scale = 1 / least;
  while (scale * y.maxCoeff() < 0x1p50 && !late()) {
    const MatrixXd target = (scale * sign_ * y).matrix();
    const IntMatrix near = relations->near(target);
    if (auto found = spelled(near)) return found;
    const double distance = (near.doubles() - target).cwiseAbs().maxCoeff();
    scale = std::max(1.25 * scale, 0.5 * distance / least);
  }
  return std::nullopt;
}

std::optional<Multipliers> Question::on_support(const HullPoint& point) const {
  std::vector<SignedPair> support;
  for (Index u = 0; u < sign_.rows(); ++u)
    for (Index v = 0; v < sign_.cols(); ++v)
      if (sign_(u, v) != 0 && point.y(u, v) > point.s(u, v))
        support.push_back({edge_at(u, v), sign_(u, v) > 0 ? 1 : -1});
  if (support.size() < 2) return std::nullopt;
  const auto weights = exact_multipliers(at_.x, support);
  if (!weights) return std::nullopt;
  Multipliers result;
  for (std::size_t i = 0; i < support.size(); ++i)
    (support[i].sign > 0 ? result.edges : result.nonedges)
        .push_back({support[i].pair, (*weights)[i]});
  return result;
}

/// Random costs make one vertex of the meeting set the only optimum; at a vertex the support's
/// columns are independent but for one relation, however degenerate the points are.
std::optional<Multipliers> Question::at_vertex(std::uint64_t seed) const {
  Random random(seed);
  ArrayXXd cost(sign_.rows(), sign_.cols());
  for (double& entry : cost.reshaped())
    entry = static_cast<double>(random.below(1 << 30)) / (1 << 30);
  const Index r = at_.points.cols();
  HullSolver solver({at_.points, sign_, sign_.abs() * cost, ArrayXXd::Zero(r, r)});
  for (int steps = 0; steps < 120 && !late(); ++steps) {
    const bool moved = solver.step();
    if (solver.complementarity() < 1e-13 || !moved) return on_support(solver.point());
    if (solver.point().w.cwiseAbs().maxCoeff() > 1e8) return std::nullopt;  // nothing to meet at
  }
  return std::nullopt;
}

Refutation Question::answer() const {
  if (!at_.points.allFinite()) return Undecided{"the entries are beyond the range of floats"};
  const Index r = at_.points.cols();
  HullSolver solver({at_.points, sign_, 0 * sign_, ArrayXXd::Ones(r, r)});
  const double pairs = sign_.abs().sum();
  int steps = 0;
  for (bool moved = true; moved && steps < 100; ++steps) {
    if (late()) return Undecided{"the budget ended in the interior-point method"};
    moved = solver.step();
    const MatrixXd& form = solver.point().w;
    if (margin(form) > 0 && pairs * solver.complementarity() < 0.1 * form.squaredNorm())
      if (auto found = separating(form)) return *found;
    if (form.norm() < 1e-9) break;
  }
  if (!options_.sparse && !options_.kept)
    if (auto found = near_interior(solver.point().y)) return *found;
  for (std::uint64_t attempt = 0; attempt < 8 && !late(); ++attempt)
    if (auto found = at_vertex(options_.seed + attempt)) return *found;
  if (auto found = separating(solver.point().w)) return *found;
  return Undecided{"the hulls are " + std::to_string(solver.point().w.norm()) + " apart after " +
                   std::to_string(steps) + " steps; no rounding separates, no vertex is exact"};
}

}  // namespace qkcert::refutation
