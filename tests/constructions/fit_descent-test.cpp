#include <qkcert/constructions/fit_descent.hpp>
#include <qkcert/core/random_graph.hpp>

#include "support.hpp"

using namespace qkcert;
using namespace qkcert::fit;

namespace {

struct Problem {
  Graph graph = random_graph(Family("permutation", {12}), 3);
  MatrixF base = MatrixF::Zero(12, 16);
  MatrixF design = MatrixF::Identity(12, 12);
  MatrixXd start;

  Problem() : start(12, 16) {
    Random random(test::seed());
    for (Index i = 0; i < start.size(); ++i) start.data()[i] = 0.3 * random.normal();
  }
};

}  // namespace

TEST_CASE("descent reaches a separating point and leaves the loss there") {
  Problem problem;
  Loss loss(problem.graph, Layout({.heads = 2, .head_dim = 4}), 1);
  loss.sharpness = 2;
  MatrixXd z = problem.start;
  MatrixF gradient;
  const double before = loss.evaluate(problem.start.cast<float>(), gradient);
  const double after = descend(loss, problem.base, problem.design, z,
                               {.iterations = 2000,
                                .done = [](const Loss& each, double) { return each.separated(); },
                                .interrupted = [] { return false; },
                                .sharpening = 1.05});
  CHECK(after < before);
  CHECK(loss.separated());
  const float least = loss.least_edge();
  loss.evaluate(z.cast<float>(), gradient);
  CHECK(loss.least_edge() == least);
}

TEST_CASE("descent ends at once when interrupted and after its iterations") {
  Problem problem;
  Loss loss(problem.graph, Layout({.heads = 2, .head_dim = 4}), 1);
  loss.t_minus = -5;  // out of reach, so that the descent goes on
  int asked = 0;
  const auto count = [&](const Loss&, double) { return ++asked, false; };
  MatrixXd z = problem.start;
  descend(loss, problem.base, problem.design, z,
          {.iterations = 30, .done = count, .interrupted = [] { return false; }});
  CHECK(asked == 3);
  const MatrixXd before = z;
  descend(loss, problem.base, problem.design, z,
          {.iterations = 1000, .done = count, .interrupted = [] { return true; }});
  CHECK(asked == 4);
  CHECK(z == before);
}

TEST_CASE("descent goes on from any leg exactly as if it had not been interrupted") {
  // Too hard to come to an optimum early.
  const Graph graph = random_graph(Family("permutation", {60}), 3);
  const MatrixF base = MatrixF::Zero(60, 12);
  Random random(test::seed());
  MatrixF design(60, 30);
  for (Index i = 0; i < design.size(); ++i) design.data()[i] = static_cast<float>(random.normal());
  MatrixXd start(30, 12);
  for (Index i = 0; i < start.size(); ++i) start.data()[i] = 0.1 * random.normal();
  struct Leg {
    MatrixXd z;
    int iteration;
    double sharpness;
  };
  std::vector<Leg> legs;
  const auto run = [&](MatrixXd z, int first, double sharpness) {
    Loss loss(graph, Layout({.heads = 2, .head_dim = 3}), 1);
    loss.sharpness = sharpness;
    descend(loss, base, design, z,
            {.iterations = 700,
             .first = first,
             .done = [](const Loss&, double) { return false; },
             .interrupted = [] { return false; },
             .sharpening = 1.02,
             .on_leg =
                 [&](const MatrixXd& at, int iteration) {
                   legs.push_back({at, iteration, loss.sharpness});
                 }});
    return z;
  };
  const MatrixXd end = run(start, 0, 2);
  REQUIRE(legs.size() == 3);
  for (const Leg& leg : std::vector<Leg>(legs))
    CHECK(run(leg.z, leg.iteration, leg.sharpness) == end);
}

TEST_CASE("descent with and without a list of close pairs comes to the same verdict") {
  Problem problem;
  for (const std::size_t limit : {std::size_t{0}, std::size_t{1} << 20}) {
    Loss loss(problem.graph, Layout({.heads = 2, .head_dim = 4}), 1);
    loss.close_limit = limit;
    loss.sharpness = 2;
    MatrixXd z = problem.start;
    descend(loss, problem.base, problem.design, z,
            {.iterations = 2000,
             .done = [](const Loss& each, double) { return each.separated(); },
             .interrupted = [] { return false; },
             .sharpening = 1.05});
    CHECK(loss.separated());
  }
}
