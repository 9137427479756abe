#include <qkcert/constructions/fit_quantise.hpp>
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

struct Start {
  Start(std::uint64_t seed, double limit, std::size_t vertices = 30)
      : graph(random_graph(Family("permutation", {vertices}), seed)), weight_max(limit) {
    Random random(seed);
    x = gaussian(random, static_cast<Index>(vertices), 8);
    weights = limit / 2 * gaussian(random, 8, 36);
    unit = 4 * limit;
  }

  double loss(unsigned threads = 1) {
    Loss result(graph, layout, threads);
    MatrixF ignored;
    const MatrixXd integers = nearest_integers(weights, weight_max);
    return result.evaluate((x * integers / unit).cast<float>(), ignored);
  }

  void run(int steps, int first = 0, unsigned threads = 1,
           const std::function<void(double, int)>& on_leg = {}) {
    Loss result(graph, layout, threads);
    quantise(result, x, weights, unit,
             {.weight_max = weight_max,
              .steps = steps,
              .first = first,
              .interrupted = [] { return false; },
              .on_leg = on_leg});
  }

  Graph graph;
  Layout layout = Layout({.heads = 3, .head_dim = 6});
  double weight_max;
  MatrixXd x, weights;
  double unit = 1;
};

}  // namespace

TEST_CASE("the nearest integers keep the limit") {
  MatrixXd weights(1, 5);
  weights << 0.4, -0.6, 2.4, 2.6, -9;
  MatrixXd expected(1, 5);
  expected << 0, -1, 2, 2, -2;
  CHECK(nearest_integers(weights, 2) == expected);
}

TEST_CASE("descent on the integers lowers their loss, and never leaves the limit behind") {
  for (const double limit : {1.0, 3.0, 7.0}) {
    Start start(test::seed(), limit);
    const double before = start.loss(), unit = start.unit;
    start.run(1500);
    CHECK(start.loss() < 0.2 * before);
    CHECK(start.weights.cwiseAbs().maxCoeff() < limit + 0.5);
    CHECK(start.unit > 0);
    CHECK(start.unit != unit);
  }
}

TEST_CASE("descent on the integers ends where they separate") {
  Start start(1, 7, 12);
  start.run(3000);
  const MatrixXd weights = start.weights;
  int legs = 0;
  start.run(3000, 0, 1, [&](double, int) { ++legs; });
  CHECK(legs == 1);
  CHECK(start.weights == weights);
}

TEST_CASE("descent on the integers goes on from its legs, whatever the threads") {
  Start expected(1, 1);
  std::vector<std::pair<int, MatrixXd>> legs;
  std::vector<double> units;
  expected.run(1200, 0, 1, [&](double value, int step) {
    CHECK(value == expected.loss());
    legs.push_back({step, expected.weights});
    units.push_back(expected.unit);
  });
  REQUIRE(legs.size() == 3);
  for (std::size_t i = 0; i < legs.size(); ++i) {
    Start again(1, 1);
    std::tie(again.weights, again.unit) = std::tie(legs[i].second, units[i]);
    again.run(1200, legs[i].first, 3);
    CHECK(again.weights == expected.weights);
    CHECK(again.unit == expected.unit);
  }
}

TEST_CASE("descent on the integers stops when told to") {
  Start start(1, 1);
  const MatrixXd before = start.weights;
  Loss loss(start.graph, start.layout, 1);
  quantise(loss, start.x, start.weights, start.unit,
           {.weight_max = 1, .steps = 100, .interrupted = [] { return true; }});
  CHECK(start.weights == before);
}
