#include <algorithm>
#include <qkcert/core/errors.hpp>
#include <qkcert/verify/extremes.hpp>
#include <type_traits>

namespace qkcert {

namespace {

__extension__ using Int128 = __int128;

/// Entry types of the projections, by the type that scores are summed in.
template <class Score>
using Entry = std::conditional_t<std::is_same_v<Score, Integer>, Integer, std::int64_t>;

Integer to_integer(const Integer& x) { return x; }
Integer to_integer(std::int64_t x) { return x; }
Integer to_integer(Int128 x) {
  // |x| < 2^127, so both halves are exact: x = high·2^64 + low with 0 <= low < 2^64.
  return Integer(static_cast<std::int64_t>(x >> 64)) * power_of_two(64) +
         Integer(static_cast<std::uint64_t>(x));
}

/// The arithmetic in which sums of `terms` products of factors bounded by a and b are exact, every
/// partial sum included: |partial sum| <= terms·a·b < 2^63, < 2^127, or without limit.
enum class Width { bits64, bits128, unlimited };

Width sum_width(std::size_t terms, const Integer& a, const Integer& b) {
  const std::size_t bits = bit_length(Integer(terms) * a * b);
  return bits <= 63 ? Width::bits64 : bits <= 127 ? Width::bits128 : Width::unlimited;
}

/// Row `row` in the entry type that Sum needs: see Entry.
template <class Sum>
std::span<const Entry<Sum>> row_of(const Matrix& matrix, std::size_t row) {
  if constexpr (std::is_same_v<Sum, Integer>)
    return matrix.wide_row(row);
  else
    return matrix.narrow_row(row);
}

template <class Sum, class T>
Sum dot(std::span<const T> a, std::span<const T> b) {
  Sum sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += Sum(a[i]) * b[i];
  return sum;
}

/// A·Bᵀ: the inner products of rows, in Sum arithmetic.
template <class Sum>
Matrix row_products_as(const Matrix& a, const Matrix& b) {
  Matrix result(a.rows(), b.rows());
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < b.rows(); ++j)
      result.set(i, j, to_integer(dot<Sum>(row_of<Sum>(a, i), row_of<Sum>(b, j))));
  return result;
}

Matrix row_products(const Matrix& a, const Matrix& b) {
  const bool narrow = a.narrow() && b.narrow();
  switch (narrow ? sum_width(a.cols(), a.max_abs(), b.max_abs()) : Width::unlimited) {
    case Width::bits64:
      return row_products_as<std::int64_t>(a, b);
    case Width::bits128:
      return row_products_as<Int128>(a, b);
    default:
      return row_products_as<Integer>(a.widened(), b.widened());
  }
}

Matrix transposed(const Matrix& a) {
  Matrix result(a.cols(), a.rows());
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < a.cols(); ++j) result.set(j, i, a.at(i, j));
  return result;
}

/// Projected queries and keys of one head, m × width each: S_uv = ⟨query_u, key_v⟩.
struct Projection {
  Matrix query;
  Matrix key;
};

/// A head wider than d_model has the same scores as the one of width d_model with W_Q·W_Kᵀ for its
/// query weights and the identity for its key weights: ⟨x_u W_Q, x_v W_K⟩ = ⟨x_u W_Q W_Kᵀ, x_v⟩.
Projection project(const Matrix& embedding, const Head& head) {
  if (head.width() > embedding.cols())
    return {row_products(embedding, transposed(row_products(head.query, head.key))), embedding};
  return {row_products(embedding, transposed(head.query)),
          row_products(embedding, transposed(head.key))};
}

Width score_width(const std::vector<Projection>& heads) {
  Width width = Width::bits64;
  for (const Projection& head : heads) {
    if (!head.query.narrow() || !head.key.narrow()) return Width::unlimited;
    width = std::max(width, sum_width(head.query.cols(), head.query.max_abs(), head.key.max_abs()));
  }
  return width;
}

/// The best score offered so far, ties to the first pair.
template <class Score>
struct Best {
  bool found = false;
  Score score = 0;
  Edge pair{};

  void offer(const Score& candidate, Edge at, bool smaller_wins) {
    if (found) {
      const bool wins = smaller_wins ? candidate < score : candidate > score;
      if (!wins && !(candidate == score && at < pair)) return;
    }
    found = true;
    score = candidate;
    pair = at;
  }
};

template <class Score>
struct Bests {
  Best<Score> least_edge;
  Best<Score> greatest_nonedge;
};

constexpr std::size_t tile_rows = 64;
constexpr std::size_t tile_cols = 256;

/// The rows and columns [row_begin, row_end) × [col_begin, col_end) of the score matrix.
struct Tile {
  std::size_t row_begin, row_end, col_begin, col_end;
};

/// scores(u, v) = max_k S^k_uv over the tile.
template <class Score>
void score_tile(const std::vector<Projection>& heads, const Tile& tile,
                std::vector<Score>& scores) {
  for (std::size_t k = 0; k < heads.size(); ++k) {
    for (std::size_t u = tile.row_begin; u < tile.row_end; ++u) {
      const auto query = row_of<Score>(heads[k].query, u);
      Score* const row = scores.data() + (u - tile.row_begin) * tile_cols;
      for (std::size_t v = tile.col_begin; v < tile.col_end; ++v) {
        const Score score = dot<Score>(query, row_of<Score>(heads[k].key, v));
        Score& best = row[v - tile.col_begin];
        if (k == 0 || score > best) best = score;
      }
    }
  }
}

/// Sorts the tile's scores into edges and non-edges. Every pair of the tile is offered exactly
/// once.
template <class Score>
void scan_tile(const Graph& graph, const Tile& tile, const std::vector<Score>& scores,
               Bests<Score>& bests) {
  for (std::size_t u = tile.row_begin; u < tile.row_end; ++u) {
    const auto edges = graph.edges_from(u);
    auto edge = std::lower_bound(edges.begin(), edges.end(), Edge{u, tile.col_begin});
    for (std::size_t v = tile.col_begin; v < tile.col_end; ++v) {
      const Score& score = scores[(u - tile.row_begin) * tile_cols + (v - tile.col_begin)];
      if (edge != edges.end() && edge->target == v) {
        bests.least_edge.offer(score, {u, v}, true);
        ++edge;
      } else {
        bests.greatest_nonedge.offer(score, {u, v}, false);
      }
    }
  }
}

template <class Score>
std::optional<Extreme> to_extreme(const Best<Score>& best) {
  if (!best.found) return std::nullopt;
  return Extreme{to_integer(best.score), best.pair};
}

template <class Score>
Extremes extremes_as(const Graph& graph, const std::vector<Projection>& heads, unsigned threads,
                     const Progress& progress) {
  const std::size_t m = graph.vertices();
  std::vector<Bests<Score>> per_thread(thread_count(threads));
  const auto row_block = [&](std::size_t block, unsigned thread) {
    std::vector<Score> scores(tile_rows * tile_cols);
    const std::size_t row_begin = block * tile_rows;
    for (std::size_t col = 0; col < m; col += tile_cols) {
      const Tile tile{row_begin, std::min(row_begin + tile_rows, m), col,
                      std::min(col + tile_cols, m)};
      score_tile(heads, tile, scores);
      scan_tile(graph, tile, scores, per_thread[thread]);
    }
  };
  parallel_for((m + tile_rows - 1) / tile_rows, threads, row_block, progress);
  Bests<Score> all;
  for (const auto& [least, greatest] : per_thread) {
    if (least.found) all.least_edge.offer(least.score, least.pair, true);
    if (greatest.found) all.greatest_nonedge.offer(greatest.score, greatest.pair, false);
  }
  return {to_extreme(all.least_edge), to_extreme(all.greatest_nonedge)};
}

}  // namespace

Extremes score_extremes(const Graph& graph, const Matrix& embedding, const Channel& channel,
                        unsigned threads, const Progress& progress) {
  require(graph.vertices() == embedding.rows(), "score_extremes: one row per vertex is required");
  require_valid(channel, embedding.cols());
  std::vector<Projection> heads;
  for (const Head& head : channel.heads) heads.push_back(project(embedding, head));
  switch (score_width(heads)) {
    case Width::bits64:
      return extremes_as<std::int64_t>(graph, heads, threads, progress);
    case Width::bits128:
      return extremes_as<Int128>(graph, heads, threads, progress);
    default:
      for (Projection& head : heads) head = {head.query.widened(), head.key.widened()};
      return extremes_as<Integer>(graph, heads, threads, progress);
  }
}

}  // namespace qkcert
