#include <algorithm>
#include <array>
#include <qkcert/core/errors.hpp>
#include <qkcert/verify/kernel.hpp>

#include "support.hpp"

namespace qkcert {
namespace {

using namespace test;

std::vector<std::string> every_simd() {
  std::vector<std::string> names(1);
  for (const char c : simd_names())
    if (c == ' ')
      names.emplace_back();
    else
      names.back() += c;
  return names;
}

/// Operands of one tile as plain rows, and their packed forms.
struct Tile {
  std::vector<std::uint32_t> head_pairs;
  std::size_t rows, keys, pairs = 0;
  std::vector<std::int16_t> query, key;       // rows of 2·pairs entries
  std::vector<std::int16_t> packed_key = {};  // in panels

  void pack() {
    packed_key.resize(key.size());
    for (std::size_t v = 0; v < keys; ++v)
      for (std::size_t p = 0; p < pairs; ++p)
        for (const std::size_t half : {0, 1})
          packed_key[((v / panel_keys * pairs + p) * panel_keys + v % panel_keys) * 2 + half] =
              key[(v * pairs + p) * 2 + half];
  }
  std::int64_t score(std::size_t r, std::size_t v) const {
    std::int64_t best = std::numeric_limits<std::int64_t>::min();
    std::size_t at = 0;
    for (const std::uint32_t each : head_pairs) {
      std::int64_t sum = 0;
      for (const std::size_t end = at + 2 * std::size_t{each}; at < end; ++at)
        sum += std::int64_t{query[r * 2 * pairs + at]} * key[v * 2 * pairs + at];
      best = std::max(best, sum);
    }
    return best;
  }
};

void check_tile(Tile tile) {
  tile.pack();
  for (const std::string& name : every_simd()) {
    CAPTURE(name, tile.rows, tile.keys, tile.head_pairs);
    std::vector<std::int32_t> scores(tile.rows * tile.keys, 77), row_max(tile.rows, 77);
    kernels(name).score_tile(tile.query.data(), tile.rows, tile.packed_key.data(), tile.keys,
                             tile.head_pairs, tile.pairs, scores.data(), row_max.data());
    std::size_t wrong = 0;
    for (std::size_t r = 0; r < tile.rows; ++r) {
      std::int64_t greatest = std::numeric_limits<std::int64_t>::min();
      for (std::size_t v = 0; v < tile.keys; ++v) {
        wrong += scores[r * tile.keys + v] != tile.score(r, v);
        greatest = std::max(greatest, tile.score(r, v));
      }
      wrong += row_max[r] != greatest;
    }
    CHECK(wrong == 0);
  }
}

Tile shaped(std::vector<std::uint32_t> head_pairs, std::size_t rows, std::size_t keys) {
  Tile tile{std::move(head_pairs), rows * kernel_rows, keys * kernel_keys, 0, {}, {}};
  for (const std::uint32_t pairs : tile.head_pairs) tile.pairs += pairs;
  tile.query.resize(tile.rows * tile.pairs * 2);
  tile.key.resize(tile.keys * tile.pairs * 2);
  return tile;
}

TEST_CASE("kernels: every instruction set gives the scores of the definition") {
  repeat(40, [](Random& random) {
    std::vector<std::uint32_t> head_pairs;
    for (std::size_t k = 1 + random.below(5); k > 0; --k)
      head_pairs.push_back(static_cast<std::uint32_t>(random.below(k == 1 ? 151 : 12)));
    Tile tile = shaped(head_pairs, 1 + random.below(3), 1 + random.below(3));
    // 300 products below 2^22: no sum reaches 2^31.
    for (auto* side : {&tile.query, &tile.key})
      for (std::int16_t& x : *side) x = static_cast<std::int16_t>(random_integer(random, 11));
    check_tile(tile);
  });
}

TEST_CASE("kernels: the corners of 16-bit instructions do not saturate") {
  // ‖q‖²·‖k‖² = (2·(2^15 - 1)²)² <= (2^31 - 1)², the most that two entries can have.
  for (const int q : {32767, -32767})
    for (const int k : {32767, -32767})
      for (const int second : {1, -1}) {
        Tile tile = shaped({1, 0, 1}, 1, 1);
        for (std::size_t i = 0; i < tile.query.size(); ++i)
          tile.query[i] = static_cast<std::int16_t>(q);
        for (std::size_t i = 0; i < tile.key.size(); ++i)
          tile.key[i] = static_cast<std::int16_t>(i % 2 ? second * k : k);
        check_tile(tile);
      }
}

TEST_CASE("kernels: products of rows are exact up to 2^63") {
  repeat(40, [](Random& random) {
    const std::size_t rows = random.below(20), inner = random.below(70);
    const std::size_t cols = product_columns * (1 + random.below(3));
    const unsigned bits = random.below(2) ? 31 : 24;
    std::vector<std::int64_t> a(rows * inner), b(inner * cols);
    const auto entry = [&](unsigned most) {
      const Integer x = random.below(3) ? random_integer(random, most)
                                        : Integer((power_of_two(most) - 1) * random.sign());
      return to_int64(x).value();
    };
    // inner·max|a|·max|b| <= 70·2^(62 - 7) < 2^63.
    for (auto& x : a) x = entry(bits);
    for (auto& x : b) x = entry(55 - bits);
    for (const std::string& name : every_simd()) {
      std::vector<std::int64_t> out(rows * cols, 77);
      kernels(name).product_rows(a.data(), rows, inner, b.data(), cols, out.data());
      std::size_t wrong = 0;
      for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < cols; ++c) {
          Integer sum = 0;
          for (std::size_t i = 0; i < inner; ++i)
            sum += Integer(a[r * inner + i]) * b[i * cols + c];
          wrong += sum != out[r * cols + c];
        }
      CAPTURE(name, rows, inner, cols);
      CHECK(wrong == 0);
    }
  });
}

TEST_CASE("kernels: names") {
  CHECK(kernels().name == every_simd().front());
  for (const std::string& name : every_simd()) CHECK(kernels(name).name == name);
  CHECK(every_simd().size() >= 2);
  for (const char* name : {"AVX2", "avx", "none", " ", "avx2 "})
    CHECK_THROWS_WITH(kernels(name),
                      Catch::Contains(name) && Catch::Contains("there are: " + simd_names()));
  CHECK_THROWS_AS(kernels("none"), UsageError);
}

}  // namespace
}  // namespace qkcert
