#include <algorithm>
#include <bit>
#include <qkcert/constructions/projection.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/random.hpp>

namespace qkcert {

namespace {

std::vector<std::size_t> sources_of(const Graph& graph) {
  std::vector<std::size_t> sources;
  for (std::size_t u = 0; u < graph.vertices(); ++u)
    if (graph.out_degree(u) > 0) sources.push_back(u);
  return sources;
}

Architecture plan_projection(const Request& request) {
  const std::size_t most = std::max<std::size_t>(sources_of(request.graph).size(), 1);
  const std::size_t d_model = std::max<std::size_t>(request.embedding.d_model(), 1);
  const std::size_t heads = request.heads.value_or(std::min(most, (8 * most - 1) / d_model + 1));
  if (heads > most)
    throw MethodError("projection: needs heads <= max(1, vertices with an edge) = " +
                      std::to_string(most) + ", asked for " + std::to_string(heads));
  const std::size_t m = std::max<std::size_t>(request.graph.vertices(), 1);
  const auto digits = static_cast<std::size_t>(std::bit_width(m - 1));
  return {heads, request.head_dim.value_or(std::max<std::size_t>(16 * digits, 1))};
}

/// y_u.
std::vector<Integer> sum_of_targets(const Graph& graph, std::size_t u, const Matrix& rows) {
  std::vector<Integer> sum(rows.cols(), 0);
  for (const Edge& edge : graph.edges_from(u))
    for (std::size_t i = 0; i < rows.cols(); ++i) sum[i] += rows.at(edge.target, i);
  return sum;
}

/// query += x_uᵀ y_u Π.
void add_source(Matrix& query, const Graph& graph, std::size_t u, const Matrix& rows,
                const Matrix& signs) {
  const auto sum = sum_of_targets(graph, u, rows);
  for (std::size_t j = 0; j < query.cols(); ++j) {
    Integer projected = 0;
    for (std::size_t i = 0; i < rows.cols(); ++i)
      signs.at(i, j) > 0 ? projected += sum[i] : projected -= sum[i];
    for (std::size_t i = 0; i < rows.cols(); ++i)
      query.set(i, j, Integer(query.at(i, j) + rows.at(u, i) * projected));
  }
}

Channel propose_projection(const Request& request) {
  const auto [heads, width, wider] = plan_projection(request);
  const Matrix& rows = request.embedding.rows;
  Random random(request.seed);
  auto sources = sources_of(request.graph);
  for (std::size_t i = sources.size(); i > 1; --i)
    std::swap(sources[i - 1], sources[random.below(i)]);
  Channel channel;
  for (std::size_t k = 0; k < heads; ++k) {
    Head head{Matrix(rows.cols(), width), Matrix(rows.cols(), width)};
    for (std::size_t i = 0; i < rows.cols(); ++i)
      for (std::size_t j = 0; j < width; ++j) head.key.set(i, j, std::int64_t{random.sign()});
    for (std::size_t i = k; i < sources.size(); i += heads)
      add_source(head.query, request.graph, sources[i], rows, head.key);
    channel.heads.push_back(std::move(head));
  }
  return channel;
}

}  // namespace

Method projection_method() {
  return {.name = "projection",
          .summary = "any embedding, any graph: D_K = heads x head-dim, random, may fail",
          .takes_heads = true,
          .takes_head_dim = true,
          .seeded = true,
          .plan = plan_projection,
          .propose = propose_projection};
}

}  // namespace qkcert
