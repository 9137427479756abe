#include <algorithm>
#include <limits>
#include <mutex>
#include <qkcert/core/errors.hpp>
#include <qkcert/verify/extremes.hpp>
#include <qkcert/verify/packing.hpp>
#include <qkcert/verify/score_block.hpp>

namespace qkcert {

namespace {

constexpr std::size_t tile_rows = 8 * kernel_rows;
constexpr std::size_t tile_keys = 8 * kernel_keys;

/// ⌊x / 2^exponent⌋.
std::int64_t floor_shift(std::int64_t x, unsigned exponent) { return x >> std::min(exponent, 63U); }
Int128 floor_shift(Int128 x, unsigned exponent) { return x >> std::min(exponent, 127U); }
Integer floor_shift(const Integer& x, unsigned exponent) {
  return floor_quotient(x, power_of_two(exponent));
}

/// The best score offered so far, ties to the first pair.
template <class Score>
struct Best {
  bool found = false;
  Score score = 0;
  Edge pair{};

  /// Whether it has changed.
  bool offer(const Score& candidate, Edge at, bool smaller_wins) {
    if (found) {
      const bool wins = smaller_wins ? candidate < score : candidate > score;
      if (!wins && !(candidate == score && at < pair)) return false;
    }
    found = true;
    score = candidate;
    pair = at;
    return true;
  }

  std::optional<Extreme> extreme() const {
    if (!found) return std::nullopt;
    return Extreme{to_integer(score), pair};
  }
};

template <class Score>
struct Bests {
  Best<Score> least_edge;
  Best<Score> greatest_nonedge;

  void merge(const Bests& other) {
    const auto& [least, greatest] = other;
    if (least.found) least_edge.offer(least.score, least.pair, true);
    if (greatest.found) greatest_nonedge.offer(greatest.score, greatest.pair, false);
  }
  Extremes extremes() const { return {least_edge.extreme(), greatest_nonedge.extreme()}; }
};

struct Operand {
  const Projections& exact;
  Packing packing;
};

/// A score that no pair has: |F| <= 2^31 - 1 (verify/kernel.hpp).
constexpr std::int32_t no_score = std::numeric_limits<std::int32_t>::min();

/// Nor has any pair this one: fits_int64 says |S| < 2^62.
constexpr std::int64_t no_exact_score = std::numeric_limits<std::int64_t>::min();

/// A threshold for kernel scores, kept within [-2^31 + 1, 2^31], where it means the same.
template <class Score>
std::int64_t clamped(const Score& x) {
  constexpr std::int64_t limit = std::int64_t{1} << 31;
  if (x > limit) return limit;
  if (x < 1 - limit) return 1 - limit;
  return static_cast<std::int64_t>(x);
}

/// One block of sources, tile by tile.
template <class Score>
class BlockScan {
 public:
  BlockScan(const Graph& graph, const Operand& queries, const Operand& keys,
            const std::vector<std::size_t>& key_positions, const PackedBlock& block)
      : queries_(queries), keys_(keys), block_(block), edges_(block.end - block.begin) {
    for (std::size_t r = 0; r < edges_.size(); ++r) {
      const VertexRange targets = keys.exact.range;
      for (const Edge& edge : graph.edges_from(source(r)))
        if (edge.target >= targets.begin && edge.target < targets.end)
          edges_[r].push_back(key_positions[edge.target - targets.begin]);
      std::sort(edges_[r].begin(), edges_[r].end(), std::greater<>());  // the next one is last
    }
  }

  Bests<Score> bests;

  /// Whether no non-edge of the tile can be or tie the greatest: by Cauchy and Schwarz every
  /// S² <= ‖q‖²·‖k‖² in its head, so S < best when that is below best² and best > 0.
  bool excluded(const PackedBlock& keys) const {
    const Best<Score>& best = bests.greatest_nonedge;
    if (!best.found || best.score <= 0) return false;
    const Integer score = to_integer(best.score);
    return block_.squares * keys.squares < score * score;
  }

  void tile(const PackedBlock& keys, const Kernels& kernels) {
    exponent_ = block_.exponent + keys.exponent;
    error_ = filter_error(queries_.packing, block_, keys);
    scores_.resize(block_.padded * keys.padded);
    row_max_.resize(block_.padded);
    kernels.score_tile(queries_.packing.entries.data() + block_.at, block_.padded,
                       keys_.packing.entries.data() + keys.at, keys.padded,
                       queries_.packing.head_pairs, queries_.packing.pairs, scores_.data(),
                       row_max_.data());
    set_edge_threshold();
    set_nonedge_thresholds();
    doubts_ = 0;
    for (std::size_t r = 0; r < edges_.size(); ++r) {
      if (doubts_ > max_doubts && exact_blocks_) return exact_rows(r, keys, kernels);
      std::int32_t* const row = scores_.data() + r * keys.padded;
      bool without_edges = true;
      for (auto& next = edges_[r]; !next.empty() && next.back() < keys.end; next.pop_back()) {
        std::int32_t& score = row[next.back() - keys.begin];
        if (score <= edge_threshold_ && offer_edge(r, next.back())) set_edge_threshold();
        score = no_score;
        without_edges = false;
      }
      // The kernel's maximum is over edges and padding too: at least that of what is left.
      if (without_edges && row_max_[r] < row_threshold(r)) continue;
      scan_row(r, row, keys);
    }
  }

  /// The edges that no tile has met.
  void finish() {
    for (std::size_t r = 0; r < edges_.size(); ++r)
      for (const std::size_t position : edges_[r]) offer_edge(r, position);
  }

 private:
  std::size_t source(std::size_t r) const {
    return queries_.exact.range.begin + queries_.packing.order[block_.begin + r];
  }
  std::size_t target(std::size_t position) const {
    return keys_.exact.range.begin + keys_.packing.order[position];
  }
  Score exact(std::size_t r, std::size_t position) {
    ++doubts_;
    return exact_score<Score>(queries_.exact, queries_.packing.order[block_.begin + r], keys_.exact,
                              keys_.packing.order[position]);
  }

  bool offer_edge(std::size_t r, std::size_t position) {
    return bests.least_edge.offer(exact(r, position), {source(r), target(position)}, true);
  }
  void offer_nonedge(std::size_t r, std::size_t position) {
    if (bests.greatest_nonedge.offer(exact(r, position), {source(r), target(position)}, false))
      set_nonedge_thresholds();
  }

  /// Edges with F > ⌊least/2^e⌋ + E have S >= 2^e·(F - E) > least.
  void set_edge_threshold() {
    const Best<Score>& least = bests.least_edge;
    edge_threshold_ = least.found ? clamped(Score(floor_shift(least.score, exponent_) + error_))
                                  : std::numeric_limits<std::int64_t>::max();
  }

  /// A pair with F < ⌈x/2^e⌉ - E has S <= 2^e·(F + E) < x, for x = best and, where a tie is lost
  /// already, x = best + 1; ⌈x/2^e⌉ = ⌊(x - 1)/2^e⌋ + 1.
  void set_nonedge_thresholds() {
    const Best<Score>& best = bests.greatest_nonedge;
    const auto threshold = [&](const Score& x) {
      return clamped(Score(floor_shift(Score(x - 1), exponent_) + 1 - error_));
    };
    constexpr std::int64_t all = std::numeric_limits<std::int32_t>::min() + std::int64_t{1};
    tie_ = best.found ? threshold(best.score) : all;
    win_ = best.found ? threshold(best.score + 1) : all;
  }

  std::int64_t row_threshold(std::size_t r) const {
    return source(r) > bests.greatest_nonedge.pair.source ? win_ : tie_;
  }

  /// Offers what of the row can be the greatest, the row's greatest score first.
  void scan_row(std::size_t r, const std::int32_t* row, const PackedBlock& keys) {
    const std::size_t count = keys.end - keys.begin;
    const auto first = static_cast<std::size_t>(std::max_element(row, row + count) - row);
    if (row[first] == no_score || row[first] < row_threshold(r)) return;
    offer_nonedge(r, keys.begin + first);
    const auto least = static_cast<std::int32_t>(
        std::min<std::int64_t>(row_threshold(r), std::numeric_limits<std::int32_t>::max()));
    for (std::size_t v = 0; v < count; ++v) {
      if (row[v] < least || row[v] < tie_ || v == first) continue;
      const Edge pair{source(r), target(keys.begin + v)};
      if (row[v] >= win_ || pair < bests.greatest_nonedge.pair) offer_nonedge(r, keys.begin + v);
    }
  }

  /// The rows of the tile from `first` on, without the filter, which leaves too many in doubt.
  void exact_rows(std::size_t first, const PackedBlock& keys, const Kernels& kernels) {
    if constexpr (std::is_same_v<Score, std::int64_t>) {
      const std::span<const std::size_t> sources(queries_.packing.order),
          targets(keys_.packing.order);
      const std::size_t stride = score_block(
          queries_.exact, sources.subspan(block_.begin + first, edges_.size() - first), keys_.exact,
          targets.subspan(keys.begin, keys.end - keys.begin), kernels, exact_);
      for (std::size_t r = first; r < edges_.size(); ++r) {
        std::int64_t* const row = exact_.data() + (r - first) * stride;
        for (auto& next = edges_[r]; !next.empty() && next.back() < keys.end; next.pop_back()) {
          std::int64_t& score = row[next.back() - keys.begin];
          bests.least_edge.offer(score, {source(r), target(next.back())}, true);
          score = no_exact_score;
        }
        Best<Score>& best = bests.greatest_nonedge;
        for (std::size_t v = 0; v < keys.end - keys.begin; ++v)
          if (row[v] != no_exact_score && (!best.found || row[v] >= best.score))
            best.offer(row[v], {source(r), target(keys.begin + v)}, false);
      }
    }
  }

  static constexpr std::size_t max_doubts = tile_rows * tile_keys / 128;

  const Operand& queries_;
  const Operand& keys_;
  const PackedBlock& block_;
  const bool exact_blocks_ =
      std::is_same_v<Score, std::int64_t> && fits_score_block(queries_.exact, keys_.exact);
  std::size_t doubts_ = 0;  ///< pairs of the tile scored again one by one
  std::vector<std::int64_t> exact_;
  std::vector<std::vector<std::size_t>> edges_;  ///< of each row, by position, not yet met
  std::vector<std::int32_t> scores_, row_max_;
  unsigned exponent_ = 0;
  std::int64_t error_ = 0;
  std::int64_t edge_threshold_ = 0, tie_ = 0, win_ = 0;
};

/// What to begin with. A score of more than 62 bits is left out: it saves work and no more.
template <class Score>
Bests<Score> bests_of(const Extremes& known) {
  Bests<Score> bests;
  const auto take = [](const std::optional<Extreme>& extreme, Best<Score>& best) {
    if (extreme && bit_length(extreme->score) <= 62)
      best = {true, Score(static_cast<std::int64_t>(extreme->score)), extreme->pair};
  };
  take(known.least_edge, bests.least_edge);
  take(known.greatest_nonedge, bests.greatest_nonedge);
  return bests;
}

/// Puts what the state has found into `bests`, scored anew.
template <class Score>
void restore(const ScanState& state, const Graph& graph, const Operand& queries,
             const Operand& keys, const std::string& blocks_sha256, Bests<Score>& bests) {
  const auto take = [&](const std::optional<Extreme>& saved, bool edge, Best<Score>& best) {
    if (!saved) return;
    const VertexRange sources = queries.exact.range, targets = keys.exact.range;
    const auto [u, v] = saved->pair;
    if (u < sources.begin || u >= sources.end || v < targets.begin || v >= targets.end ||
        graph.contains(saved->pair) != edge)
      throw UsageError("the state to resume from names a pair that is not there");
    const Score score =
        exact_score<Score>(queries.exact, u - sources.begin, keys.exact, v - targets.begin);
    if (to_integer(score) != saved->score)
      throw UsageError("the state to resume from has a score that its pair does not have");
    best.offer(score, saved->pair, edge);
  };
  if (state.done.size() != queries.packing.blocks.size())
    throw UsageError("the state to resume from has another number of blocks");
  if (!state.blocks_sha256.empty() && state.blocks_sha256 != blocks_sha256)
    throw UsageError("the state to resume from has blocks of other rows");
  take(state.extremes.least_edge, true, bests.least_edge);
  take(state.extremes.greatest_nonedge, false, bests.greatest_nonedge);
}

template <class Score>
Extremes scan(const Graph& graph, const Operand& queries, const Operand& keys,
              const Kernels& kernels, const Execution& execution) {
  const std::vector<PackedBlock>& blocks = queries.packing.blocks;
  std::vector<std::size_t> key_positions(keys.packing.order.size());
  for (std::size_t i = 0; i < key_positions.size(); ++i) key_positions[keys.packing.order[i]] = i;
  std::mutex mutex;  // guards what follows
  Bests<Score> all = bests_of<Score>(execution.known);
  ScanState state{std::vector<bool>(blocks.size()), {}};
  if (execution.resume || execution.save)
    state.blocks_sha256 = blocks_sha256(queries.packing, queries.exact.range);
  if (execution.resume) {
    restore(*execution.resume, graph, queries, keys, state.blocks_sha256, all);
    state.done = execution.resume->done;
  }
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < blocks.size(); ++i)
    if (!state.done[i]) left.push_back(i);
  const auto share = [&](Bests<Score>& mine) {
    const std::lock_guard lock(mutex);
    all.merge(mine);
    mine = all;
  };
  const auto work = [&](std::size_t i, unsigned) {
    BlockScan<Score> block(graph, queries, keys, key_positions, blocks[left[i]]);
    for (const PackedBlock& tile : keys.packing.blocks) {
      share(block.bests);
      if (block.excluded(tile)) break;  // and all that follow: their norms are no greater
      block.tile(tile, kernels);
    }
    block.finish();
    share(block.bests);
    if (!execution.save) return;
    const std::lock_guard lock(mutex);
    state.done[left[i]] = true;
    state.extremes = all.extremes();
    execution.save(state);
  };
  Progress progress;
  if (execution.progress)
    progress = [&, before = blocks.size() - left.size()](std::size_t done, std::size_t) {
      execution.progress(before + done, blocks.size());
    };
  parallel_for(left.size(), execution.threads, work, progress);
  return all.extremes();
}

}  // namespace

void Extremes::merge(const Extremes& other) {
  const auto take = [](std::optional<Extreme>& mine, const std::optional<Extreme>& theirs,
                       bool smaller_wins) {
    if (!theirs) return;
    Best<Integer> best;
    if (mine) best.offer(mine->score, mine->pair, smaller_wins);
    best.offer(theirs->score, theirs->pair, smaller_wins);
    mine = best.extreme();
  };
  take(least_edge, other.least_edge, true);
  take(greatest_nonedge, other.greatest_nonedge, false);
}

Extremes score_extremes(const Graph& graph, const Matrix& embedding, const Channel& channel,
                        VertexRange sources, VertexRange targets, const Execution& execution) {
  require(graph.vertices() == embedding.rows(), "score_extremes: one row per vertex is required");
  require_valid(channel, embedding.cols());
  const Kernels simd = kernels(execution.simd);
  const unsigned threads = execution.threads;
  const Projections queries = project(embedding, channel, Side::query, sources, simd, threads);
  const Projections keys = project(embedding, channel, Side::key, targets, simd, threads);
  return score_extremes(graph, queries, keys, execution);
}

Extremes score_extremes(const Graph& graph, const Projections& queries, const Projections& keys,
                        const Execution& execution) {
  require(!queries.heads.empty() && queries.heads.size() == keys.heads.size(),
          "score_extremes: heads");
  for (const Projections* side : {&queries, &keys}) {
    require(side->range.begin <= side->range.end && side->range.end <= graph.vertices(),
            "score_extremes: no such vertices");
    for (std::size_t k = 0; k < side->heads.size(); ++k) {
      const ExactRows& head = side->heads[k];
      const std::size_t size = std::visit([](const auto& all) { return all.size(); }, head.entries);
      require(head.cols == queries.heads[k].cols && size == side->range.size() * head.cols,
              "score_extremes: shapes of the projections");
    }
  }
  const Kernels simd = kernels(execution.simd);
  const unsigned threads = execution.threads;
  const std::vector<Integer> query_squares = row_squares(queries, threads);
  const std::vector<Integer> key_squares = row_squares(keys, threads);
  const PackingLimits limits = packing_limits(query_squares, key_squares);
  const Operand rows{
      queries, pack(queries, query_squares, limits.query, tile_rows, kernel_rows, 1, threads)};
  const Operand columns{
      keys, pack(keys, key_squares, limits.key, tile_keys, kernel_keys, panel_keys, threads)};
  const auto scan_as = [&](auto zero) {
    return scan<decltype(zero)>(graph, rows, columns, simd, execution);
  };
  Extremes all = execution.known;
  all.merge(fits_int64(queries, keys)    ? scan_as(std::int64_t{})
            : fits_int128(queries, keys) ? scan_as(Int128{})
                                         : scan_as(Integer{}));
  return all;
}

Extremes score_extremes(const Graph& graph, const Matrix& embedding, const Channel& channel,
                        const Execution& execution) {
  const VertexRange all{0, embedding.rows()};
  return score_extremes(graph, embedding, channel, all, all, execution);
}

Extremes score_extremes(const Graph& graph, const Matrix& embedding, const Channel& channel,
                        unsigned threads, const Progress& progress) {
  return score_extremes(graph, embedding, channel, {.threads = threads, .progress = progress});
}

}  // namespace qkcert
