#include <algorithm>
#include <bit>
#include <qkcert/constructions/onehot_code.hpp>
#include <qkcert/core/errors.hpp>

namespace qkcert {

namespace {

Architecture plan_code(const Request& request) {
  const Graph& graph = request.graph;
  if (!is_one_hot(request.embedding))
    throw MethodError("onehot-code: the embedding is not one-hot");
  for (std::size_t u = 0; u < graph.vertices(); ++u)
    if (graph.out_degree(u) > 1)
      throw MethodError("onehot-code: needs out-degree <= 1, vertex " + std::to_string(u) +
                        " has " + std::to_string(graph.out_degree(u)));
  // ⌈log₂ m⌉ is the number of bits of m - 1, the largest vertex.
  const std::size_t m = std::max<std::size_t>(graph.vertices(), 1);
  return {1, std::max<std::size_t>(static_cast<std::size_t>(std::bit_width(m - 1)), 1)};
}

/// Row `row` becomes r_v.
void set_code(Matrix& weights, std::size_t row, std::size_t v) {
  for (std::size_t j = 0; j < weights.cols(); ++j)
    weights.set(row, j, std::int64_t{(v >> j & 1) != 0 ? 1 : -1});
}

Channel propose_code(const Request& request) {
  const Graph& graph = request.graph;
  const std::size_t m = graph.vertices();
  const std::size_t width = plan_code(request).head_dim;
  Head head{Matrix(m, width), Matrix(m, width)};
  for (std::size_t v = 0; v < m; ++v) set_code(head.key, v, v);
  for (const Edge& edge : graph.edges()) set_code(head.query, edge.source, edge.target);
  return {{std::move(head)}};
}

}  // namespace

Method onehot_code_method() {
  return {.name = "onehot-code",
          .summary = "one-hot embedding, out-degree <= 1: D_K = max(1, ceil(log2 m)), weights ±1",
          .takes_heads = false,
          .takes_head_dim = false,
          .seeded = false,
          .plan = plan_code,
          .propose = propose_code};
}

}  // namespace qkcert
