#include <qkcert/core/counts.hpp>

#include <array>
#include <qkcert/core/family.hpp>

#include "support.hpp"

namespace qkcert {
namespace {

using namespace test;

Integer permutations(std::uint64_t m) { return Family("permutation", {m}).size(); }

TEST_CASE("B1+ reproduces the theory's figures") {
  CHECK(least_columns(4, 1, permutations(64)) == 28);
  CHECK(least_columns(8, 1, permutations(128)) == 31);
}

TEST_CASE("B1+ agrees with multisets counted one head after another") {
  // Multiplies by 1/(1-t^w)^M_w through its binomial coefficients, and not by a recursion.
  const std::uint64_t columns = 6;
  for (const auto& [d_model, weight_max] : {std::pair{1, 1}, {1, 2}, {2, 1}, {3, 1}, {2, 127}}) {
    const Integer side = power(2 * weight_max + 1, static_cast<std::uint64_t>(d_model)) - 1;
    const Integer forms = side * side / 2;
    std::vector<Integer> series(columns + 1);
    series[0] = 1;
    for (std::uint64_t w = 1; w <= columns; ++w) {
      const Integer heads = binomial(forms + (w - 1), w);
      std::vector<Integer> next(columns + 1);
      for (std::uint64_t j = 0; j <= columns; ++j)
        for (std::uint64_t times = 0; j + w * times <= columns; ++times)
          next[j + w * times] += series[j] * binomial(heads + times - 1, times);
      series = next;
    }
    Integer total = 1;
    for (std::uint64_t j = 1; j <= columns; ++j) {
      CAPTURE(d_model, weight_max, j);
      CHECK(least_columns(d_model, weight_max, total + 1) == j);
      total += series[j];
      CHECK(least_columns(d_model, weight_max, total) == j);
    }
  }
}

TEST_CASE("B2 agrees with whole powers, and B2+ with the theory's figure") {
  for (const std::uint64_t m : {3, 8, 16, 64, 200})
    for (const std::uint64_t d : {1, 2, 3}) {
      const Integer target = permutations(m);
      const std::array<int, 9> partitions{1, 1, 2, 3, 5, 7, 11, 15, 22};
      for (std::uint64_t columns = 1; columns <= 8; ++columns) {
        const std::uint64_t n = 2 * d * columns + 1;
        const Integer sign_vectors = power(Integer(8) * 27182818285 * columns * m * m, n) /
                                     power(Integer(10000000000) * n, n);
        CAPTURE(m, d, columns);
        const Integer count = partitions[columns] * sign_vectors;
        CHECK(warren_reaches(m, d, columns, target) == (count >= target));
        CHECK(warren_reaches(m, d, columns, count));
        CHECK_FALSE(warren_reaches(m, d, columns, count + 1));
      }
    }
  CHECK_FALSE(warren_reaches(64, 2, 4, permutations(64)));
  CHECK(warren_reaches(64, 2, 5, permutations(64)));
  CHECK(least_rank_columns(64, 2, permutations(64)) == 7);
}

TEST_CASE("B2+ at one and two columns, written out") {
  const auto vectors = [](const Integer& polynomials, std::uint64_t n) {
    return power(8 * Integer(27182818285) * polynomials, n) / power(Integer(10000000000) * n, n);
  };
  for (const std::uint64_t m : {3, 7, 30}) {
    const Integer pairs = m * m;
    const Integer one = 1 + 2 * 3 * vectors(pairs, 5);
    const Integer two = one + 2 * 3 * vectors(pairs, 8) + 2 * 9 * vectors(2 * pairs, 10);
    CHECK(least_rank_columns(m, 3, one) == 1);
    CHECK(least_rank_columns(m, 3, one + 1) == 2);
    CHECK(least_rank_columns(m, 3, two) == 2);
    CHECK(least_rank_columns(m, 3, two + 1) == 3);
  }
}

TEST_CASE("Warren's hypothesis fails for two vertices and two dimensions alone") {
  CHECK_FALSE(warren_applies(2, largest_rank(2, 100)));
  CHECK_FALSE(warren_applies(1, 1));
  CHECK(warren_applies(2, 1));
  for (std::uint64_t m = 3; m < 50; ++m) CHECK(warren_applies(m, largest_rank(m, power(10, 40))));
}

TEST_CASE("B2' first at m = 11, 20, 32, 107, 223, and B2'' with the factor 2 kept") {
  for (const auto& [d, first] : {std::pair{2, 11}, {3, 20}, {4, 32}, {8, 107}, {12, 223}}) {
    const auto m = static_cast<std::uint64_t>(first);
    CHECK(dichotomies_reach(m - 1, static_cast<std::uint64_t>(d), 1, permutations(m - 1)));
    CHECK_FALSE(dichotomies_reach(m, static_cast<std::uint64_t>(d), 1, permutations(m)));
  }
  for (const auto& [vertices, heads] : {std::pair{16, 2}, {32, 4}, {64, 7}, {128, 14}}) {
    const auto m = static_cast<std::uint64_t>(vertices);
    CHECK(dichotomies_reach(m, 2, heads, permutations(m)));
    CHECK_FALSE(dichotomies_reach(m, 2, heads - 1, permutations(m)));
  }
  // The theory's Σ_{i<=4} C(120, i), twice.
  CHECK(dichotomies_reach(11, 2, 1, 2 * Integer(8502671)));
  CHECK_FALSE(dichotomies_reach(11, 2, 1, 2 * Integer(8502671) + 1));
}

TEST_CASE("counts beyond their limits are refused, and classes of one graph need nothing") {
  CHECK_THROWS_AS(least_columns(2, 1, power_of_two(20000)), SizeError);
  CHECK_THROWS_AS(least_rank_columns(1000, 4, power_of_two(20000)), SizeError);
  CHECK_THROWS_AS(dichotomies_reach(2000, 1500, 1, power_of_two(4000001)), SizeError);
  CHECK(least_columns(power(10, 30), 1, permutations(100)) == 1);
  CHECK(least_columns(1, 1, 1) == 0);
  CHECK(least_rank_columns(1, 1, 1) == 0);
  CHECK(dichotomies_reach(1, 1, 0, 1));
  CHECK_FALSE(dichotomies_reach(1, 1, 0, 2));
}

TEST_CASE("magnitudes enclose and decide like whole numbers") {
  repeat(300, [](Random& random) {
    const auto draw = [&] {
      return abs(random_integer(random, 1 + static_cast<unsigned>(random.below(400)))) + 1;
    };
    const Integer a = draw(), b = draw(), c = draw();
    const std::uint64_t n = random.below(12);
    const Integer exact = power(a, n) * b / c + b;
    for (const std::size_t bits : {8, 64, 128, 8192}) {
      const auto made =
          floor_quotient(power(Magnitude(a, bits), n) * Magnitude(b, bits), Magnitude(c, bits));
      Magnitude sum = made;
      sum += Magnitude(b, bits);
      for (const Integer& other : {exact - 1, exact, exact + 1, Integer(exact * 2), draw()}) {
        const auto answer = at_least(sum, Magnitude(other, bits));
        if (answer) CHECK(*answer == (exact >= other));
        if (bits == 8192) CHECK(answer.has_value());
      }
    }
  });
  CHECK(over_power_of_two(9, 2) == 3);
  CHECK(over_power_of_two(8, 2) == 2);
  CHECK(over_power_of_two(8, power(10, 30)) == 1);
  CHECK(over_power_of_two(0, 3) == 0);
}

}  // namespace
}  // namespace qkcert
