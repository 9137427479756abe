#include <algorithm>
#include <bit>
#include <numeric>
#include <qkcert/constructions/edge_colouring.hpp>
#include <qkcert/constructions/signature.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/random.hpp>

namespace qkcert {

namespace {

Architecture plan_signature(const Request& request) {
  const Graph& graph = request.graph;
  const std::size_t most = std::max<std::size_t>(graph.edges().size(), 1);
  const std::size_t d_model = std::max<std::size_t>(request.embedding.d_model(), 1);
  const std::size_t heads = request.heads.value_or(std::min(most, (8 * most - 1) / d_model + 1));
  if (heads > most)
    throw MethodError("signature: needs heads <= max(1, edges) = " + std::to_string(most) +
                      ", asked for " + std::to_string(heads));
  // ⌈log₂ m⌉ is the number of bits of m - 1.
  const std::size_t m = std::max<std::size_t>(graph.vertices(), 1);
  const auto digits = static_cast<std::size_t>(std::bit_width(m - 1));
  return {heads, request.head_dim.value_or(std::max<std::size_t>(8 * digits, 1))};
}

/// The edges, those with one target together, in random order of the targets.
std::vector<Edge> shuffled(const Graph& graph, Random& random) {
  std::vector<std::size_t> rank(graph.vertices());
  std::iota(rank.begin(), rank.end(), std::size_t{0});
  for (std::size_t i = rank.size(); i > 1; --i) std::swap(rank[i - 1], rank[random.below(i)]);
  std::vector<Edge> edges = graph.edges();
  std::stable_sort(edges.begin(), edges.end(),
                   [&](Edge a, Edge b) { return rank[a.target] < rank[b.target]; });
  return edges;
}

/// weights += xᵀ·signs, where x is row `row`.
void add_product(Matrix& weights, const Matrix& rows, std::size_t row,
                 const std::vector<int>& signs) {
  for (std::size_t i = 0; i < weights.rows(); ++i) {
    const Integer x = rows.at(row, i);
    for (std::size_t j = 0; j < weights.cols(); ++j)
      weights.set(i, j, Integer(weights.at(i, j) + signs[j] * x));
  }
}

/// The edges of each head, those with one target together.
std::vector<std::vector<Edge>> blocks(const Graph& graph, std::size_t heads, Random& random) {
  const std::vector<Edge> edges = shuffled(graph, random);
  if (graph.max_out_degree() > 1) return colour_blocks(graph.vertices(), edges, heads);
  std::vector<std::vector<Edge>> dealt(heads);
  for (std::size_t i = 0; i < edges.size(); ++i) dealt[i % heads].push_back(edges[i]);
  return dealt;
}

Head block_head(const std::vector<Edge>& block, const Matrix& rows, std::size_t width,
                Random& random) {
  Head head{Matrix(rows.cols(), width), Matrix(rows.cols(), width)};
  std::vector<int> signs(width);
  std::optional<std::size_t> last_target;
  for (const auto& [source, target] : block) {
    if (target != last_target) {
      for (int& sign : signs) sign = random.sign();
      add_product(head.key, rows, target, signs);
      last_target = target;
    }
    add_product(head.query, rows, source, signs);
  }
  return head;
}

Channel propose_signature(const Request& request) {
  const Architecture planned = plan_signature(request);
  Random random(request.seed);
  Channel channel;
  channel.heads.reserve(planned.heads);
  for (const auto& block : blocks(request.graph, planned.heads, random))
    channel.heads.push_back(block_head(block, request.embedding.rows, planned.head_dim, random));
  return channel;
}

}  // namespace

Method signature_method() {
  return {.name = "signature",
          .summary = "any embedding, any graph: D_K = heads x head-dim, random, may fail",
          .takes_heads = true,
          .takes_head_dim = true,
          .seeded = true,
          .plan = plan_signature,
          .propose = propose_signature};
}

}  // namespace qkcert
