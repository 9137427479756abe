#include <qkcert/constructions/minimax.hpp>

#include "constructions/proposals.hpp"

namespace qkcert {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

TEST_CASE("the map has the images asked for, and its longest outsider is the one it says") {
  test::repeat(30, [](Random& random) {
    const std::size_t d = 3 + random.below(6), m = d + random.below(20), w = 1 + random.below(3);
    const std::size_t k = 1 + random.below(3);
    const Matrix rows = gaussian_embedding(m, d, 12, random.below(1U << 30)).rows;
    std::vector<std::size_t> tuple(k);
    for (std::size_t t = 0; t < k; ++t) tuple[t] = t * (m / k);
    const MatrixXd images = MatrixXd::NullaryExpr(static_cast<Index>(k), static_cast<Index>(w),
                                                  [&] { return double(random.sign()); });
    const auto map = Minimax(rows).shortest(tuple, images, 1);
    const double largest = static_cast<double>(to_int64(rows.max_abs()).value());
    double longest = 0;
    for (std::size_t v = 0, t = 0; v < m; ++v) {
      Eigen::RowVectorXd x(static_cast<Index>(d));
      for (std::size_t j = 0; j < d; ++j)
        x(static_cast<Index>(j)) = static_cast<double>(to_int64(rows.at(v, j)).value()) / largest;
      if (t < k && v == tuple[t])
        CHECK((x * map.weights - images.row(static_cast<Index>(t++))).norm() < 1e-3);
      else
        longest = std::max(longest, (x * map.weights).norm());
    }
    CHECK(std::abs(longest - map.longest) < 1e-3);
  });
}

TEST_CASE("the shortest map in the plane is found to the bound asked for") {
  // x_0·z = 1 leaves z = (1, t); the others have |5t/10| and |1 - t|: least at t = 2/3, 1/3 each.
  const Matrix rows = test::matrix({{10, 0}, {0, 5}, {10, -10}});
  const std::vector<std::size_t> tuple = {0};
  const MatrixXd one = MatrixXd::Ones(1, 1);
  const Minimax minimax(rows);
  CHECK(minimax.shortest(tuple, one, 0.38).longest < 0.9 * 0.38);
  const double least = minimax.shortest(tuple, one, 1.0 / 3 + 1e-9).longest;
  CHECK(least > 1.0 / 3 - 1e-9);
  CHECK(least < 1.0 / 3 + 1e-3);
}

}  // namespace
}  // namespace qkcert
