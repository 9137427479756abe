#include <algorithm>
#include <cmath>
#include <limits>
#include <qkcert/constructions/fit_loss.hpp>
#include <qkcert/core/random_graph.hpp>

#include "support.hpp"

using namespace qkcert;
using namespace qkcert::fit;

namespace {

MatrixF random_projections(Random& random, Index m, Index key_dimension) {
  MatrixF projections(m, 2 * key_dimension);
  for (Index i = 0; i < projections.size(); ++i)
    projections.data()[i] = static_cast<float>(0.7 * random.normal());
  return projections;
}

/// The loss by its definition, in doubles, and the extremes.
struct Plain {
  double loss = 0;
  double least = std::numeric_limits<double>::infinity();
  double greatest = -std::numeric_limits<double>::infinity();

  Plain(const Graph& graph, const Layout& layout, const MatrixF& p, double t_minus, double beta) {
    for (Index u = 0; u < p.rows(); ++u)
      for (Index v = 0; v < p.rows(); ++v) {
        std::vector<double> scores;
        for (Index k = 0; k < layout.heads(); ++k) {
          double score = 0;
          for (Index j = 0; j < layout.width(k); ++j)
            score += double{p(u, layout.query(k) + j)} * p(v, layout.key(k) + j);
          scores.push_back(score);
        }
        const double top = *std::max_element(scores.begin(), scores.end());
        if (graph.contains({static_cast<std::size_t>(u), static_cast<std::size_t>(v)})) {
          double sum = 0;
          for (const double s : scores) sum += std::exp(beta * (s - top));
          const double maximum = beta > 0 ? top + std::log(sum) / beta : top;
          loss += std::pow(std::max(1 - maximum, 0.0), 2);
          least = std::min(least, top);
        } else {
          for (const double s : scores) loss += std::pow(std::max(s - t_minus, 0.0), 2);
          greatest = std::max(greatest, top);
        }
      }
  }
};

}  // namespace

TEST_CASE("the loss of fit is its definition and its gradient the finite difference") {
  test::repeat(30, [](Random& random) {
    const std::size_t m = 1 + random.below(90);
    const Graph graph = random_graph(
        Family("digraph-loops", {m, random.below(std::min<std::size_t>(m * m, 200) + 1)}),
        random.below(1000));
    const Layout layout(
        {.heads = 1 + random.below(4), .head_dim = 1 + random.below(5), .wider = 0});
    const MatrixF p = random_projections(random, static_cast<Index>(m), layout.key_dimension());
    Loss loss(graph, layout, 2);
    loss.t_minus = 0.5;
    loss.sharpness = random.below(2) == 0 ? 0 : 3;
    MatrixF gradient, ignored;
    const double value = loss.evaluate(p, gradient);
    const Plain plain(graph, layout, p, loss.t_minus, loss.sharpness);
    CHECK(value == Approx(plain.loss).epsilon(1e-4));
    CHECK(loss.least_edge() == Approx(plain.least).epsilon(1e-4));
    const double bar = loss.t_minus - double{Loss::slack};
    CHECK(loss.greatest_nonedge() == Approx(std::max(plain.greatest, bar)).epsilon(1e-4));
    MatrixF listed;
    loss.close_limit = random.below(2) == 0 ? 0 : loss.close_limit;
    CHECK(loss.evaluate(p, listed) == value);
    CHECK(loss.evaluate(p, listed, Pairs::close) == value);
    CHECK(listed == gradient);

    const auto i = static_cast<Index>(random.below(m));
    const auto j = static_cast<Index>(random.below(static_cast<std::uint64_t>(p.cols())));
    constexpr float step = 1e-3F;
    MatrixF up = p, down = p;
    up(i, j) += step;
    down(i, j) -= step;
    const double slope = (Plain(graph, layout, up, loss.t_minus, loss.sharpness).loss -
                          Plain(graph, layout, down, loss.t_minus, loss.sharpness).loss) /
                         (double{up(i, j)} - down(i, j));
    CHECK(gradient(i, j) == Approx(slope).epsilon(0.02).margin(0.05));
  });
}

TEST_CASE("the loss of fit does not depend on the thread count") {
  test::repeat(2, [](Random& random) {
    const std::size_t m = 700;
    const Graph graph = random_graph(Family("permutation", {m}), random.below(1000));
    const Layout layout({.heads = 3, .head_dim = 5, .wider = 2});
    const MatrixF p = random_projections(random, static_cast<Index>(m), layout.key_dimension());
    MatrixF one, many;
    Loss serial(graph, layout, 1), threaded(graph, layout, 5);
    CHECK(serial.evaluate(p, one) == threaded.evaluate(p, many));
    CHECK(one == many);
    CHECK(serial.greatest_nonedge() == threaded.greatest_nonedge());
  });
}

TEST_CASE("the list of fit holds the pairs near t⁻ and no others") {
  test::repeat(10, [](Random& random) {
    const Graph graph = random_graph(Family("permutation", {60}), random.below(1000));
    const Layout layout({.heads = 2, .head_dim = 3});
    MatrixF p = random_projections(random, 60, layout.key_dimension());
    MatrixF gradient;
    Loss loss(graph, layout, 1);
    loss.evaluate(p, gradient);
    // From here no pair that was below t⁻ - slack rises above t⁻: the list is enough.
    p *= 1.01F;
    const double near = loss.evaluate(p, gradient, Pairs::close);
    CHECK(near == loss.evaluate(p, gradient));
    // The list of a point where no pair is near t⁻ is empty: only the edges are left.
    loss.evaluate(0.01F * p, gradient);
    const double listed = loss.evaluate(p, gradient, Pairs::close);
    CHECK(listed < loss.evaluate(p, gradient));
  });
}

TEST_CASE("the layout of heads puts queries left and keys right") {
  const Layout layout({.heads = 3, .head_dim = 4, .wider = 2});
  CHECK(layout.key_dimension() == 14);
  CHECK(layout.width(1) == 5);
  CHECK(layout.width(2) == 4);
  CHECK(layout.query(2) == 10);
  CHECK(layout.key(0) == 14);
}
