#pragma once
/// The seeded source of randomness. The same seed gives the same values on every machine: the
/// generator and the distributions are Boost.Random's, whose algorithms, unlike those of the
/// standard library's distributions, are fixed by their sources.

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cstdint>

namespace qkcert {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// Uniform in 0, …, bound - 1. Require: bound >= 1.
  std::uint64_t below(std::uint64_t bound) {
    return boost::random::uniform_int_distribution<std::uint64_t>(0, bound - 1)(engine_);
  }
  /// -1 or +1, each with probability 1/2.
  int sign() { return below(2) == 0 ? -1 : 1; }
  /// A standard normal variate.
  double normal() { return normal_(engine_); }

 private:
  boost::random::mt19937_64 engine_;
  boost::random::normal_distribution<double> normal_;
};

}  // namespace qkcert
