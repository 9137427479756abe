/// The bounds for classes by a second route: interval logarithms (MPFI) instead of integers. Every
/// comparison must be decided by the intervals, and must agree with the integers.

#include <boost/multiprecision/mpfi.hpp>
#include <qkcert/bounds/counting.hpp>
#include <qkcert/bounds/dichotomies.hpp>
#include <qkcert/bounds/warren.hpp>

#include "support.hpp"

namespace qkcert {
namespace {

using Interval = boost::multiprecision::number<boost::multiprecision::mpfi_float_backend<60>>;

Interval interval(const Integer& x) { return Interval(to_decimal(x)); }

/// log of n!, term by term.
Interval log_factorial(std::uint64_t n) {
  Interval sum = 0;
  for (std::uint64_t i = 2; i <= n; ++i) sum += log(Interval(i));
  return sum;
}

Interval log_binomial(std::uint64_t n, std::uint64_t k) {
  return log_factorial(n) - log_factorial(k) - log_factorial(n - k);
}

/// log |F| by the formulas of theory.md, section 2.
struct Class {
  Family family;
  Interval log_size;
};

std::vector<Class> classes() {
  std::vector<Class> list;
  for (const std::uint64_t m : {16, 33, 64, 100}) {
    const Interval size(m);
    list.push_back({Family("permutation", {m}), log_factorial(m)});
    list.push_back({Family("functional", {m}), size * log(size - 1)});
    list.push_back({Family("out-regular", {m, 3}), size * log_binomial(m - 1, 3)});
    list.push_back({Family("digraph", {m, 2 * m}), log_binomial(m * (m - 1), 2 * m)});
    list.push_back({Family("matching", {m, m / 2}),
                    log_factorial(m) - log_factorial(m - m / 2 * 2) - log_factorial(m / 2) -
                        Interval(m / 2) * log(Interval(2))});
  }
  return list;
}

/// Whether a >= b, which the intervals must decide.
bool at_least(const Interval& a, const Interval& b) {
  const bool above = lower(a) >= upper(b), below = upper(a) < lower(b);
  REQUIRE((above || below));
  return above;
}

/// Checks that `value` is the least K >= 0 with log_count(K) >= log |F|; log_count(0) is 0.
template <class LogCount>
void check_least(const Integer& value, const Interval& log_size, LogCount log_count) {
  const std::uint64_t least = to_uint64(value).value();
  CHECK(at_least(log_count(least), log_size));
  if (least > 0) CHECK_FALSE(at_least(log_count(least - 1), log_size));
}

TEST_CASE("logarithms: family sizes") {
  for (const auto& [family, log_size] : classes()) {
    INFO(family.to_string());
    const Interval exact = log(interval(family.size()));
    CHECK(lower(exact) <= upper(log_size));
    CHECK(lower(log_size) <= upper(exact));
  }
}

TEST_CASE("logarithms: the counting bounds, for the class and for a random graph") {
  for (const auto& [family, log_size] : classes())
    for (const int d_model : {1, 4, 20})
      for (const int weight_max : {1, 127}) {
        CAPTURE(family.to_string(), d_model, weight_max);
        const auto count = [&](std::uint64_t k) -> Interval {
          return 2 * Interval(d_model) * Interval(k) * log(Interval(2 * weight_max + 1));
        };
        check_least(counting_bound(family, d_model, weight_max).key_dimension, log_size, count);
        check_least(counting_random_bound(family, d_model, weight_max, 10).key_dimension,
                    log_size - 10 * log(Interval(2)), count);
      }
}

TEST_CASE("logarithms: Warren's bound") {
  for (const auto& [family, log_size] : classes())
    for (const int d_model : {1, 2, 5}) {
      CAPTURE(family.to_string(), d_model);
      std::vector<Integer> partitions(400, 0);
      partitions[0] = 1;
      for (std::size_t part = 1; part < partitions.size(); ++part)
        for (std::size_t total = part; total < partitions.size(); ++total)
          partitions[total] += partitions[total - part];
      const Interval e = Interval(27182818285) / Interval(10000000000);
      const auto count = [&](std::uint64_t k) -> Interval {
        if (k == 0) return 0;
        const Interval n = 2 * Interval(d_model) * Interval(k) + 1;
        const Interval m(family.vertices());
        return log(interval(partitions.at(k))) + n * log(8 * e * Interval(k) * m * m / n);
      };
      check_least(warren_bound(family, d_model, 0).key_dimension, log_size, count);
    }
}

TEST_CASE("logarithms: one head, and the number of heads") {
  for (const auto& [family, log_size] : classes())
    for (const std::uint64_t d_model : {1, 2, 3}) {
      CAPTURE(family.to_string(), d_model);
      const std::uint64_t points = family.vertices() * family.vertices() - 1;
      Interval sum = 0;
      for (std::uint64_t i = 0; i <= d_model * d_model; ++i) sum += exp(log_binomial(points, i));
      const Interval log_count = log(2 * sum);
      const Integer heads = heads_bound(family, d_model).heads;
      check_least(heads, log_size,
                  [&](std::uint64_t h) -> Interval { return Interval(h) * log_count; });
      if (heads > 1)
        CHECK_NOTHROW(single_head_class(family, d_model));
      else
        CHECK_THROWS(single_head_class(family, d_model));
    }
}

}  // namespace
}  // namespace qkcert
