#include <limits>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/matrix.hpp>

#include "support.hpp"

namespace qkcert {
namespace {

using namespace test;

constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();

TEST_CASE("a matrix holds what was set, narrow or wide") {
  repeat(100, [](Random& random) {
    const std::size_t rows = 1 + random.below(5);
    const std::size_t cols = 1 + random.below(5);
    Matrix matrix(rows, cols);
    std::vector<Integer> expected(rows * cols);
    bool fits = true;
    for (int step = 0; step < 40; ++step) {
      const std::size_t i = random.below(rows);
      const std::size_t j = random.below(cols);
      const Integer value = random_integer(random, random.below(20) == 0 ? 70 : 63);
      fits = fits && abs(value) <= greatest;
      matrix.set(i, j, value);
      expected[i * cols + j] = value;
    }
    CHECK(matrix.narrow() == fits);
    Integer largest = 0;
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < cols; ++j) {
        CHECK(matrix.at(i, j) == expected[i * cols + j]);
        CHECK((matrix.narrow() ? Integer(matrix.narrow_row(i)[j]) : matrix.wide_row(i)[j]) ==
              expected[i * cols + j]);
        largest = std::max(largest, Integer(abs(expected[i * cols + j])));
      }
    CHECK(matrix.max_abs() == largest);
    CHECK(matrix.widened() == matrix);
    CHECK_FALSE(matrix.widened().narrow());
    CHECK(matrix.widened().max_abs() == largest);
  });
}

TEST_CASE("a matrix widens exactly when an entry leaves |x| <= 2^63 - 1") {
  Matrix matrix(1, 3);
  matrix.set(0, 0, greatest);
  matrix.set(0, 1, -greatest);
  CHECK(matrix.narrow());
  CHECK(matrix.max_abs() == greatest);
  SECTION("as a machine integer") { matrix.set(0, 2, least); }
  SECTION("as an Integer") { matrix.set(0, 2, Integer(least)); }
  CHECK_FALSE(matrix.narrow());
  CHECK(matrix.at(0, 0) == greatest);
  CHECK(matrix.at(0, 1) == -greatest);
  CHECK(matrix.at(0, 2) == least);
  CHECK(matrix.max_abs() == power_of_two(63));
  matrix.set(0, 2, std::int64_t{4});
  CHECK(matrix.at(0, 2) == 4);
  CHECK_FALSE(matrix.narrow());
}

TEST_CASE("matrices compare by shape and value, not by storage") {
  Matrix a = identity(2);
  CHECK(a == a.widened());
  CHECK(a.widened() == a);
  Matrix b = a;
  b.set(1, 1, std::int64_t{0});
  CHECK_FALSE(a == b);
  CHECK_FALSE(a.widened() == b);
  CHECK_FALSE(a == b.widened());
  CHECK_FALSE(a.widened() == b.widened());
  CHECK_FALSE(Matrix(0, 2) == Matrix(0, 3));
  CHECK_FALSE(Matrix(2, 3) == Matrix(3, 2));
  CHECK(Matrix() == Matrix(0, 0));
}

TEST_CASE("every access of a matrix is checked") {
  Matrix matrix(2, 3);
  for (const auto& [row, col] : {std::pair<std::size_t, std::size_t>{2, 0},
                                 {0, 3},
                                 {std::size_t(-1), 0},
                                 {0, std::size_t(-1)}}) {
    CHECK_THROWS_AS(matrix.at(row, col), ShapeError);
    CHECK_THROWS_AS(matrix.set(row, col, std::int64_t{1}), ShapeError);
    CHECK_THROWS_AS(matrix.set(row, col, least), ShapeError);
    CHECK_THROWS_AS(matrix.set(row, col, power_of_two(70)), ShapeError);
  }
  CHECK(matrix.narrow());
  CHECK_THROWS_AS(matrix.narrow_row(2), ShapeError);
  CHECK_THROWS_AS(matrix.wide_row(0), ShapeError);
  CHECK_THROWS_AS(matrix.widened().narrow_row(0), ShapeError);
  CHECK_THROWS_AS(matrix.widened().wide_row(2), ShapeError);
  CHECK_THROWS_AS(Matrix(0, 3).at(0, 0), ShapeError);
  CHECK_THROWS_AS(Matrix(3, 0).at(0, 0), ShapeError);
}

TEST_CASE("shapes that fit no memory are refused, empty ones are not") {
  constexpr std::size_t huge = std::numeric_limits<std::size_t>::max();
  constexpr std::size_t half = std::size_t{1} << 32;
  CHECK_THROWS_AS(Matrix(huge, huge), SizeError);
  CHECK_THROWS_AS(Matrix(huge, 1), SizeError);
  CHECK_THROWS_AS(Matrix(1, huge), SizeError);
  CHECK_THROWS_AS(Matrix(half, half), SizeError);      // the product wraps to 0
  CHECK_THROWS_AS(Matrix(half, half + 1), SizeError);  // and to 2^32
  CHECK(Matrix(0, huge).cols() == huge);
  CHECK(Matrix(huge, 0).rows() == huge);
  CHECK(Matrix(0, huge).max_abs() == 0);
}

TEST_CASE("the identity has ones on the diagonal alone") {
  const Matrix matrix = identity(4);
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) CHECK(matrix.at(i, j) == (i == j ? 1 : 0));
  CHECK(identity(0) == Matrix());
}

}  // namespace
}  // namespace qkcert
