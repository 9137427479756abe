#include <algorithm>
#include <cmath>
#include <limits>
#include <qkcert/constructions/common_threshold.hpp>
#include <qkcert/constructions/minimax.hpp>
#include <qkcert/constructions/storage.hpp>
#include <qkcert/constructions/tuple_per_head.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/row_products.hpp>

namespace qkcert {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr std::string_view name = "tuple-per-head";
constexpr std::size_t most_width = 16;
constexpr std::size_t most_default_width = 6;

struct Heads {
  std::vector<Head> heads;
  std::vector<HeadScores> scores;
};

/// The binary digits of 0, …, size-1 as signs.
MatrixXd codes(std::size_t size, std::size_t width) {
  MatrixXd signs(static_cast<Index>(size), static_cast<Index>(width));
  for (std::size_t a = 0; a < size; ++a)
    for (std::size_t j = 0; j < width; ++j)
      signs(static_cast<Index>(a), static_cast<Index>(j)) = (a >> j & 1) != 0 ? 1 : -1;
  return signs;
}

/// Largest entry 2^bits.
Matrix rounded(const MatrixXd& map, int bits) {
  const double scale = std::ldexp(1.0, bits) / std::max(map.cwiseAbs().maxCoeff(), 1e-300);
  Matrix weights(static_cast<std::size_t>(map.rows()), static_cast<std::size_t>(map.cols()));
  for (std::size_t i = 0; i < weights.rows(); ++i)
    for (std::size_t j = 0; j < weights.cols(); ++j)
      weights.set(
          i, j,
          std::int64_t{std::llround(map(static_cast<Index>(i), static_cast<Index>(j)) * scale)});
  return weights;
}

class Blocks {
 public:
  explicit Blocks(const Request& request)
      : request_(request),
        graph_(request.graph),
        d_model_(request.embedding.d_model()),
        minimax_(request.embedding.rows),
        products_(request.embedding.rows) {}

  /// Heads of this width for all edges; only so many that D_K >= limit when it comes to that.
  Heads of_width(std::size_t width, std::size_t limit) const {
    const std::span<const Edge> edges = graph_.edges();
    const std::size_t size = std::clamp<std::size_t>(std::min(d_model_, edges.size()), 1,
                                                     std::size_t{1} << std::min(width, most_width));
    Heads found;
    for (std::size_t first = 0; first < edges.size() && found.heads.size() * width < limit;
         first += size)
      add(found, edges.subspan(first, std::min(size, edges.size() - first)), width);
    return found;
  }

 private:
  void add(Heads& found, std::span<const Edge> block, std::size_t width) const {
    if (request_.out_of_time()) throw MethodError("tuple-per-head: the time was up");
    if (try_head(found, block, width)) return;
    if (block.size() == 1)
      throw MethodError("tuple-per-head: no head was found for the edge (" +
                        std::to_string(block[0].source) + ", " + std::to_string(block[0].target) +
                        ") alone: its rows do not stand out");
    add(found, block.first(block.size() / 2), width);
    add(found, block.subspan(block.size() / 2), width);
  }

  bool try_head(Heads& found, std::span<const Edge> block, std::size_t width) const {
    if (d_model_ == 0) return false;
    std::vector<std::size_t> sources, targets;
    for (const auto& [source, target] : block) {
      sources.push_back(source);
      targets.push_back(target);
    }
    const MatrixXd images = codes(block.size(), width);
    const double norm = std::sqrt(static_cast<double>(width));
    const Minimax::Map query = minimax_.shortest(sources, images, norm);
    if (query.longest >= norm) return false;
    const Minimax::Map key = minimax_.shortest(targets, images, norm);
    if (key.longest >= norm) return false;
    for (const int bits : {8, 16, 24}) {
      Head head{rounded(query.weights, bits), rounded(key.weights, bits)};
      const auto scores = scores_of(head, block);
      if (!scores) continue;
      found.heads.push_back(std::move(head));
      found.scores.push_back(*scores);
      return true;
    }
    return false;
  }

  std::vector<std::vector<Integer>> projected(const Matrix& weights) const {
    std::vector<std::vector<Integer>> columns;
    for (std::size_t j = 0; j < weights.cols(); ++j) {
      std::vector<Integer> z;
      for (std::size_t i = 0; i < weights.rows(); ++i) z.push_back(weights.at(i, j));
      columns.push_back(products_.with(z));
    }
    return columns;
  }

  /// Exact scores of the block's edges and of all non-edges, when the former are larger.
  std::optional<HeadScores> scores_of(const Head& head, std::span<const Edge> block) const {
    const auto queries = projected(head.query), keys = projected(head.key);
    const auto score = [&](std::size_t u, std::size_t v) {
      Integer sum = 0;
      for (std::size_t j = 0; j < queries.size(); ++j) sum += queries[j][u] * keys[j][v];
      return sum;
    };
    HeadScores scores{score(block[0].source, block[0].target), -1};
    for (const auto& [u, v] : block) scores.least = std::min<Integer>(scores.least, score(u, v));
    for (std::size_t u = 0; u < graph_.vertices(); ++u)
      for (std::size_t v = 0; v < graph_.vertices(); ++v) {
        if (graph_.contains({u, v})) continue;
        scores.greatest = std::max<Integer>(scores.greatest, score(u, v));
        if (scores.greatest >= scores.least) return std::nullopt;
      }
    return scores.least > 0 ? std::optional(scores) : std::nullopt;
  }

  const Request& request_;
  const Graph& graph_;
  std::size_t d_model_;
  Minimax minimax_;
  RowProducts products_;
};

void check_graph(const Graph& graph) {
  if (graph.edges().empty()) throw MethodError("tuple-per-head: the graph has no edge");
  const auto refuse = [](std::size_t vertex, const char* kind, std::size_t degree) {
    throw MethodError("tuple-per-head: needs out-degrees and in-degrees of at most 1, vertex " +
                      std::to_string(vertex) + " has " + kind + "-degree " +
                      std::to_string(degree));
  };
  const auto in_degrees = graph.in_degrees();
  for (std::size_t v = 0; v < graph.vertices(); ++v) {
    if (graph.out_degree(v) > 1) refuse(v, "out", graph.out_degree(v));
    if (in_degrees[v] > 1) refuse(v, "in", in_degrees[v]);
  }
}

/// The heads of the width asked for, or of the default one.
Heads chosen(const Request& request) {
  check_graph(request.graph);
  if (request.head_dim && *request.head_dim > most_width)
    throw MethodError("tuple-per-head: head-dim is at most " + std::to_string(most_width));
  const Blocks blocks(request);
  constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();
  if (request.head_dim) return blocks.of_width(*request.head_dim, unlimited);
  Heads best = blocks.of_width(1, unlimited);
  std::size_t least = best.heads.size();
  for (std::size_t width = 2; width <= most_default_width; ++width) {
    if (request.graph.edges().size() <= (std::size_t{1} << (width - 1))) break;
    Heads heads = blocks.of_width(width, least);
    if (width * heads.heads.size() >= least) continue;
    least = width * heads.heads.size();
    best = std::move(heads);
  }
  return best;
}

/// Full blocks at every width.
std::size_t least_tuples(const Request& request) {
  const std::size_t edges = request.graph.edges().size();
  const std::size_t most = std::max<std::size_t>(request.embedding.d_model(), 1);
  const std::size_t first = request.head_dim.value_or(1);
  const std::size_t last = request.head_dim.value_or(most_default_width);
  std::size_t least = edges;
  for (std::size_t width = first; width <= std::min(last, most_width); ++width) {
    const std::size_t block = std::min(most, std::size_t{1} << width);
    const std::size_t planned = width * ((edges + block - 1) / block);
    least = width == first ? planned : std::min(least, planned);
  }
  return least;
}

Architecture plan_tuples(const Request& request) {
  const Heads heads = chosen(request);
  return {heads.heads.size(), heads.heads.front().width()};
}

Channel propose_tuples(const Request& request) {
  Heads found = chosen(request);
  const std::vector<Integer> factors = common_threshold_factors(found.scores);
  require_storable(
      name, Integer(2 * factors.size() * found.heads.front().width()) * request.embedding.d_model(),
      bit_length(*std::max_element(factors.begin(), factors.end())) + 32);
  for (std::size_t k = 0; k < factors.size(); ++k) {
    Matrix& query = found.heads[k].query;
    for (std::size_t i = 0; i < query.rows(); ++i)
      for (std::size_t j = 0; j < query.cols(); ++j)
        query.set(i, j, Integer(factors[k] * query.at(i, j)));
  }
  return {std::move(found.heads)};
}

}  // namespace

Method tuple_per_head_method() {
  return {.name = name,
          .summary =
              "maps that single out tuples of rows, partial permutations: D_K = head-dim · "
              "m'/2^head-dim when enough tuples are good",
          .takes_heads = false,
          .takes_head_dim = true,
          .seeded = false,
          .plan = plan_tuples,
          .propose = propose_tuples,
          .least = least_tuples};
}

}  // namespace qkcert
