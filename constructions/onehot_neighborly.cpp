#include <bit>
#include <qkcert/constructions/onehot_neighborly.hpp>
#include <qkcert/constructions/storage.hpp>
#include <qkcert/core/errors.hpp>

namespace qkcert {

namespace {

constexpr std::string_view name = "onehot-neighborly";

Architecture plan_neighborly(const Request& request) {
  if (!is_one_hot(request.embedding))
    throw MethodError("onehot-neighborly: the embedding is not one-hot");
  const std::size_t m = request.graph.vertices();
  const std::size_t degree = 2 * request.graph.max_out_degree();
  require_storable(name, 2 * Integer(m) * (degree + 1), Integer(degree) * std::bit_width(m) + 1);
  return {1, degree + 1};
}

/// The coefficients of -Π (t - w)² over the targets w of `edges`, constant term first.
std::vector<Integer> negated_square(std::span<const Edge> edges) {
  std::vector<Integer> coefficients = {-1};
  for (const Edge& edge : edges) {
    const Integer w = edge.target;
    for (int twice = 0; twice < 2; ++twice) {
      coefficients.emplace_back(0);
      for (std::size_t j = coefficients.size(); j-- > 0;)
        coefficients[j] = (j > 0 ? coefficients[j - 1] : Integer(0)) - w * coefficients[j];
    }
  }
  return coefficients;
}

Channel propose_neighborly(const Request& request) {
  const Graph& graph = request.graph;
  const std::size_t m = graph.vertices();
  const std::size_t width = plan_neighborly(request).head_dim;
  Head head{Matrix(m, width), Matrix(m, width)};
  for (std::size_t v = 0; v < m; ++v) {
    const auto coefficients = negated_square(graph.edges_from(v));
    for (std::size_t j = 0; j < coefficients.size(); ++j) head.query.set(v, j, coefficients[j]);
    Integer power_of_v = 1;
    for (std::size_t j = 0; j < width; ++j, power_of_v *= v) head.key.set(v, j, power_of_v);
  }
  return {{std::move(head)}};
}

}  // namespace

Method onehot_neighborly_method() {
  return {.name = name,
          .summary =
              "one-hot embedding, any graph: D_K = 2·(largest out-degree) + 1, weights up "
              "to m^(D_K-1)",
          .takes_heads = false,
          .takes_head_dim = false,
          .seeded = false,
          .plan = plan_neighborly,
          .propose = propose_neighborly};
}

}  // namespace qkcert
