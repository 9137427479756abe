#include <qkcert/core/decimal.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/reader.hpp>
#include <qkcert/search/weights.hpp>

namespace qkcert {

namespace {

std::string shape_text(const std::vector<std::size_t>& shape) {
  std::string text = "(";
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    text += (axis > 0 ? ", " : "") + std::to_string(shape[axis]);
  return text + ")";
}

/// The query or key weights of all heads in one array.
struct Block {
  Array array;
  std::size_t heads, width;
  std::size_t input_stride, output_stride, head_stride;  ///< steps of the row-major position
  std::size_t first;

  std::size_t position(std::size_t head, std::size_t i, std::size_t j) const {
    return first + head * head_stride + i * input_stride + j * output_stride;
  }
};

/// The block of part `part` of `parts` equal ones along the output axis.
Block block_of(NamedArrays& arrays, const std::string& name, const WeightLayout& layout,
               std::size_t d_model, std::size_t parts, std::size_t part) {
  Array array = arrays.array(name);
  const std::vector<std::size_t>& shape = array.shape();
  const auto refuse = [&](const std::string& expected) {
    throw UsageError(qkcert::quoted(name) + ": expected " + expected + ", found the shape " +
                     shape_text(shape));
  };
  const std::size_t axes = layout.head_axis ? 3 : 2;
  if (shape.size() != axes) refuse("an array of " + std::to_string(axes) + " dimensions");
  std::vector<std::size_t> strides(axes, 1);
  for (std::size_t axis = axes - 1; axis-- > 0;)
    strides[axis] = strides[axis + 1] * shape[axis + 1];
  std::vector<std::size_t> others;  // the input and output axes, in the array's order
  for (std::size_t axis = 0; axis < axes; ++axis)
    if (axis != layout.head_axis) others.push_back(axis);
  const std::size_t input = others[layout.transposed ? 1 : 0];
  const std::size_t output = others[layout.transposed ? 0 : 1];
  if (shape[input] != d_model)
    refuse("d_model = " + std::to_string(d_model) + " along axis " + std::to_string(input));
  const std::size_t heads = layout.head_axis ? shape[*layout.head_axis] : layout.heads;
  // More heads than outputs are refused before the product, which then cannot wrap.
  const std::size_t apart = layout.head_axis ? 1 : heads;
  if (heads == 0 || apart > shape[output] || shape[output] % (parts * apart) != 0)
    refuse("a multiple of " + to_decimal(Integer(parts) * apart) + " along axis " +
           std::to_string(output));
  const std::size_t pieces = parts * apart;
  const std::size_t width = shape[output] / pieces;
  const std::size_t first = part * (shape[output] / parts) * strides[output];
  const std::size_t head_stride =
      layout.head_axis ? strides[*layout.head_axis] : width * strides[output];
  return {std::move(array), heads, width, strides[input], strides[output], head_stride, first};
}

}  // namespace

ScaledChannel read_weights(NamedArrays& arrays, const WeightLayout& layout, std::size_t d_model) {
  const bool apart = layout.query && layout.key;
  if (layout.fused ? layout.query || layout.key : !apart)
    throw UsageError("weights need the names of the query and key arrays, or of one fused array");
  if (layout.head_axis && *layout.head_axis > 2)
    throw UsageError("the heads' axis is 0, 1 or 2 of three");
  const std::size_t parts = layout.fused ? 3 : 1;
  const Block blocks[] = {
      block_of(arrays, layout.fused ? *layout.fused : *layout.query, layout, d_model, parts, 0),
      block_of(arrays, layout.fused ? *layout.fused : *layout.key, layout, d_model, parts,
               layout.fused ? 1 : 0)};
  const auto& [query, key] = blocks;
  if (query.heads != key.heads || query.width != key.width)
    throw UsageError("expected as many heads of one width in both arrays, found queries of " +
                     std::to_string(query.heads) + " × " + std::to_string(query.width) +
                     " and keys of " + std::to_string(key.heads) + " × " +
                     std::to_string(key.width));
  const std::size_t per_head = d_model * query.width, per_side = query.heads * per_head;
  // One row of all entries, so that one power of two is common to them.
  const Embedding all = dyadic_embedding(1, 2 * per_side, [&](std::size_t entry) {
    const Block& block = blocks[entry / per_side];
    const std::size_t at = entry % per_side, inside = at % per_head;
    return block.array(block.position(at / per_head, inside / block.width, inside % block.width));
  });
  ScaledChannel result{{}, all.scale};
  for (std::size_t k = 0; k < query.heads; ++k) {
    Head& head = result.channel.heads.emplace_back(
        Head{Matrix(d_model, query.width), Matrix(d_model, query.width)});
    for (std::size_t i = 0; i < per_head; ++i) {
      head.query.set(i / query.width, i % query.width, all.rows.at(0, k * per_head + i));
      head.key.set(i / query.width, i % query.width, all.rows.at(0, per_side + k * per_head + i));
    }
  }
  return result;
}

}  // namespace qkcert
