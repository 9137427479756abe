#include <bit>
#include <qkcert/core/errors.hpp>
#include <qkcert/search/weights.hpp>

#include "support.hpp"

namespace qkcert::test {
namespace {

using Shape = std::vector<std::size_t>;

std::size_t product(const Shape& shape) {
  std::size_t size = 1;
  for (const std::size_t extent : shape) size *= extent;
  return size;
}

/// A safetensors file of float32 arrays.
std::string tensors(
    const std::vector<std::pair<std::string, std::pair<Shape, std::vector<float>>>>& all) {
  std::string header = "{", data;
  for (const auto& [name, array] : all) {
    const auto& [shape, values] = array;
    std::string sizes;
    for (const std::size_t extent : shape)
      sizes += (sizes.empty() ? "" : ",") + std::to_string(extent);
    if (header.size() > 1) header += ",";
    header += "\"" + name + "\":{\"dtype\":\"F32\",\"shape\":[" + sizes + "],\"data_offsets\":[" +
              std::to_string(data.size()) + "," + std::to_string(data.size() + 4 * values.size()) +
              "]}";
    for (const float x : values)
      for (int k = 0; k < 4; ++k)
        data += static_cast<char>(std::bit_cast<std::uint32_t>(x) >> (8 * k));
  }
  header += "}";
  std::string length;
  for (int k = 0; k < 8; ++k) length += static_cast<char>(header.size() >> (8 * k));
  return length + header + data;
}

/// Weights W[side][k][i][j] and their position in each layout, by the definition.
struct Weights {
  std::size_t heads, d_model, width;

  float entry(std::size_t side, std::size_t k, std::size_t i, std::size_t j) const {
    return static_cast<float>(((side * heads + k) * d_model + i) * width + j + 1) / 4;
  }

  /// An array whose entry at (a, b, c) is entry(side, …) by `at`.
  template <class At>
  std::pair<Shape, std::vector<float>> array(const Shape& shape, At at) const {
    std::vector<float> values(product(shape));
    for (std::size_t i = 0; i < values.size(); ++i) {
      Shape index(shape.size());
      for (std::size_t axis = shape.size(), rest = i; axis-- > 0; rest /= shape[axis])
        index[axis] = rest % shape[axis];
      values[i] = at(index);
    }
    return {shape, values};
  }

  void check(const std::string& bytes, const WeightLayout& layout) const {
    NamedArrays arrays(bytes, "f");
    const auto [channel, scale] = read_weights(arrays, layout, d_model);
    REQUIRE(channel.heads.size() == heads);
    CHECK(scale == -2);
    for (std::size_t k = 0; k < heads; ++k)
      for (std::size_t i = 0; i < d_model; ++i)
        for (std::size_t j = 0; j < width; ++j) {
          CHECK(channel.heads[k].query.at(i, j) ==
                Integer(static_cast<int>(4 * entry(0, k, i, j))));
          CHECK(channel.heads[k].key.at(i, j) == Integer(static_cast<int>(4 * entry(1, k, i, j))));
        }
  }
};

TEST_CASE("every layout gives the same heads") {
  for (const Weights& w : {Weights{2, 3, 2}, {1, 2, 3}, {3, 1, 1}, {2, 4, 4}}) {
    const std::size_t out = w.heads * w.width;
    const auto both = [&](const Shape& shape, auto at) {
      return tensors({{"q", w.array(shape, [&](const Shape& x) { return at(0, x); })},
                      {"k", w.array(shape, [&](const Shape& x) { return at(1, x); })}});
    };
    WeightLayout layout{.query = "q", .key = "k", .fused = {}, .heads = w.heads, .head_axis = {}};
    w.check(both({w.d_model, out},
                 [&](std::size_t side, const Shape& x) {
                   return w.entry(side, x[1] / w.width, x[0], x[1] % w.width);
                 }),
            layout);
    layout.transposed = true;  // q_proj.weight of PyTorch
    w.check(both({out, w.d_model},
                 [&](std::size_t side, const Shape& x) {
                   return w.entry(side, x[0] / w.width, x[1], x[0] % w.width);
                 }),
            layout);
    const WeightLayout fused{.query = {},
                             .key = {},
                             .fused = "p",
                             .heads = w.heads,
                             .head_axis = {},
                             .transposed = true};
    w.check(tensors({{"p", w.array({3 * out, w.d_model},  // in_proj_weight of PyTorch
                                   [&](const Shape& x) {
                                     const std::size_t at = x[0] % out;
                                     if (x[0] / out == 2) return -1000.25F;
                                     return w.entry(x[0] / out, at / w.width, x[1], at % w.width);
                                   })}}),
            fused);
    // Three axes in all orders: (head, in, out), (in, head, out), (in, out, head), and transposed.
    for (const bool transposed : {false, true})
      for (const std::size_t axis : {0, 1, 2}) {
        Shape places = transposed ? Shape{2, 1} : Shape{1, 2};
        places.insert(places.begin() + static_cast<std::ptrdiff_t>(axis), 0);
        const Shape sizes{w.heads, w.d_model, w.width};
        const WeightLayout deep{.query = "q",
                                .key = "k",
                                .fused = {},
                                .heads = 1,
                                .head_axis = axis,
                                .transposed = transposed};
        w.check(both({sizes[places[0]], sizes[places[1]], sizes[places[2]]},
                     [&](std::size_t side, const Shape& x) {
                       Shape at(3);
                       for (std::size_t a = 0; a < 3; ++a) at[places[a]] = x[a];
                       return w.entry(side, at[0], at[1], at[2]);
                     }),
                deep);
      }
  }
}

TEST_CASE("layouts that do not fit are refused") {
  const std::vector<float> six{1, 2, 3, 4, 5, 6};
  const std::string bytes = tensors({{"q", {{2, 3}, six}},
                                     {"k", {{2, 3}, six}},
                                     {"w", {{3, 2}, six}},
                                     {"one", {{6}, six}},
                                     {"deep", {{1, 2, 3}, six}},
                                     {"none", {{2, 0}, {}}}});
  const auto reason = [&](const WeightLayout& layout, std::size_t d_model) -> std::string {
    NamedArrays arrays(bytes, "f");
    try {
      read_weights(arrays, layout, d_model);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "none";
  };
  WeightLayout layout;
  layout.query = "q";
  CHECK(reason(layout, 2) ==
        "weights need the names of the query and key arrays, or of one fused array");
  layout.key = "k";
  CHECK(reason(layout, 2) == "none");
  CHECK(reason(layout, 3) == "'q': expected d_model = 3 along axis 0, found the shape (2, 3)");
  layout.heads = 2;
  CHECK(reason(layout, 2) == "'q': expected a multiple of 2 along axis 1, found the shape (2, 3)");
  layout.heads = 3;
  CHECK(reason(layout, 2) == "none");
  layout.transposed = true;
  CHECK(reason(layout, 3) == "'q': expected a multiple of 3 along axis 0, found the shape (2, 3)");
  layout = {.query = "q", .key = "w", .fused = {}, .heads = 1, .head_axis = {}};
  CHECK(reason(layout, 2) == "'w': expected d_model = 2 along axis 0, found the shape (3, 2)");
  layout.key = "one";
  CHECK(reason(layout, 2) == "'one': expected an array of 2 dimensions, found the shape (6)");
  layout.key = "deep";
  CHECK(reason(layout, 2) ==
        "'deep': expected an array of 2 dimensions, found the shape (1, 2, 3)");
  layout.key = "missing";
  CHECK(reason(layout, 2).starts_with("f: expected an array 'missing', found "));
  layout.query = layout.key = "none";
  CHECK(reason(layout, 2).starts_with("'none': expected a multiple of 1"));
  layout.fused = "q";
  CHECK(reason(layout, 2).starts_with("weights need the names"));
  layout = {.query = "deep", .key = "q", .fused = {}, .heads = 1, .head_axis = 0};
  CHECK(reason(layout, 2) == "'q': expected an array of 3 dimensions, found the shape (2, 3)");
  layout.head_axis = 3;
  CHECK(reason(layout, 2) == "the heads' axis is 0, 1 or 2 of three");
  layout = {.query = {}, .key = {}, .fused = "q", .heads = 2, .head_axis = {}};
  CHECK(reason(layout, 2) == "'q': expected a multiple of 6 along axis 1, found the shape (2, 3)");
  layout.heads = 1;
  CHECK(reason(layout, 2) == "none");
}

}  // namespace
}  // namespace qkcert::test
