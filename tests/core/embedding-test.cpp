#include <cmath>
#include <limits>
#include <qkcert/core/embedding.hpp>
#include <qkcert/core/errors.hpp>

#include "support.hpp"

namespace qkcert::test {
namespace {

Rational two_to(std::int64_t exponent) {
  const Rational positive = power_of_two(static_cast<std::size_t>(std::abs(exponent)));
  return exponent < 0 ? 1 / positive : positive;
}

Rational exact(const Dyadic& x) {
  const Rational size = Rational(Integer(x.magnitude)) * two_to(x.exponent);
  return x.negative ? Rational(-size) : size;
}

Embedding embedding_of(std::size_t rows, std::size_t cols, const std::vector<Dyadic>& entries) {
  return dyadic_embedding(rows, cols, [&](std::size_t i) { return entries.at(i); });
}

TEST_CASE("one-hot rows are unit vectors", "[embedding]") {
  const Embedding embedding = one_hot(5);
  CHECK((embedding.vertices() == 5 && embedding.d_model() == 5 && embedding.scale == 0));
  for (std::size_t v = 0; v < 5; ++v)
    for (std::size_t j = 0; j < 5; ++j) CHECK(embedding.rows.at(v, j) == (v == j ? 1 : 0));
  CHECK(one_hot(0).vertices() == 0);
}

TEST_CASE("only the identity is one-hot", "[embedding]") {
  CHECK(is_one_hot(one_hot(0)));
  CHECK(is_one_hot(one_hot(1)));
  CHECK(is_one_hot(one_hot(7)));
  CHECK(is_one_hot({identity(4).widened(), 0}));
  CHECK_FALSE(is_one_hot({Matrix(2, 2), 0}));
  CHECK_FALSE(is_one_hot({Matrix(2, 3), 0}));
  for (const auto& [rows, cols] : {std::pair(2, 3), std::pair(3, 2)}) {
    Matrix longer(static_cast<std::size_t>(rows), static_cast<std::size_t>(cols));
    for (const std::size_t i : {0, 1}) longer.set(i, i, std::int64_t{1});
    CHECK_FALSE(is_one_hot({longer, 0}));
  }
  for (std::size_t v = 0; v < 3; ++v)
    for (std::size_t j = 0; j < 3; ++j) {
      Embedding changed = one_hot(3);
      changed.rows.set(v, j, std::int64_t{v == j ? 2 : 1});
      CHECK_FALSE(is_one_hot(changed));
    }
}

TEST_CASE("dyadic numbers are kept exactly, over their largest common power of two",
          "[embedding]") {
  // -1.5, 0.25, 0 (negative), 6: in quarters.
  const Embedding embedding =
      embedding_of(2, 2, {{true, 3, -1}, {false, 1, -2}, {true, 0, 77}, {false, 6, 0}});
  CHECK(embedding.scale == -2);
  CHECK(embedding.rows.at(0, 0) == -6);
  CHECK(embedding.rows.at(0, 1) == 1);
  CHECK(embedding.rows.at(1, 0) == 0);
  CHECK(embedding.rows.at(1, 1) == 24);
  CHECK(embedding_of(1, 2, {{false, 8, 0}, {true, 12, 0}}).scale == 2);
}

TEST_CASE("random dyadic numbers come back exactly", "[embedding]") {
  repeat(300, [](Random& random) {
    const std::size_t rows = random.below(4), cols = random.below(4);
    const std::uint64_t spread = 1 + random.below(random.below(2) == 0 ? 70 : 2200);
    std::vector<Dyadic> entries;
    for (std::size_t i = 0; i < rows * cols; ++i) {
      const std::uint64_t bits = random.below(~std::uint64_t{0}) >> random.below(64);
      entries.push_back({random.sign() < 0, random.below(5) == 0 ? 0 : bits,
                         static_cast<int>(random.below(spread)) - 1100});
    }
    const Embedding embedding = embedding_of(rows, cols, entries);
    REQUIRE((embedding.vertices() == rows && embedding.d_model() == cols));
    bool zero = true, odd = false;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const Integer stored = embedding.rows.at(i / cols, i % cols);
      CHECK(Rational(stored) * two_to(embedding.scale) == exact(entries[i]));
      zero = zero && stored == 0;
      odd = odd || stored % 2 != 0;
    }
    CHECK(odd == !zero);
    if (zero) CHECK(embedding.scale == 0);
  });
}

TEST_CASE("dyadic entries at the ends of 64 bits are exact", "[embedding]") {
  const std::uint64_t all = ~std::uint64_t{0}, top = std::uint64_t{1} << 63;
  const Embedding wide = embedding_of(1, 3, {{true, all, 0}, {true, top, 0}, {false, top, 0}});
  CHECK(wide.scale == 0);
  CHECK(wide.rows.at(0, 0) == 1 - power_of_two(64));
  CHECK(wide.rows.at(0, 1) == -power_of_two(63));
  CHECK(wide.rows.at(0, 2) == power_of_two(63));
  const Embedding narrow = embedding_of(1, 2, {{true, all >> 1, 0}, {false, 1, 62}});
  CHECK(narrow.rows.narrow());
  CHECK(narrow.rows.at(0, 0) == 1 - power_of_two(63));
  CHECK(narrow.rows.at(0, 1) == power_of_two(62));
  CHECK(embedding_of(1, 1, {{true, top, 5}}).scale == 68);
  CHECK(embedding_of(1, 1, {{true, top, 5}}).rows.at(0, 0) == -1);
}

TEST_CASE("exponents far apart are refused before anything is shifted", "[embedding]") {
  const int limit = 1 << 20;
  const Embedding widest = embedding_of(1, 2, {{false, 1, 0}, {false, 1, limit}});
  CHECK(widest.rows.at(0, 1) == power_of_two(std::size_t{1} << 20));
  CHECK_THROWS_AS(embedding_of(1, 2, {{false, 1, 0}, {false, 1, limit + 1}}), SizeError);
  CHECK_THROWS_AS(embedding_of(1, 2, {{false, 2, 0}, {false, 4, limit}}), SizeError);
  constexpr int least = std::numeric_limits<int>::min(), most = std::numeric_limits<int>::max();
  CHECK_THROWS_AS(embedding_of(1, 2, {{false, 1, least}, {false, 1, most}}), SizeError);
  CHECK(embedding_of(1, 2, {{false, 1, 0}, {false, 0, most}}).scale == 0);  // zero has no exponent
  CHECK(embedding_of(1, 1, {{false, 1, most}}).scale == most);
}

TEST_CASE("empty dyadic embeddings keep their shape", "[embedding]") {
  for (const auto& [rows, cols] : {std::pair(0, 3), std::pair(3, 0), std::pair(0, 0)}) {
    const Embedding embedding =
        embedding_of(static_cast<std::size_t>(rows), static_cast<std::size_t>(cols), {});
    CHECK(embedding.vertices() == static_cast<std::size_t>(rows));
    CHECK(embedding.d_model() == static_cast<std::size_t>(cols));
    CHECK(embedding.scale == 0);
  }
}

TEST_CASE("Gaussian rows are the same on every machine", "[embedding]") {
  const Embedding embedding = gaussian_embedding(2, 3, 20, 7);
  CHECK(embedding.scale == -20);
  std::vector<Integer> entries;
  for (std::size_t v = 0; v < 2; ++v)
    for (std::size_t j = 0; j < 3; ++j) entries.push_back(embedding.rows.at(v, j));
  CHECK(entries == std::vector<Integer>{526193, -904799, -63015, -996363, 260206, -197649});
}

TEST_CASE("Gaussian rows depend on the seed and on nothing else", "[embedding]") {
  const Matrix rows = gaussian_embedding(5, 4, 30, 1).rows;
  CHECK(rows == gaussian_embedding(5, 4, 30, 1).rows);
  CHECK_FALSE(rows == gaussian_embedding(5, 4, 30, 2).rows);
  const Matrix more = gaussian_embedding(9, 4, 30, 1).rows;
  for (std::size_t v = 0; v < 5; ++v)
    for (std::size_t j = 0; j < 4; ++j) CHECK(more.at(v, j) == rows.at(v, j));
}

TEST_CASE("Gaussian rows have length 2^bits up to their rounding", "[embedding]") {
  // Each entry is moved by at most 1/2 + 2^-50·2^bits, so the length by at most √d times that.
  for (const unsigned bits : {1U, 2U, 8U, 30U, 52U})
    for (const std::size_t d : {std::size_t{1}, std::size_t{2}, std::size_t{5}, std::size_t{64}}) {
      const Embedding embedding = gaussian_embedding(10, d, bits, 3);
      const double length = std::ldexp(1, static_cast<int>(bits));
      for (std::size_t v = 0; v < 10; ++v) {
        Integer squares = 0;
        for (std::size_t j = 0; j < d; ++j) {
          const Integer entry = embedding.rows.at(v, j);
          CHECK(abs(entry) <= power_of_two(bits));
          squares += entry * entry;
        }
        CHECK(squares > 0);
        const double slack = std::sqrt(static_cast<double>(d)) * (0.5 + std::ldexp(length, -50));
        CHECK(std::abs(std::sqrt(static_cast<double>(squares)) - length) <=
              slack + std::ldexp(length, -50));
      }
    }
}

TEST_CASE("Gaussian entries are the rounded quotients of the seeded normals", "[embedding]") {
  repeat(20, [](Random& random) {
    const std::uint64_t seed_used = random.below(1000000);
    const Embedding embedding = gaussian_embedding(3, 6, 40, seed_used);
    Random again(seed_used);
    for (std::size_t v = 0; v < 3; ++v) {
      std::vector<Rational> row;
      Rational squares = 0;
      for (std::size_t j = 0; j < 6; ++j) {
        row.emplace_back(again.normal());
        squares += row.back() * row.back();
      }
      // |x/√s·2^40 - entry| <= 1/2 + 2^-10, squared and without the root.
      for (std::size_t j = 0; j < 6; ++j) {
        const Rational scaled = abs(row[j]) * power_of_two(40);
        const Rational entry = abs(Rational(embedding.rows.at(v, j)));
        const Rational error = Rational(1, 2) + Rational(1, 1024);
        CHECK(scaled * scaled <= (entry + error) * (entry + error) * squares);
        if (entry > error) CHECK(scaled * scaled >= (entry - error) * (entry - error) * squares);
        CHECK(embedding.rows.at(v, j) * (row[j] < 0 ? -1 : 1) >= 0);
      }
    }
  });
}

TEST_CASE("Gaussian entries have both signs, mean 0 and variance 1/d", "[embedding]") {
  const std::size_t vertices = 400, d = 25;
  const Embedding embedding = gaussian_embedding(vertices, d, 40, 11);
  double sum = 0, squares = 0;
  for (std::size_t v = 0; v < vertices; ++v)
    for (std::size_t j = 0; j < d; ++j) {
      const double x = std::ldexp(static_cast<double>(embedding.rows.at(v, j)), -40);
      sum += x;
      squares += x * x;
    }
  CHECK(std::abs(squares - 400) < 1e-6);
  CHECK(std::abs(sum) < 5 * 20);  // five standard deviations: √(10^4/25) = 20
}

TEST_CASE("Gaussian rows are never zero, and few bits for many dimensions are refused",
          "[embedding]") {
  // With one bit an entry is 0 unless it exceeds 1/4 of the row's norm: at 144 dimensions three
  // standard deviations, so that most rows are drawn again; at 4000 nearly sixteen.
  const Embedding embedding = gaussian_embedding(20, 144, 1, 5);
  for (std::size_t v = 0; v < 20; ++v) {
    Integer largest = 0;
    for (std::size_t j = 0; j < 144; ++j)
      largest = std::max(largest, Integer(abs(embedding.rows.at(v, j))));
    CHECK(largest == 1);
  }
  CHECK_THROWS_AS(gaussian_embedding(1, 4000, 1, 5), UsageError);
  CHECK_THROWS_WITH(gaussian_embedding(1, 4000, 1, 5),
                    "a Gaussian embedding of 4000 dimensions needs more bits than 1");
}

TEST_CASE("Gaussian embeddings of nothing or of other bits are refused", "[embedding]") {
  CHECK_THROWS_AS(gaussian_embedding(0, 1, 10, 1), UsageError);
  CHECK_THROWS_AS(gaussian_embedding(1, 0, 10, 1), UsageError);
  CHECK_THROWS_AS(gaussian_embedding(1, 1, 0, 1), UsageError);
  CHECK_THROWS_AS(gaussian_embedding(1, 1, 53, 1), UsageError);
  CHECK(abs(gaussian_embedding(1, 1, 1, 1).rows.at(0, 0)) == 2);
  CHECK(abs(gaussian_embedding(1, 1, 52, 1).rows.at(0, 0)) == power_of_two(52));
}

}  // namespace
}  // namespace qkcert::test
