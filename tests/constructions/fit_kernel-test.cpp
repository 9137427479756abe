#include <hwy/targets.h>

#include <algorithm>
#include <qkcert/constructions/fit_kernel.hpp>
#include <vector>

#include "support.hpp"

using namespace qkcert;
using namespace qkcert::fit;

namespace {

/// Calls body once for each instruction set that this processor has and the kernel was built for.
template <class Body>
void for_each_target(Body body) {
  const auto restart = [](std::int64_t targets) {
    hwy::SetSupportedTargetsForTest(targets);
    hwy::GetChosenTarget().DeInit();
  };
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    INFO(hwy::TargetName(target));
    restart(target);
    body();
  }
  restart(0);
}

std::vector<float> floats(Random& random, std::size_t count) {
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(random.normal());
  return values;
}

/// Row i of a times column j of b, in the kernel's order.
float product(Block a, std::size_t i, const std::vector<float>& b, std::size_t cols,
              std::size_t j) {
  float sum = 0;
  for (std::size_t k = 0; k < a.cols; ++k) sum += a.data[i * a.stride + k] * b[k * cols + j];
  return sum;
}

}  // namespace

TEST_CASE("products of fit are the plain sums, bit by bit, on every instruction set") {
  test::repeat(40, [](Random& random) {
    const std::size_t rows = random.below(14), inner = random.below(20);
    const std::size_t cols = random.below(200), stride = inner + random.below(4);
    const std::vector<float> left = floats(random, rows * stride + 1);
    const std::vector<float> right = floats(random, inner * cols + 1);
    const Block a{left.data(), rows, inner, stride};
    Panels panels;
    panels.pack({right.data(), inner, cols, cols});
    REQUIRE(panels.inner() == inner);
    REQUIRE(panels.cols() == cols);
    const std::vector<float> before = floats(random, rows * cols);
    for_each_target([&] {
      std::vector<float> c = before;
      add_product(a, panels, c.data(), cols);
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < cols; ++j)
          wrong += c[i * cols + j] != before[i * cols + j] + product(a, i, right, cols, j);
      CHECK(wrong == 0);
    });
  });
}

TEST_CASE("the hits of fit are the pairs above the bar, in one order on every instruction set") {
  test::repeat(40, [](Random& random) {
    const std::size_t rows = random.below(14), inner = 1 + random.below(20);
    const std::size_t keys = random.below(200);
    const std::vector<float> left = floats(random, rows * inner + 1);
    const std::vector<float> right = floats(random, keys * inner + 1);
    const Block a{left.data(), rows, inner, inner};
    Panels panels;
    panels.pack_transposed({right.data(), keys, inner, inner});
    std::vector<float> transposed(inner * keys);
    for (std::size_t v = 0; v < keys; ++v)
      for (std::size_t j = 0; j < inner; ++j) transposed[j * keys + v] = right[v * inner + j];
    // A bar that some score meets exactly: it is no hit.
    const float bar = rows * keys > 0 ? product(a, 0, transposed, keys, keys / 2) : 0;
    std::vector<Hit> expected;
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t v = 0; v < keys; ++v)
        if (product(a, i, transposed, keys, v) > bar)
          expected.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(v)});
    const auto place = [](const Hit& hit) {
      return std::tuple(hit.col / 64, hit.row / 4, hit.row, hit.col);
    };
    std::sort(expected.begin(), expected.end(),
              [&](const Hit& x, const Hit& y) { return place(x) < place(y); });
    for_each_target([&] {
      std::vector<Hit> hits;
      hits_above(a, panels, bar, hits);
      CHECK(std::equal(hits.begin(), hits.end(), expected.begin(), expected.end(),
                       [&](const Hit& x, const Hit& y) { return place(x) == place(y); }));
    });
  });
}
