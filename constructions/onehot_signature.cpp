#include <algorithm>
#include <map>
#include <qkcert/constructions/onehot_signature.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/random.hpp>

namespace qkcert {

namespace {

constexpr int max_draws = 64;

/// c_k by k, for k >= 1.
std::map<std::size_t, std::size_t> degree_counts(std::span<const std::size_t> out_degrees) {
  std::map<std::size_t, std::size_t> counts;
  for (const std::size_t degree : out_degrees) {
    require(degree <= out_degrees.size(), "signature_width: an out-degree exceeds the vertices");
    if (degree > 0) ++counts[degree];
  }
  return counts;
}

/// L(n, j) for j that do not decrease from call to call.
class LowerSums {
 public:
  explicit LowerSums(std::size_t n) : n_(n) {}

  const Integer& up_to(std::size_t j) {
    for (; next_ <= std::min(j, n_); ++next_) {
      sum_ += term_;
      term_ = term_ * (n_ - next_) / (next_ + 1);
    }
    return sum_;
  }

 private:
  std::size_t n_;
  std::size_t next_ = 0;
  Integer term_ = 1;  ///< C(n, next)
  Integer sum_ = 0;
};

/// ⌊28·Δ·b/5⌋ + 1.
std::size_t hoeffding_width(std::size_t vertices, std::size_t degree, unsigned failure_bits) {
  const std::size_t b = bit_length(Integer(vertices) * vertices) + failure_bits;
  return 28 * degree * b / 5 + 1;
}

}  // namespace

bool signature_width_proven(std::span<const std::size_t> out_degrees, std::size_t width,
                            unsigned failure_bits) {
  require(width >= 1, "signature_width: a width of at least 1 is required");
  const auto counts = degree_counts(out_degrees);
  if (counts.empty()) return true;
  const std::size_t d = width, m = out_degrees.size(), degree = counts.rbegin()->first;
  std::vector<Integer> failures(d, 0);  // F(d, t) by t
  for (const auto& [k, count] : counts) {
    const Integer c = count;
    const Integer pairs =
        k == 1 ? Integer(c * (m - 1) - c * (count - 1) / 2) : Integer(c * (m - k));
    LowerSums edges((k - 1) * d), nonedges(k * d);
    const Integer edge_weight = c * k * power_of_two((degree - k + 1) * d);
    const Integer nonedge_weight = pairs * power_of_two((degree - k) * d);
    for (std::size_t t = 0; k > 1 && t < d; ++t)
      failures[t] += edge_weight * edges.up_to(((k - 2) * d + t) / 2);
    for (std::size_t t = d; t-- > 0;)
      failures[t] += nonedge_weight * nonedges.up_to((k * d - t - 1) / 2);
  }
  const Integer least = *std::min_element(failures.begin(), failures.end());
  return least * power_of_two(failure_bits) < power_of_two(degree * d);
}

std::size_t signature_width(std::span<const std::size_t> out_degrees, unsigned failure_bits) {
  const auto counts = degree_counts(out_degrees);
  if (counts.empty()) return 1;
  const std::size_t degree = counts.rbegin()->first;
  std::size_t proven = hoeffding_width(out_degrees.size(), degree, failure_bits);
  if (degree * proven > max_signature_tail) return proven;
  std::size_t open = 0;
  while (proven - open > 1) {
    const std::size_t middle = open + (proven - open) / 2;
    (signature_width_proven(out_degrees, middle, failure_bits) ? proven : open) = middle;
  }
  return proven;
}

namespace {

Architecture plan_onehot_signature(const Request& request) {
  if (!is_one_hot(request.embedding))
    throw MethodError("onehot-signature: the embedding is not one-hot");
  if (request.head_dim) return {1, *request.head_dim};
  std::vector<std::size_t> out_degrees;
  for (std::size_t u = 0; u < request.graph.vertices(); ++u)
    out_degrees.push_back(request.graph.out_degree(u));
  return {1, signature_width(out_degrees, 1)};
}

/// Rows of small integers: |signs| = 1 and |sums| <= Δ, so |scores| <= Δ·d < 2^63.
using Rows = std::vector<std::vector<std::int64_t>>;

Rows sums_of_targets(const Graph& graph, const Rows& signs, std::size_t width) {
  Rows sums(graph.vertices(), std::vector<std::int64_t>(width, 0));
  for (const auto& [source, target] : graph.edges())
    for (std::size_t j = 0; j < width; ++j) sums[source][j] += signs[target][j];
  return sums;
}

bool separated(const Graph& graph, const Rows& queries, const Rows& keys) {
  std::optional<std::int64_t> least_edge, greatest_nonedge;
  for (std::size_t u = 0; u < graph.vertices(); ++u) {
    auto edge = graph.edges_from(u).begin();
    for (std::size_t v = 0; v < graph.vertices(); ++v) {
      std::int64_t score = 0;
      for (std::size_t j = 0; j < keys[v].size(); ++j) score += queries[u][j] * keys[v][j];
      const bool is_edge = edge != graph.edges_from(u).end() && edge->target == v;
      if (is_edge) ++edge;
      auto& extreme = is_edge ? least_edge : greatest_nonedge;
      if (!extreme || (is_edge ? score < *extreme : score > *extreme)) extreme = score;
    }
    if (least_edge && greatest_nonedge && *least_edge <= *greatest_nonedge) return false;
  }
  return true;
}

Matrix to_matrix(const Rows& rows, std::size_t width) {
  Matrix result(rows.size(), width);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < width; ++j) result.set(i, j, rows[i][j]);
  return result;
}

Channel propose_onehot_signature(const Request& request) {
  const std::size_t width = plan_onehot_signature(request).head_dim;
  Random random(request.seed);
  Rows keys(request.graph.vertices(), std::vector<std::int64_t>(width));
  Rows queries;
  for (int draw = 0; draw < max_draws; ++draw) {
    for (auto& key : keys)
      for (auto& sign : key) sign = random.sign();
    queries = sums_of_targets(request.graph, keys, width);
    if (separated(request.graph, queries, keys) || request.out_of_time()) break;
  }
  return {{{to_matrix(queries, width), to_matrix(keys, width)}}};
}

}  // namespace

Method onehot_signature_method() {
  return {
      .name = "onehot-signature",
      .summary =
          "one-hot embedding, any graph: D_K = head-dim, by default O(out-degree·log m), random",
      .takes_heads = false,
      .takes_head_dim = true,
      .seeded = true,
      .plan = plan_onehot_signature,
      .propose = propose_onehot_signature};
}

}  // namespace qkcert
