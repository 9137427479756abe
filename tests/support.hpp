#pragma once
/// Shared by the tests. Environment:
///   QKCERT_TEST_SEED        seed of all random inputs (default 1); printed with every failure
///   QKCERT_TEST_MULTIPLIER  how many times more random inputs to try (default 1)

#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <qkcert/core/channel.hpp>
#include <qkcert/core/decimal.hpp>
#include <qkcert/core/graph.hpp>
#include <qkcert/core/matrix.hpp>
#include <qkcert/core/random.hpp>
#include <string>

namespace qkcert::test {

inline std::uint64_t environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? parse_uint64(text).value() : otherwise;
}
inline std::uint64_t seed() { return environment("QKCERT_TEST_SEED", 1); }
inline std::uint64_t multiplier() { return environment("QKCERT_TEST_MULTIPLIER", 1); }

/// Calls body(random) `rounds` times the multiplier; a failure prints the seed and the round.
template <class Body>
void repeat(std::size_t rounds, Body body) {
  for (std::uint64_t round = 0; round < rounds * multiplier(); ++round) {
    INFO("QKCERT_TEST_SEED=" << seed() << ", round " << round);
    Random random(seed() * 1000003 + round);
    body(random);
  }
}

/// A random integer with |x| < 2^bits.
inline Integer random_integer(Random& random, unsigned bits) {
  Integer x = 0;
  for (unsigned done = 0; done < bits; done += 32) {
    const unsigned step = std::min(32U, bits - done);
    x = x * power_of_two(step) + random.below(std::uint64_t{1} << step);
  }
  return random.sign() < 0 ? Integer(-x) : x;
}

inline Matrix random_matrix(Random& random, std::size_t rows, std::size_t cols, unsigned bits) {
  Matrix matrix(rows, cols);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < cols; ++j) matrix.set(i, j, random_integer(random, bits));
  return matrix;
}

inline Channel random_channel(Random& random, std::size_t d_model, std::size_t max_heads,
                              std::size_t max_width, unsigned bits) {
  Channel channel;
  for (std::size_t k = 1 + random.below(max_heads); k > 0; --k) {
    const std::size_t width = 1 + random.below(max_width);
    channel.heads.push_back(
        {random_matrix(random, d_model, width, bits), random_matrix(random, d_model, width, bits)});
  }
  return channel;
}

/// Every pair, loops included, is an edge with probability percent/100.
inline Graph random_digraph(Random& random, std::size_t vertices, std::uint64_t percent) {
  std::vector<Edge> edges;
  for (std::size_t u = 0; u < vertices; ++u)
    for (std::size_t v = 0; v < vertices; ++v)
      if (random.below(100) < percent) edges.push_back({u, v});
  return Graph(vertices, std::move(edges));
}

/// The bytes of a file of the test corpus.
inline std::string corpus(const std::string& name) {
  std::ifstream file(std::string(QKCERT_TEST_DATA) + "/" + name, std::ios::binary);
  REQUIRE(file);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace qkcert::test
