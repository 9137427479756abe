#include <qkcert/core/errors.hpp>
#include <qkcert/core/row_products.hpp>

#include "support.hpp"

namespace qkcert {
namespace {

using namespace test;

std::vector<Integer> slowly(const Matrix& rows, const std::vector<Integer>& z) {
  std::vector<Integer> products;
  for (std::size_t v = 0; v < rows.rows(); ++v) {
    products.emplace_back(0);
    for (std::size_t j = 0; j < rows.cols(); ++j) products[v] += rows.at(v, j) * z[j];
  }
  return products;
}

TEST_CASE("row products are those of the definition, at every size of number") {
  repeat(200, [](Random& random) {
    const std::size_t m = random.below(5), d = random.below(5);
    const Matrix rows = random_matrix(random, m, d, 1 + static_cast<unsigned>(random.below(80)));
    std::vector<Integer> z;
    const auto bits = 1 + static_cast<unsigned>(random.below(80));
    for (std::size_t j = 0; j < d; ++j) z.push_back(random_integer(random, bits));
    CHECK(RowProducts(rows).with(z) == slowly(rows, z));
  });
}

TEST_CASE("row products at the limits of 64 and 128 bits") {
  for (const std::size_t d : {1U, 2U, 3U, 4U, 5U, 8U, 9U})
    for (const int sign : {-1, 1}) {
      Matrix rows(2, d);
      std::vector<Integer> z;
      for (std::size_t j = 0; j < d; ++j) {
        rows.set(0, j, Integer(sign * (power_of_two(63) - 1)));
        rows.set(1, j, Integer(power_of_two(63) - 1));
        z.push_back(power_of_two(63) - 1);
      }
      for (std::size_t change = 0; change < 3; ++change) {
        CHECK(RowProducts(rows).with(z) == slowly(rows, z));
        z[0] += 1;
      }
    }
}

TEST_CASE("row products need one entry per column") {
  const Matrix rows(2, 3);
  CHECK_THROWS_AS(RowProducts(rows).with({1, 2}), ShapeError);
  CHECK(RowProducts(rows).with({1, 2, 3}) == std::vector<Integer>(2, 0));
}

}  // namespace
}  // namespace qkcert
