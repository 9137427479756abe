#include <Eigen/Dense>
#include <qkcert/constructions/fit_rounding.hpp>
#include <qkcert/core/random_graph.hpp>

#include "support.hpp"

using namespace qkcert;
using namespace qkcert::fit;

namespace {

MatrixXd gaussian(Random& random, Index rows, Index cols) {
  MatrixXd matrix(rows, cols);
  for (Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = random.normal();
  return matrix;
}

}  // namespace

TEST_CASE("whitened coordinates are orthonormal, also on a rank-deficient embedding") {
  test::repeat(20, [](Random& random) {
    const auto m = static_cast<Index>(20 + random.below(30));
    const auto rank = static_cast<Index>(1 + random.below(6));
    const MatrixXd x = gaussian(random, m, rank) * gaussian(random, rank, 7);
    const MatrixXd t = whitener(x, m);
    const MatrixXd gram = (x * t).transpose() * (x * t) / static_cast<double>(m);
    CHECK((gram * gram - gram).norm() < 1e-6);  // a projection
    CHECK(gram.trace() == Approx(static_cast<double>(rank)));
  });
}

TEST_CASE("equalising leaves every head's scores as they are and evens its entries") {
  test::repeat(20, [](Random& random) {
    const auto d = static_cast<Index>(1 + random.below(9));
    const Layout layout(
        {.heads = 1 + random.below(3), .head_dim = 1 + random.below(5), .wider = 0});
    MatrixXd weights = gaussian(random, d, 2 * layout.key_dimension());
    weights.leftCols(layout.key_dimension()) *= 100;
    const MatrixXd before = weights;
    equalise(weights, layout, random);
    for (Index k = 0; k < layout.heads(); ++k) {
      const auto form = [&](const MatrixXd& w) -> MatrixXd {
        return w.middleCols(layout.query(k), layout.width(k)) *
               w.middleCols(layout.key(k), layout.width(k)).transpose();
      };
      CHECK((form(weights) - form(before)).norm() < 1e-8 * (1 + form(before).norm()));
    }
    CHECK(weights.cwiseAbs().maxCoeff() < before.cwiseAbs().maxCoeff());
  });
}

TEST_CASE("rounded weights are integers within the limit") {
  for (const double limit : {1.0, 2.0, 7.0, 127.0, 1e6}) {
    const Graph graph = random_graph(Family("permutation", {20}), 5);
    Random random(test::seed());
    const MatrixXd x = gaussian(random, 20, 8);
    const Layout layout({.heads = 2, .head_dim = 5});
    Loss loss(graph, layout, 1);
    State state{.phase = Phase::round};
    state.point = 0.1 * gaussian(random, 8, 20);
    Rounder rounder(loss, x, limit, 1, state, {.interrupted = [] { return false; }});
    const MatrixXd w = rounder.round(2, 1000);
    CHECK(w.array().round().matrix() == w);
    CHECK(w.cwiseAbs().maxCoeff() <= limit);
    CHECK(w.cwiseAbs().maxCoeff() > 0.4 * limit);
  }
}
