#include <cmath>
#include <qkcert/bounds/narrow_head.hpp>
#include <qkcert/bounds/refute_question.hpp>
#include <qkcert/core/errors.hpp>

namespace qkcert {

namespace {

using namespace refutation;
using Eigen::ArrayXXd;
using Eigen::Index;
using Eigen::MatrixXd;
using Clock = std::chrono::steady_clock;

/// y·2^bits rounded on one side, the greatest entry changed to make the total 2^bits; entries of at
/// most 52 bits, so that sums are exact. Empty when that entry would not be positive.
std::vector<Multiplier> rounded_side(const ArrayXXd& y, int bits) {
  Index row = 0, col = 0;
  y.maxCoeff(&row, &col);
  ArrayXXd whole = (y * std::ldexp(1.0, bits)).round();
  whole(row, col) += std::ldexp(1.0, bits) - whole.sum();
  std::vector<Multiplier> list;
  if (!whole.allFinite() || !(whole(row, col) > 0)) return list;
  for (Index u = 0; u < y.rows(); ++u)
    for (Index v = 0; v < y.cols(); ++v)
      if (whole(u, v) > 0)
        list.push_back({{static_cast<std::size_t>(u), static_cast<std::size_t>(v)},
                        Integer(static_cast<std::int64_t>(whole(u, v)))});
  return list;
}

/// Σ|M_ij|.
Integer spread_of(const Multipliers& multipliers, const IntMatrix& x) {
  IntMatrix y(x.rows(), x.rows());
  for (const auto* list : {&multipliers.edges, &multipliers.nonedges})
    for (const auto& [pair, weight] : *list) {
      const Integer value = list == &multipliers.edges ? weight : Integer(-weight);
      fmpz_set_mpz(y.at(static_cast<slong>(pair.source), static_cast<slong>(pair.target)),
                   value.backend().data());
    }
  const IntMatrix moment = x.transposed() * y * x;
  Integer spread = 0;
  for (slong i = 0; i < moment.rows(); ++i)
    for (slong j = 0; j < moment.cols(); ++j) spread += abs(moment.value(i, j));
  return spread;
}

}  // namespace

std::optional<NarrowHeadImpossibility> refute_narrow_head(const Graph& graph,
                                                          const Matrix& embedding,
                                                          const Integer& width,
                                                          const Integer& weight_max,
                                                          const RefuteOptions& options) {
  require(embedding.rows() == graph.vertices() && embedding.cols() > 0,
          "refute_narrow_head: one row per vertex is required");
  require(width >= 1 && weight_max >= 1, "refute_narrow_head: width and weight_max >= 1");
  const auto deadline = Clock::now() + options.budget;
  const std::vector<Edge>& kept = options.kept ? *options.kept : graph.edges();
  if (kept.empty() || graph.edges().size() == graph.vertices() * graph.vertices()) return {};
  const IntMatrix x = int_matrix(embedding);
  MatrixXd points = x.doubles();
  points /= std::max(1.0, points.cwiseAbs().maxCoeff());
  if (!points.allFinite()) return {};
  const ArrayXXd sign = signs_of(graph, kept);
  ArrayXXd rho = ArrayXXd::Ones(points.cols(), points.cols());
  for (int round = 0; round < 8; ++round) {
    HullSolver solver({points, sign, 0 * sign, rho});
    for (int steps = 0; steps < 60 && solver.complementarity() > 1e-15; ++steps) {
      if (Clock::now() >= deadline) return {};
      if (!solver.step()) break;
    }
    const ArrayXXd y = solver.point().y;
    for (const int bits : {8, 16, 24, 32, 42, 52}) {
      const Multipliers found{rounded_side((sign > 0).select(y, 0), bits),
                              rounded_side((sign < 0).select(y, 0), bits)};
      if (found.edges.empty() || found.nonedges.empty()) continue;
      if (width * weight_max * weight_max * spread_of(found, x) <
          power_of_two(static_cast<std::size_t>(bits)))
        return NarrowHeadImpossibility{graph, embedding, width, weight_max, found};
    }
    // Σ M²/ρ with ρ near |M| is near Σ|M|.
    const ArrayXXd moment = (points.transpose() * (sign * y).matrix() * points).array().abs();
    if (!(moment.maxCoeff() > 0)) return {};
    rho = moment / moment.maxCoeff() + 1e-4;
  }
  return {};
}

}  // namespace qkcert
