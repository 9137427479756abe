#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <qkcert/core/decimal.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/verify/softmax.hpp>
#include <qkcert/verify/text.hpp>

namespace qkcert {

SoftmaxRecovery read_softmax(ClaimReader& in) {
  SoftmaxRecovery claim;
  claim.graph = in.graph();
  claim.embedding = in.embedding(claim.graph.vertices());
  in.text().expect("decoder softmax ");
  claim.threshold = in.integer();
  in.text().expect("\n");
  claim.beta = in.ratio_line("beta", 0);
  claim.theta = in.ratio_line("theta", 0);
  claim.context_size = in.integer_line("context-size", 2);
  claim.channel = in.channel(claim.embedding.cols());
  in.text().expect("recovering-heads\n");
  for (std::size_t e = 0; e < claim.graph.edges().size(); ++e) {
    const std::size_t at = in.text().offset();
    const std::uint64_t head = in.count();
    if (head >= claim.channel.heads.size()) in.text().fail_at(at, "a head of the channel");
    claim.recovering_heads.push_back(head);
    in.text().expect("\n");
  }
  return claim;
}

namespace {

void require_shapes(const SoftmaxRecovery& claim) {
  require(claim.graph.vertices() == claim.embedding.rows(), "one row per vertex is required");
  require_valid(claim.channel, claim.embedding.cols());
  require(claim.recovering_heads.size() == claim.graph.edges().size(),
          "one recovering head per edge is required");
}

}  // namespace

void write_body(ClaimWriter& out, const SoftmaxRecovery& claim) {
  require_shapes(claim);
  out.graph(claim.graph);
  out.embedding(claim.embedding);
  out.integer_line("decoder softmax", claim.threshold);
  out.ratio_line("beta", claim.beta);
  out.ratio_line("theta", claim.theta);
  out.integer_line("context-size", claim.context_size);
  out.channel(claim.channel);
  out.line("recovering-heads");
  for (const std::size_t head : claim.recovering_heads) out.line(std::to_string(head));
}

namespace {

/// θ and β in units of 2^0 and of all blocks.
using Decoders = std::map<unsigned, SoftmaxDecoder>;

struct Question {
  const Graph& graph;
  const ScoresByHead& scores;
  const Decoders& decoders;
  const Integer& threshold;
  std::size_t context_size;
  const std::vector<std::size_t>* named;
};

/// ⌊x/2^unit⌋ within ±2^62, beyond which no bound of a score lies.
std::int64_t in_units(const Integer& x, unsigned unit) {
  const Integer limit = power_of_two(62);
  return to_int64(std::clamp<Integer>(floor_quotient(x, power_of_two(unit)), -limit, limit))
      .value();
}

/// The decisions on one block of sources of one head. Everything it writes belongs to its rows.
template <class Score>
class Block {
 public:
  Block(const Question& question, std::size_t head, std::size_t block,
        std::vector<std::optional<SoftmaxFault>>& unsafe, SoftmaxOutcome& outcome)
      : q_(question),
        head_(head),
        scores_(question.scores, head, block),
        exact_(question.decoders.at(0)),
        coarse_(question.decoders.at(scores_.unit())),
        unsafe_(unsafe),
        outcome_(outcome),
        rows_(scores_.rows()) {}

  void run(const Kernels& kernels) {
    bool wanted = false;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      open_row(r);
      wanted = wanted || rows_[r].nonedges || !rows_[r].open.empty();
    }
    for (std::size_t tile = 0; wanted && tile < scores_.tiles(); ++tile) {
      scores_.score_tile(tile, kernels);
      for (std::size_t r = 0; r < rows_.size(); ++r) {
        if (rows_[r].nonedges) collect(r);
        if (!rows_[r].open.empty()) scores_.keep(r);
      }
    }
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      if (rows_[r].nonedges) judge_nonedges(r);
      recover(r);
    }
  }

 private:
  struct RowState {
    std::size_t source = 0;
    Integer self;                                      ///< S_uu
    bool nonedges = false;                             ///< whether (1) is still to be decided
    std::int64_t limit = 0;                            ///< non-edges up to this, in units, are safe
    std::vector<std::pair<std::size_t, Score>> above;  ///< the others
    std::vector<std::pair<Integer, std::size_t>> open;  ///< score and number of edges to v ≠ u
  };

  Integer score(std::size_t u, std::size_t v) const {
    return to_integer(q_.scores.template score<Score>(head_, u, v));
  }

  /// Decides what the source's own score, τ and the edges' scores decide alone.
  void open_row(std::size_t r) {
    RowState& row = rows_[r];
    const std::size_t u = row.source = scores_.source(r);
    row.self = score(u, u);
    const Integer greatest = std::max(row.self, q_.threshold);
    row.nonedges = !unsafe_[u];
    row.limit = in_units(greatest + exact_.least_lead(), scores_.unit());
    const auto edges = q_.graph.edges_from(u);
    const auto first = static_cast<std::size_t>(edges.data() - q_.graph.edges().data());
    for (std::size_t e = first; e < first + edges.size(); ++e) {
      if (q_.named ? (*q_.named)[e] != head_ : outcome_.recovering_heads[e].has_value()) continue;
      const std::size_t v = q_.graph.edges()[e].target;
      const Integer own = v == u ? row.self : score(u, v);
      const Integer& most = v == u ? q_.threshold : greatest;
      if (exact_.exceeds_by_bounds(own, most, 2) != false) row.open.emplace_back(own, e);
    }
  }

  void collect(std::size_t r) {
    RowState& row = rows_[r];
    const std::size_t u = row.source;
    scores_.above(r, row.limit, [&](std::size_t v) {
      if (v != u && !q_.graph.contains({u, v}))
        row.above.emplace_back(v, q_.scores.template score<Score>(head_, u, v));
    });
  }

  void judge_nonedges(std::size_t r) {
    RowState& row = rows_[r];
    const std::size_t u = row.source;
    const std::vector<Integer> self{row.self};
    const auto unsafe = [&](const Score& score) {
      return exact_.exceeds(to_integer(score), q_.threshold, std::span<const Integer>(self));
    };
    std::optional<std::size_t> found;
    if (!q_.graph.contains({u, u}) &&
        exact_.exceeds(row.self, q_.threshold, std::span<const Integer>()))
      found = u;
    std::optional<Score> most;
    for (const auto& [v, score] : row.above) most = most ? std::max(*most, score) : score;
    if (most && unsafe(*most))
      for (const auto& [v, score] : row.above)
        if ((!found || v < *found) && unsafe(score)) found = v;
    if (found) unsafe_[u] = SoftmaxFault{{u, *found}, head_};
  }

  /// Notes the head for the open edges that it recovers. Those with target ≠ u are, by decreasing
  /// score, recovered up to some point.
  void recover(std::size_t r) {
    auto& open = rows_[r].open;
    const auto note = [&](std::size_t e) { outcome_.recovering_heads[e] = head_; };
    const auto loop = std::find_if(open.begin(), open.end(), [&](const auto& each) {
      return q_.graph.edges()[each.second].target == rows_[r].source;
    });
    if (loop != open.end()) {
      if (recovers(r, *loop)) note(loop->second);
      open.erase(loop);
    }
    std::sort(open.begin(), open.end(), std::greater<>());
    std::size_t low = 0, high = open.size();  // the number that is recovered is in [low, high]
    for (std::size_t last = high; low < high; last = (low + high + 1) / 2) {
      if (recovers(r, open[last - 1]))
        low = last;
      else
        high = last - 1;
    }
    for (std::size_t i = 0; i < low; ++i) note(open[i].second);
  }

  /// Whether (2) holds for an edge. A weight grows with its own score and falls with τ and the other
  /// scores: when a bound of the score from below beside bounds of all others from above is above
  /// θ, so is the weight; and the other way round. Sums of the greatest of them are bounded by those
  /// of the greatest bounds.
  bool recovers(std::size_t r, const std::pair<Integer, std::size_t>& edge) {
    const auto& [score, e] = edge;
    const std::size_t u = rows_[r].source, v = q_.graph.edges()[e].target;
    const std::vector<std::size_t>& at = q_.scores.packed(head_).key_positions;
    const Integer unit = power_of_two(scores_.unit());
    const auto down = [&](const Integer& x) { return floor_quotient(x, unit); };
    const auto up = [&](const Integer& x) { return Integer(-floor_quotient(-x, unit)); };
    std::vector<std::int64_t> bounds;
    scores_.upper(r, bounds);
    worst_others(at[u], at[v], bounds);
    if (u != v) bounds.push_back(to_int64(up(rows_[r].self)).value());
    const std::span<const std::int64_t> others(bounds);
    if (scores_.exact()) return exact_.exceeds(score, q_.threshold, others);
    if (coarse_.exceeds_by_table(down(score), up(q_.threshold), others) == true) return true;
    scores_.lower(r, bounds);
    worst_others(at[u], at[v], bounds);
    if (u != v) bounds.push_back(to_int64(down(rows_[r].self)).value());
    if (coarse_.exceeds_by_table(up(score), down(q_.threshold),
                                 std::span<const std::int64_t>(bounds)) == false)
      return false;
    std::vector<Score> row(q_.graph.vertices());
    for (std::size_t w = 0; w < row.size(); ++w)
      row[w] = q_.scores.template score<Score>(head_, u, w);
    const Score self = row[u];
    worst_others(u, v, row);
    if (u != v) row.push_back(self);
    return exact_.exceeds(score, q_.threshold, std::span<const Score>(row));
  }

  /// Leaves of all entries but i and j those that ℓ - |{i,j}| others of the worst context have.
  template <class Entry>
  void worst_others(std::size_t i, std::size_t j, std::vector<Entry>& entries) const {
    const std::size_t pair = i == j ? 1 : 2;
    const std::size_t more = std::min(q_.context_size, entries.size()) - pair;
    std::swap(entries[std::max(i, j)], entries.back());
    if (i != j) std::swap(entries[std::min(i, j)], entries[entries.size() - 2]);
    entries.resize(entries.size() - pair);
    if (more > 0 && more < entries.size())
      std::nth_element(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(more),
                       entries.end(), std::greater<>());
    entries.resize(more);
  }

  const Question& q_;
  std::size_t head_;
  EnclosedScores scores_;
  const SoftmaxDecoder& exact_;
  const SoftmaxDecoder& coarse_;
  std::vector<std::optional<SoftmaxFault>>& unsafe_;
  SoftmaxOutcome& outcome_;
  std::vector<RowState> rows_;
};

/// One decoder for each unit that a block has.
Decoders decoders_for(const ScoresByHead& scores, const Softmax& softmax) {
  Decoders decoders;
  decoders.emplace(0, softmax);
  for (std::size_t k = 0; k < scores.heads(); ++k)
    for (std::size_t block = 0; block < scores.packed(k).queries.blocks.size(); ++block) {
      const unsigned unit = EnclosedScores(scores, k, block).unit();
      if (!decoders.contains(unit))
        decoders.emplace(unit, Softmax{softmax.beta * power_of_two(unit), softmax.theta});
    }
  return decoders;
}

template <class Score>
SoftmaxOutcome outcome_of(const Question& question, unsigned threads, const Progress& progress) {
  const Graph& graph = question.graph;
  const Kernels simd = kernels();
  std::vector<std::optional<SoftmaxFault>> unsafe(graph.vertices());
  SoftmaxOutcome outcome;
  outcome.recovering_heads.resize(graph.edges().size());
  const std::size_t heads = question.scores.heads();
  for (std::size_t k = 0; k < heads; ++k) {
    const std::size_t blocks = question.scores.packed(k).queries.blocks.size();
    Progress of_head;
    if (progress)
      of_head = [&](std::size_t done, std::size_t) { progress(k * blocks + done, heads * blocks); };
    parallel_for(
        blocks, threads,
        [&](std::size_t block, unsigned) {
          Block<Score>(question, k, block, unsafe, outcome).run(simd);
        },
        of_head);
  }
  for (const auto& fault : unsafe)
    if (fault && !outcome.unsafe) outcome.unsafe = fault;
  return outcome;
}

}  // namespace

bool SoftmaxOutcome::holds() const {
  return !unsafe && std::all_of(recovering_heads.begin(), recovering_heads.end(),
                                [](const auto& head) { return head.has_value(); });
}

SoftmaxOutcome softmax_outcome(const Graph& graph, const ScoresByHead& scores,
                               const Integer& threshold, const Softmax& softmax,
                               const Integer& context_size,
                               const std::vector<std::size_t>* named_heads, unsigned threads,
                               const Progress& progress) {
  require(graph.vertices() == scores.vertices(), "one row per vertex is required");
  require(context_size >= 2, "a context size of at least 2 is required");
  require(!named_heads || named_heads->size() == graph.edges().size(),
          "one recovering head per edge is required");
  const std::size_t size = std::min<std::uint64_t>(
      to_uint64(context_size).value_or(std::numeric_limits<std::uint64_t>::max()),
      graph.vertices());
  const Decoders decoders = decoders_for(scores, softmax);
  const Question question{graph, scores, decoders, threshold, size, named_heads};
  return with_score_type(scores, [&]<class Score>(const Score&) {
    return outcome_of<Score>(question, threads, progress);
  });
}

Verdict decide(const SoftmaxRecovery& claim, unsigned threads, const Progress& progress) {
  require_shapes(claim);
  if (claim.beta <= 0) return {false, "beta must be positive"};
  if (claim.theta <= 0 || claim.theta >= 1) return {false, "theta must lie between 0 and 1"};
  if (claim.context_size < 2) return {false, "the context size must be at least 2"};
  const SoftmaxOutcome outcome = softmax_outcome(
      claim.graph, ScoresByHead(claim.embedding, claim.channel, threads), claim.threshold,
      {claim.beta, claim.theta}, claim.context_size, &claim.recovering_heads, threads, progress);
  if (outcome.unsafe)
    return {false, "the non-edge " + show(outcome.unsafe->pair) +
                       " has a weight above theta in head " + std::to_string(outcome.unsafe->head) +
                       " in the context of its ends alone"};
  for (std::size_t e = 0; e < claim.recovering_heads.size(); ++e)
    if (!outcome.recovering_heads[e])
      return {false, "the edge " + show(claim.graph.edges()[e]) +
                         " has a weight of at most theta in head " +
                         std::to_string(claim.recovering_heads[e]) + " in its worst context of " +
                         "up to " + to_decimal(claim.context_size) + " vertices"};
  const std::size_t heads = claim.channel.heads.size();
  const auto ratio = [](const Rational& x) {
    return to_decimal(numerator(x)) + "/" + to_decimal(denominator(x));
  };
  const bool all = claim.context_size >= claim.graph.vertices();
  return {true, "softmax-recovery: " + instance_text(claim.graph, claim.embedding) + ": " +
                    std::to_string(heads) + (heads == 1 ? " head" : " heads") + ", D_K " +
                    std::to_string(claim.channel.key_dimension()) + ", weights up to " +
                    to_decimal(claim.channel.weight_max()) + ": recovers " +
                    (all ? "every context's neighbours"
                         : "the neighbours in every context of up to " +
                               to_decimal(claim.context_size) + " vertices") +
                    " under softmax with a null key, tau " + to_decimal(claim.threshold) +
                    ", beta " + ratio(claim.beta) + ", theta " + ratio(claim.theta)};
}

}  // namespace qkcert
