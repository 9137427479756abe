#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/max_cardinality_matching.hpp>
#include <map>
#include <numeric>
#include <qkcert/constructions/common_threshold.hpp>
#include <qkcert/constructions/edge_pairs.hpp>
#include <qkcert/constructions/good_pairs.hpp>
#include <qkcert/constructions/storage.hpp>
#include <qkcert/core/errors.hpp>

namespace qkcert {

namespace {

constexpr std::string_view name = "edge-pairs";
constexpr std::size_t largest_matching_limit = 1024;

/// The edges, by number, two and two; mate[e] == e for one alone.
using Pairing = std::vector<std::size_t>;

class Pairer {
 public:
  explicit Pairer(const Request& request)
      : request_(request), edges_(request.graph.edges()), vectors_(request.embedding.rows) {}

  Pairing pair_off() {
    Pairing mate(edges_.size());
    std::iota(mate.begin(), mate.end(), 0);
    pair_greedily(mate);
    exchange(mate);
    if (alone(mate).size() > 1 && edges_.size() <= largest_matching_limit) pair_most(mate);
    return mate;
  }

  /// The vector of {i, j} with +n at i; computed once for each pair. Null when it is not good.
  const GoodVector* pair(std::size_t i, std::size_t j) {
    if (request_.out_of_time()) throw MethodError("edge-pairs: the time was up");
    auto& found = pairs_[{std::min(i, j), std::max(i, j)}];
    if (!found) found = vectors_.pair(std::min(i, j), std::max(i, j));
    return *found ? &**found : nullptr;
  }
  const GoodVector* single(std::size_t i) {
    auto& found = pairs_[{i, i}];
    if (!found) found = vectors_.single(i);
    return *found ? &**found : nullptr;
  }

 private:
  bool compatible(std::size_t e, std::size_t f) {
    const auto& [u, v] = edges_[e];
    const auto& [a, b] = edges_[f];
    return u != a && v != b && pair(u, a) != nullptr && pair(v, b) != nullptr;
  }

  static std::vector<std::size_t> alone(const Pairing& mate) {
    std::vector<std::size_t> list;
    for (std::size_t e = 0; e < mate.size(); ++e)
      if (mate[e] == e) list.push_back(e);
    return list;
  }

  void pair_greedily(Pairing& mate) {
    for (std::size_t e = 0; e < mate.size(); ++e)
      for (std::size_t f = e + 1; f < mate.size() && mate[e] == e; ++f)
        if (mate[f] == f && compatible(e, f)) mate[e] = f, mate[f] = e;
  }

  /// Whether some pair {c, d} can be split so that a and b both have a partner.
  bool exchange_one(Pairing& mate, std::size_t a, std::size_t b) {
    for (std::size_t c = 0; c < mate.size(); ++c) {
      const std::size_t d = mate[c];
      if (c == d || !compatible(a, c) || !compatible(b, d)) continue;
      mate[a] = c, mate[c] = a, mate[b] = d, mate[d] = b;
      return true;
    }
    return false;
  }

  void exchange(Pairing& mate) {
    const std::vector<std::size_t> list = alone(mate);
    for (std::size_t a = 0; a < list.size(); ++a)
      for (std::size_t b = a + 1; b < list.size() && mate[list[a]] == list[a]; ++b)
        if (mate[list[b]] == list[b]) exchange_one(mate, list[a], list[b]);
  }

  void pair_most(Pairing& mate) {
    using Compatible = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;
    Compatible graph(mate.size());
    for (std::size_t e = 0; e < mate.size(); ++e)
      for (std::size_t f = e + 1; f < mate.size(); ++f)
        if (compatible(e, f)) boost::add_edge(e, f, graph);
    std::vector<std::size_t> most(mate.size());
    boost::edmonds_maximum_cardinality_matching(graph, most.data());
    for (std::size_t e = 0; e < mate.size(); ++e) mate[e] = most[e] < mate.size() ? most[e] : e;
  }

  const Request& request_;
  const std::vector<Edge>& edges_;
  GoodVectors vectors_;
  std::map<std::pair<std::size_t, std::size_t>, std::optional<std::optional<GoodVector>>> pairs_;
};

Matrix column(const std::vector<Integer>& z, const Integer& factor) {
  Matrix weights(z.size(), 1);
  for (std::size_t j = 0; j < z.size(); ++j) weights.set(j, 0, Integer(factor * z[j]));
  return weights;
}

Pairing checked_pairing(const Request& request, Pairer& pairer) {
  const auto& edges = request.graph.edges();
  if (edges.empty()) throw MethodError("edge-pairs: the graph has no edge");
  const Pairing mate = pairer.pair_off();
  for (std::size_t e = 0; e < mate.size(); ++e) {
    if (mate[e] != e) continue;
    for (const std::size_t end : {edges[e].source, edges[e].target})
      if (pairer.single(end) == nullptr)
        throw MethodError("edge-pairs: the edge (" + std::to_string(edges[e].source) + ", " +
                          std::to_string(edges[e].target) +
                          ") is compatible with no edge that is left, and no vector was found " +
                          "that singles out row " + std::to_string(end) + " of the embedding");
  }
  return mate;
}

std::size_t heads_of(const Pairing& mate) {
  std::size_t heads = 0;
  for (std::size_t e = 0; e < mate.size(); ++e) heads += mate[e] >= e;
  return heads;
}

Architecture plan_pairs(const Request& request) {
  Pairer pairer(request);
  return {heads_of(checked_pairing(request, pairer)), 1};
}

Channel propose_pairs(const Request& request) {
  Pairer pairer(request);
  const Pairing mate = checked_pairing(request, pairer);
  const auto& edges = request.graph.edges();
  std::vector<std::pair<const GoodVector*, const GoodVector*>> vectors;
  std::vector<int> signs;
  std::vector<HeadScores> scores;
  for (std::size_t e = 0; e < mate.size(); ++e) {
    if (mate[e] < e) continue;
    const auto& [u, v] = edges[e];
    const auto& [a, b] = edges[mate[e]];
    const bool alone = mate[e] == e;
    const GoodVector* query = alone ? pairer.single(u) : pairer.pair(u, a);
    const GoodVector* key = alone ? pairer.single(v) : pairer.pair(v, b);
    vectors.emplace_back(query, key);
    signs.push_back((u < a) == (v < b) ? 1 : -1);
    scores.push_back(
        {query->n * key->n, std::max<Integer>(query->n * key->greatest, query->greatest * key->n)});
  }
  const std::vector<Integer> factors = common_threshold_factors(scores);
  require_storable(name, Integer(2 * factors.size()) * request.embedding.d_model(),
                   bit_length(*std::max_element(factors.begin(), factors.end())) +
                       bit_length(request.embedding.rows.max_abs()) + 64);
  Channel channel;
  for (std::size_t k = 0; k < factors.size(); ++k)
    channel.heads.push_back(
        {column(vectors[k].first->z, signs[k] * factors[k]), column(vectors[k].second->z, 1)});
  return channel;
}

}  // namespace

Method edge_pairs_method() {
  return {.name = name,
          .summary =
              "vectors that single out pairs of rows, any graph with an edge: D_K = half the edges "
              "when enough pairs are good",
          .takes_heads = false,
          .takes_head_dim = false,
          .seeded = false,
          .plan = plan_pairs,
          .propose = propose_pairs,
          .least = [](const Request& request) { return (request.graph.edges().size() + 1) / 2; }};
}

}  // namespace qkcert
