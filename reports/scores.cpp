#include <algorithm>
#include <array>
#include <map>
#include <qkcert/core/errors.hpp>
#include <qkcert/reports/scores.hpp>
#include <qkcert/verify/projection.hpp>

namespace qkcert {

namespace {

/// The bin of a score is ⌊(score - τ - 1) / 2^shift⌋; a wider bin is that of half the index.
std::int64_t bin_of(Int128 distance, std::size_t shift) {
  return static_cast<std::int64_t>(distance >> shift);
}
std::int64_t bin_of(const Integer& distance, std::size_t shift) {
  const Integer index = floor_quotient(distance, power_of_two(shift));
  return to_int64(index).value();
}

class Bins {
 public:
  using Counts = std::array<std::uint64_t, 2>;  // edges, non-edges

  Bins(std::size_t shift, std::size_t limit) : shift_(shift), limit_(limit) {}
  std::size_t shift() const { return shift_; }
  const std::map<std::int64_t, Counts>& counts() const { return counts_; }

  void add(std::int64_t index, const Counts& more) {
    const auto [at, fresh] = counts_.try_emplace(index, Counts{});
    for (std::size_t i = 0; i < more.size(); ++i) at->second[i] += more[i];
    // |index| < 2^62: the difference does not overflow.
    while (fresh &&
           counts_.rbegin()->first - counts_.begin()->first >= static_cast<std::int64_t>(limit_))
      widen();
  }

  void merge(const Bins& other) {
    while (shift_ < other.shift_) widen();
    for (const auto& [index, counts] : other.counts_) {
      const std::size_t by = shift_ - other.shift_;
      add(index >> std::min<std::size_t>(by, 63), counts);
    }
  }

 private:
  void widen() {
    ++shift_;
    std::map<std::int64_t, Counts> wider;
    for (const auto& [index, counts] : counts_)
      for (std::size_t i = 0; i < counts.size(); ++i) wider[index >> 1][i] += counts[i];
    counts_ = std::move(wider);
  }

  std::size_t shift_, limit_;
  std::map<std::int64_t, Counts> counts_;
};

/// The `limit` best pairs: of the least scores, or of the greatest.
template <class Score>
class Nearest {
 public:
  Nearest(bool least, std::size_t limit) : least_(least), limit_(limit) {}

  void add(const Score& score, Edge pair) {
    if (limit_ == 0 || (list_.size() == limit_ && !before(score, pair, list_.back()))) return;
    const auto at = std::find_if(list_.begin(), list_.end(),
                                 [&](const Entry& entry) { return before(score, pair, entry); });
    list_.insert(at, {score, pair});
    if (list_.size() > limit_) list_.pop_back();
  }
  void merge(const Nearest& other) {
    for (const Entry& entry : other.list_) add(entry.score, entry.pair);
  }
  std::vector<ScoredPair> result() const {
    std::vector<ScoredPair> pairs;
    for (const Entry& entry : list_) pairs.push_back({entry.pair, to_integer(entry.score)});
    return pairs;
  }

 private:
  struct Entry {
    Score score;
    Edge pair;
  };
  bool before(const Score& score, Edge pair, const Entry& entry) const {
    if (score == entry.score) return pair < entry.pair;
    return least_ ? score < entry.score : entry.score < score;
  }

  bool least_;
  std::size_t limit_;
  std::vector<Entry> list_;
};

template <class Score>
struct Tally {
  Bins bins;
  Nearest<Score> edges, nonedges;
};

template <class Score>
Scores scan(const ScoresQuestion& question, const Projections& queries, const Projections& keys,
            const Score& threshold, std::size_t shift, unsigned threads, const Progress& progress) {
  const std::size_t m = question.graph.vertices();
  std::vector<Tally<Score>> tallies(
      thread_count(threads),
      {Bins(shift, question.bins), {true, question.pairs}, {false, question.pairs}});
  constexpr std::size_t rows = 16;
  parallel_for((m + rows - 1) / rows, threads,
               [&](std::size_t block, unsigned thread) {
                 Tally<Score>& tally = tallies[thread];
                 for (std::size_t u = block * rows; u < std::min(m, (block + 1) * rows); ++u) {
                   const auto targets = question.graph.edges_from(u);
                   auto next = targets.begin();
                   for (std::size_t v = 0; v < m; ++v) {
                     const Score score = exact_score<Score>(queries, u, keys, v);
                     const bool edge = next != targets.end() && next->target == v;
                     if (edge) ++next;
                     (edge ? tally.edges : tally.nonedges).add(score, {u, v});
                     tally.bins.add(bin_of(Score(score - threshold - 1), tally.bins.shift()),
                                    {edge ? 1U : 0U, edge ? 0U : 1U});
                   }
                 }
               },
               progress);
  Tally<Score>& all = tallies.front();
  for (std::size_t i = 1; i < tallies.size(); ++i) {
    all.bins.merge(tallies[i].bins);
    all.edges.merge(tallies[i].edges);
    all.nonedges.merge(tallies[i].nonedges);
  }
  Scores scores{all.edges.result(), all.nonedges.result(), power_of_two(all.bins.shift()), {}};
  const auto& counts = all.bins.counts();
  for (std::int64_t i = counts.begin()->first; i <= counts.rbegin()->first; ++i) {
    const auto found = counts.find(i);
    const Bins::Counts count = found == counts.end() ? Bins::Counts{} : found->second;
    scores.bins.push_back({Integer(i) * scores.bin_width + question.threshold, count[0], count[1]});
  }
  return scores;
}

}  // namespace

Scores scan_scores(const ScoresQuestion& question, unsigned threads, const Progress& progress) {
  const std::size_t m = question.graph.vertices();
  require(m == question.embedding.rows(), "scan_scores: a row for each vertex is required");
  require(m > 0 && question.bins >= 2, "scan_scores: a vertex and two bins are required");
  require_valid(question.channel, question.embedding.cols());
  const Kernels best = kernels();
  const auto projected = [&](Side side) {
    return project(question.embedding, question.channel, side, {0, m}, best, threads);
  };
  const Projections queries = projected(Side::query), keys = projected(Side::key);
  Integer largest = 0;  // no |score| is greater
  for (std::size_t k = 0; k < queries.heads.size(); ++k)
    largest = std::max(largest, Integer(Integer(queries.heads[k].cols) * queries.heads[k].max_abs *
                                        keys.heads[k].max_abs));
  const Integer& threshold = question.threshold;
  // |score - τ - 1| <= spread < 2^bits, so that every bin has |index| <= 2^61.
  const Integer spread = largest + abs(threshold) + 1;
  const std::size_t bits = bit_length(spread), shift = bits > 61 ? bits - 61 : 0;
  if (!fits_int128(queries, keys) || bits > 126)
    return scan<Integer>(question, queries, keys, threshold, shift, threads, progress);
  Int128 narrow = 0;
  for (std::size_t i = bits; i-- > 0;)
    narrow = 2 * narrow + (bit_test(Integer(abs(threshold)), static_cast<unsigned>(i)) ? 1 : 0);
  if (threshold < 0) narrow = -narrow;
  return scan<Int128>(question, queries, keys, narrow, shift, threads, progress);
}

}  // namespace qkcert
