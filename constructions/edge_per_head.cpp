#include <qkcert/constructions/edge_per_head.hpp>
#include <qkcert/constructions/storage.hpp>
#include <qkcert/core/decimal.hpp>
#include <qkcert/core/errors.hpp>

namespace qkcert {

namespace {

constexpr std::string_view name = "edge-per-head";

__extension__ using Int128 = __int128;

/// ⟨x_u, x_w⟩ in Sum arithmetic: Int128 needs narrow rows.
template <class Sum>
Sum product(const Matrix& rows, std::size_t u, std::size_t w) {
  Sum sum = 0;
  if constexpr (std::is_same_v<Sum, Integer>) {
    for (std::size_t j = 0; j < rows.cols(); ++j) sum += rows.at(u, j) * rows.at(w, j);
  } else {
    const auto a = rows.narrow_row(u);
    const auto b = rows.narrow_row(w);
    for (std::size_t j = 0; j < a.size(); ++j) sum += Sum{a[j]} * b[j];
  }
  return sum;
}

/// The first w ≠ u with ⟨x_u,x_u⟩ <= |⟨x_u,x_w⟩|.
template <class Sum>
std::optional<std::size_t> not_dominated(const Matrix& rows, std::size_t u) {
  const Sum norm = product<Sum>(rows, u, u);
  for (std::size_t w = 0; w < rows.rows(); ++w) {
    if (w == u) continue;
    const Sum other = product<Sum>(rows, u, w);
    if (norm <= other || norm <= -other) return w;
  }
  return std::nullopt;
}

std::vector<bool> ends_of_edges(const Graph& graph) {
  std::vector<bool> ends(graph.vertices(), false);
  for (const Edge& edge : graph.edges()) ends[edge.source] = ends[edge.target] = true;
  return ends;
}

Architecture plan_edges(const Request& request) {
  const Matrix& rows = request.embedding.rows;
  const auto refuse = [](const std::string& why) { throw MethodError("edge-per-head: " + why); };
  if (request.graph.edges().empty()) refuse("the graph has no edge");
  // Every partial sum is at most d_model·max² < 2^127.
  const Integer greatest = rows.max_abs();
  const bool small = rows.narrow() && bit_length(Integer(rows.cols()) * greatest * greatest) <= 127;
  const auto ends = ends_of_edges(request.graph);
  for (std::size_t u = 0; u < rows.rows(); ++u) {
    if (!ends[u]) continue;
    const Integer norm = product<Integer>(rows, u, u);
    if (norm.is_zero()) refuse("row " + std::to_string(u) + " of the embedding is zero");
    const auto w = small ? not_dominated<Int128>(rows, u) : not_dominated<Integer>(rows, u);
    if (!w) continue;
    const std::string x_u = "x_" + std::to_string(u);
    refuse("needs <" + x_u + "," + x_u + "> > |<" + x_u + ",x_" + std::to_string(*w) +
           ">|, they are " + to_decimal(norm) + " and " +
           to_decimal(abs(product<Integer>(rows, u, *w))));
  }
  return {request.graph.edges().size(), 1};
}

Channel propose_edges(const Request& request) {
  plan_edges(request);
  const Matrix& rows = request.embedding.rows;
  const auto& edges = request.graph.edges();
  std::vector<Integer> products;  // n_a·n_b
  products.reserve(edges.size());
  Integer common = 1;
  for (const auto& [a, b] : edges) {
    products.push_back(product<Integer>(rows, a, a) * product<Integer>(rows, b, b));
    common = lcm(common, products.back());
    require_storable(name, Integer(edges.size()) * rows.cols(), bit_length(common));
  }
  Channel channel;
  channel.heads.reserve(edges.size());
  for (std::size_t k = 0; k < edges.size(); ++k) {
    const Integer factor = common / products[k];
    Head head{Matrix(rows.cols(), 1), Matrix(rows.cols(), 1)};
    for (std::size_t j = 0; j < rows.cols(); ++j) {
      head.query.set(j, 0, Integer(factor * rows.at(edges[k].source, j)));
      head.key.set(j, 0, rows.at(edges[k].target, j));
    }
    channel.heads.push_back(std::move(head));
  }
  return channel;
}

}  // namespace

Method edge_per_head_method() {
  return {.name = name,
          .summary =
              "rows longer than their projections on each other, any graph with an edge: "
              "D_K = number of edges",
          .takes_heads = false,
          .takes_head_dim = false,
          .seeded = false,
          .plan = plan_edges,
          .propose = propose_edges};
}

}  // namespace qkcert
