#include <algorithm>
#include <optional>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/row_products.hpp>
#include <qkcert/search/best_threshold.hpp>

namespace qkcert {

namespace {

/// rows·weights.
Matrix projected(const RowProducts& rows, std::size_t count, const Matrix& weights) {
  Matrix result(count, weights.cols());
  std::vector<Integer> column(weights.rows());
  for (std::size_t j = 0; j < weights.cols(); ++j) {
    for (std::size_t i = 0; i < weights.rows(); ++i) column[i] = weights.at(i, j);
    const std::vector<Integer> entries = rows.with(column);
    for (std::size_t v = 0; v < count; ++v) result.set(v, j, entries[v]);
  }
  return result;
}

/// The scores of one source in every head, and behind them their maximum.
class Scores {
 public:
  Scores(const Matrix& embedding, const Channel& channel) {
    const RowProducts rows(embedding);
    for (const Head& head : channel.heads) {
      queries_.push_back(projected(rows, embedding.rows(), head.query));
      keys_.push_back(projected(rows, embedding.rows(), head.key));
    }
    for (const Matrix& keys : keys_) products_.emplace_back(keys);
  }

  std::vector<std::vector<Integer>> of(std::size_t u) const {
    std::vector<std::vector<Integer>> all;
    for (std::size_t k = 0; k < queries_.size(); ++k) {
      std::vector<Integer> query(queries_[k].cols());
      for (std::size_t j = 0; j < query.size(); ++j) query[j] = queries_[k].at(u, j);
      all.push_back(products_[k].with(query));
    }
    std::vector<Integer> best = all[0];
    for (std::size_t k = 1; k < all.size(); ++k)
      for (std::size_t v = 0; v < best.size(); ++v) best[v] = std::max(best[v], all[k][v]);
    all.push_back(std::move(best));
    return all;
  }

 private:
  std::vector<Matrix> queries_, keys_;
  std::vector<RowProducts> products_;
};

/// The pairs that are no edges, by how many of the distinct edge scores they reach.
struct Buckets {
  explicit Buckets(std::size_t levels) : count(levels + 1), greatest(levels + 1) {}

  void add(std::size_t bucket, const Integer& score) {
    ++count[bucket];
    if (!greatest[bucket] || *greatest[bucket] < score) greatest[bucket] = score;
  }
  void add(const Buckets& other) {
    for (std::size_t i = 0; i < count.size(); ++i) {
      count[i] += other.count[i];
      if (other.greatest[i] && (!greatest[i] || *greatest[i] < *other.greatest[i]))
        greatest[i] = other.greatest[i];
    }
  }

  std::vector<std::uint64_t> count;
  std::vector<std::optional<Integer>> greatest;
};

/// Edge scores in increasing order, and the distinct ones among them.
struct Levels {
  explicit Levels(std::vector<Integer> scores) : edges(std::move(scores)) {
    std::sort(edges.begin(), edges.end());
    distinct = edges;
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  }

  std::size_t bucket(const Integer& score) const {
    return static_cast<std::size_t>(std::upper_bound(distinct.begin(), distinct.end(), score) -
                                    distinct.begin());
  }

  std::vector<Integer> edges, distinct;
};

/// The τ of level i: below distinct[i] and not below any smaller score; for i = distinct.size()
/// not below any score at all.
Integer threshold_below(std::size_t i, const Levels& levels, const Buckets& others) {
  std::optional<Integer> below = others.greatest[i];
  if (i > 0 && (!below || *below < levels.distinct[i - 1])) below = levels.distinct[i - 1];
  if (i == levels.distinct.size()) return below.value();  // there is a pair
  const Integer& above = levels.distinct[i];
  return below ? floor_quotient(*below + above, 2) : Integer(above - 1);
}

Decisions best_of(const Levels& levels, const Buckets& others) {
  Integer pairs = 0;
  for (const std::uint64_t count : others.count) pairs += count;
  const Integer nonedges = pairs, edges = levels.edges.size();
  std::size_t best = 0;
  Integer least = -1, missed = 0, wrong = 0, above = nonedges;
  for (std::size_t i = 0; i <= levels.distinct.size(); ++i) {
    above -= others.count[i];  // the non-edges of at least distinct[i]
    const Integer lost = i == levels.distinct.size()
                             ? edges
                             : Integer(std::lower_bound(levels.edges.begin(), levels.edges.end(),
                                                        levels.distinct[i]) -
                                       levels.edges.begin());
    if (least >= 0 && least <= above + lost) continue;
    best = i, least = above + lost, missed = lost, wrong = above;
  }
  return {threshold_below(best, levels, others), edges - missed, wrong, missed, nonedges - wrong};
}

}  // namespace

BestDecisions best_decisions(const Graph& graph, const Matrix& embedding, const Channel& channel,
                             unsigned threads, const Progress& progress) {
  const std::size_t m = graph.vertices();
  require(m == embedding.rows() && m >= 1, "best_decisions: one row per vertex is required");
  require_valid(channel, embedding.cols());
  const Scores scores(embedding, channel);
  const std::size_t kinds = channel.heads.size() + 1;
  // Where the scores of a source's edges begin.
  std::vector<std::size_t> starts(m + 1);
  for (std::size_t u = 0; u < m; ++u) starts[u + 1] = starts[u] + graph.out_degree(u);
  std::vector<std::vector<Integer>> on_edges(kinds, std::vector<Integer>(graph.edges().size()));
  const auto both = [&](std::size_t pass) -> Progress {
    if (!progress) return {};
    return [&progress, pass](std::size_t done, std::size_t total) {
      progress(pass * total + done, 2 * total);
    };
  };
  parallel_for(
      m, threads,
      [&](std::size_t u, unsigned) {
        if (graph.out_degree(u) == 0) return;
        const auto row = scores.of(u);
        std::size_t at = starts[u];
        for (const Edge& edge : graph.edges_from(u)) {
          for (std::size_t k = 0; k < kinds; ++k) on_edges[k][at] = row[k][edge.target];
          ++at;
        }
      },
      both(0));
  std::vector<Levels> levels;
  for (std::vector<Integer>& list : on_edges) levels.emplace_back(std::move(list));
  std::vector<std::vector<Buckets>> counted(thread_count(threads));
  for (auto& each : counted)
    for (const Levels& level : levels) each.emplace_back(level.distinct.size());
  parallel_for(
      m, threads,
      [&](std::size_t u, unsigned thread) {
        const auto row = scores.of(u);
        const auto edges = graph.edges_from(u);
        auto edge = edges.begin();
        for (std::size_t v = 0; v < m; ++v) {
          if (edge != edges.end() && edge->target == v) {
            ++edge;
            continue;
          }
          for (std::size_t k = 0; k < kinds; ++k)
            counted[thread][k].add(levels[k].bucket(row[k][v]), row[k][v]);
        }
      },
      both(1));
  BestDecisions result;
  for (std::size_t k = 0; k < kinds; ++k) {
    for (std::size_t thread = 1; thread < counted.size(); ++thread)
      counted[0][k].add(counted[thread][k]);
    result.heads.push_back(best_of(levels[k], counted[0][k]));
  }
  result.all = std::move(result.heads.back());
  result.heads.pop_back();
  return result;
}

}  // namespace qkcert
