#include <qkcert/constructions/good_pairs.hpp>

#include "constructions/proposals.hpp"

namespace qkcert {
namespace {

Integer product(const Matrix& rows, std::size_t v, const std::vector<Integer>& z) {
  Integer sum = 0;
  for (std::size_t j = 0; j < rows.cols(); ++j) sum += rows.at(v, j) * z[j];
  return sum;
}

/// The definition; j == i for a single.
bool singles_out(const Matrix& rows, const std::vector<Integer>& z, std::size_t i, std::size_t j) {
  const Integer n = product(rows, i, z);
  if (n <= 0 || (i != j && product(rows, j, z) != -n)) return false;
  for (std::size_t v = 0; v < rows.rows(); ++v)
    if (v != i && v != j && abs(product(rows, v, z)) >= n) return false;
  return true;
}

void check_vector(const Matrix& rows, const GoodVector& found, std::size_t i, std::size_t j) {
  CHECK(singles_out(rows, found.z, i, j));
  CHECK(found.n == product(rows, i, found.z));
  Integer greatest = 0, common = 0;
  for (std::size_t v = 0; v < rows.rows(); ++v)
    if (v != i && v != j) greatest = std::max<Integer>(greatest, abs(product(rows, v, found.z)));
  for (const Integer& entry : found.z) common = gcd(common, entry);
  CHECK(found.greatest == greatest);
  CHECK(common == 1);
}

TEST_CASE("every vector keeps the definition, in Gaussian and in small integer embeddings") {
  test::repeat(20, [](Random& random) {
    const std::size_t d = 1 + random.below(6), m = 2 + random.below(12);
    const unsigned bits = 2 + static_cast<unsigned>(random.below(45));
    const bool gaussian = random.below(2) == 0;
    const Matrix rows = gaussian ? gaussian_embedding(m, d, bits, random.below(1U << 30)).rows
                                 : test::random_matrix(random, m, d, 1 + bits % 70);
    const GoodVectors vectors(rows);
    for (std::size_t i = 0; i < m; ++i) {
      if (const auto single = vectors.single(i)) check_vector(rows, *single, i, i);
      for (std::size_t j = 0; j < m; ++j) {
        if (j == i) continue;
        const auto pair = vectors.pair(i, j);
        if (pair) check_vector(rows, *pair, i, j);
        CHECK(pair.has_value() == vectors.pair(j, i).has_value());
      }
    }
  });
}

TEST_CASE("in the plane exactly the good pairs are found") {
  std::size_t good = 0, bad = 0;
  test::repeat(100, [&](Random& random) {
    const std::size_t m = 2 + random.below(4);
    const Matrix rows = test::random_matrix(random, m, 2, 4);
    const GoodVectors vectors(rows);
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = i + 1; j < m; ++j) {
        // ⟨z, x_i + x_j⟩ = 0 leaves one line, when the sum is not zero.
        const Integer a = rows.at(i, 0) + rows.at(j, 0), b = rows.at(i, 1) + rows.at(j, 1);
        if (a == 0 && b == 0) continue;
        const bool exists =
            singles_out(rows, {Integer(-b), a}, i, j) || singles_out(rows, {b, Integer(-a)}, i, j);
        CHECK(vectors.pair(i, j).has_value() == exists);
        ++(exists ? good : bad);
      }
  });
  CHECK(good > 100);
  CHECK(bad > 100);
}

TEST_CASE("in three dimensions whatever a search among small vectors finds is found") {
  std::size_t by_search = 0;
  test::repeat(6, [&](Random& random) {
    const std::size_t m = 5;
    const Matrix rows = test::random_matrix(random, m, 3, 3);
    const GoodVectors vectors(rows);
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = i; j < m; ++j) {
        bool exists = false;
        for (int a = -4; a <= 4; ++a)
          for (int b = -4; b <= 4; ++b)
            for (int c = -4; c <= 4; ++c) exists = exists || singles_out(rows, {a, b, c}, i, j);
        if (!exists) continue;
        ++by_search;
        CHECK((i == j ? vectors.single(i) : vectors.pair(i, j)).has_value());
      }
  });
  CHECK(by_search > 20);
}

TEST_CASE("rows that nothing singles out, and rows without dimensions") {
  const Matrix rows = test::matrix({{1, 2}, {1, 2}, {-1, -2}, {0, 0}, {5, 1}});
  const GoodVectors vectors(rows);
  CHECK_FALSE(vectors.single(0));
  CHECK_FALSE(vectors.single(3));
  CHECK(vectors.single(4));
  CHECK_FALSE(vectors.pair(0, 1));
  CHECK_FALSE(vectors.pair(0, 2));  // row 1 is row 0
  CHECK_FALSE(vectors.pair(3, 4));
  const Matrix opposite = test::matrix({{3, 1}, {-3, -1}, {1, 1}});
  CHECK(GoodVectors(opposite).pair(0, 1));
  CHECK_FALSE(GoodVectors(opposite).single(0));
  const Matrix flat(2, 0);
  CHECK_FALSE(GoodVectors(flat).pair(0, 1));
  CHECK_THROWS_AS(vectors.pair(1, 1), ShapeError);
  CHECK_THROWS_AS(vectors.pair(1, 5), ShapeError);
  CHECK_THROWS_AS(vectors.single(5), ShapeError);
}

TEST_CASE("of 64 Gaussian rows in 16 dimensions each has at most 2 bad partners") {
  const Matrix rows = gaussian_embedding(64, 16, 20, 1).rows;
  const GoodVectors vectors(rows);
  for (std::size_t i = 0; i < 64; ++i) {
    std::size_t bad = 0;
    for (std::size_t j = 0; j < 64; ++j) bad += j != i && !vectors.pair(i, j);
    CHECK(bad <= 2);
  }
}

}  // namespace
}  // namespace qkcert
