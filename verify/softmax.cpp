#include <algorithm>
#include <functional>
#include <limits>
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

/// The decisions on one row of scores of one head.
template <class Score>
class Row {
 public:
  Row(const Graph& graph, const SoftmaxDecoder& decoder, std::size_t context_size)
      : graph_(graph), decoder_(decoder), context_size_(context_size) {}

  /// The target of the first non-edge from u that (1) fails for. `scores` is left as it was.
  std::optional<std::size_t> unsafe(std::size_t u, std::vector<Score>& scores) {
    const auto edges = graph_.edges_from(u);
    const bool loop = graph_.contains({u, u});
    const Score self = scores[u];
    saved_.clear();
    for (const Edge& edge : edges) saved_.push_back(scores[edge.target]);
    // Pairs that (1) does not compare with the others: they are below or equal to any score.
    const Score least = *std::min_element(scores.begin(), scores.end());
    for (const Edge& edge : edges) scores[edge.target] = least;
    scores[u] = least;
    const auto most = std::max_element(scores.begin(), scores.end());
    const std::size_t others = graph_.vertices() - edges.size() - (loop ? 0 : 1);
    std::optional<std::size_t> found;
    if (others > 0 && exceeds(*most, self)) {
      for (std::size_t e = 0; e < edges.size(); ++e) scores[edges[e].target] = saved_[e];
      scores[u] = self;
      for (std::size_t v = 0; v < scores.size() && !found; ++v)
        if (v != u && !graph_.contains({u, v}) && exceeds(scores[v], self)) found = v;
    }
    scores[u] = self;
    for (std::size_t e = 0; e < edges.size(); ++e) scores[edges[e].target] = saved_[e];
    if (!loop && (!found || u < *found) &&
        decoder_.exceeds(as_integer(self), std::span<const Score>()))
      found = u;
    return found;
  }

  /// Whether (2) holds for the edge (u,v).
  bool recovers(std::size_t u, std::size_t v, const std::vector<Score>& scores) {
    const Integer score = as_integer(scores[v]);
    const std::size_t pair = u == v ? 1 : 2;
    const std::size_t more = std::min(context_size_, scores.size()) - pair;
    others_.assign(scores.begin(), scores.end());
    std::swap(others_[std::max(u, v)], others_.back());
    if (u != v) std::swap(others_[std::min(u, v)], others_[others_.size() - 2]);
    others_.resize(others_.size() - pair);
    const auto end = others_.begin() + static_cast<std::ptrdiff_t>(more);
    if (more > 0 && more < others_.size()) {
      // The greatest of all others and their number may decide without a selection.
      const Score most = *std::max_element(others_.begin(), others_.end());
      Integer greatest = std::max(decoder_.threshold(), as_integer(most));
      if (u != v) greatest = std::max(greatest, as_integer(scores[u]));
      if (const auto answer = decoder_.exceeds_by_bounds(score, greatest, more + pair))
        return *answer;
      std::nth_element(others_.begin(), end, others_.end(), std::greater<>());
    }
    others_.erase(end, others_.end());
    if (u != v) others_.push_back(scores[u]);
    return decoder_.exceeds(score, std::span<const Score>(others_));
  }

 private:
  bool exceeds(const Score& score, const Score& self) const {
    return decoder_.exceeds(as_integer(score), std::span<const Score>(&self, 1));
  }

  const Graph& graph_;
  const SoftmaxDecoder& decoder_;
  std::size_t context_size_;
  std::vector<Score> saved_, others_;
};

/// All decisions, rows in parallel; everything that is written belongs to one row.
template <class Score>
class Rows {
 public:
  Rows(const Graph& graph, const ScoreRows<Score>& scores, const SoftmaxDecoder& decoder,
       std::size_t context_size, const std::vector<std::size_t>* named)
      : graph_(graph),
        scores_(scores),
        decoder_(decoder),
        context_size_(context_size),
        named_(named),
        unsafe_(graph.vertices()) {
    outcome_.recovering_heads.resize(graph.edges().size());
  }

  SoftmaxOutcome run(unsigned threads, const Progress& progress) {
    constexpr std::size_t block_rows = 16;  // that share a head's keys while they are in the cache
    const std::size_t m = graph_.vertices();
    const auto work = [&](std::size_t block, unsigned) {
      Row<Score> row(graph_, decoder_, context_size_);
      std::vector<Score> scores(m);
      for (std::size_t k = 0; k < scores_.heads(); ++k)
        for (std::size_t u = block * block_rows; u < std::min((block + 1) * block_rows, m); ++u) {
          scores_.fill(k, u, scores);
          if (!unsafe_[u])
            if (const auto v = row.unsafe(u, scores)) unsafe_[u] = SoftmaxFault{{u, *v}, k};
          recover(row, k, u, scores);
        }
    };
    parallel_for((m + block_rows - 1) / block_rows, threads, work, progress);
    for (auto& fault : unsafe_)
      if (fault && !outcome_.unsafe) outcome_.unsafe = fault;
    return std::move(outcome_);
  }

 private:
  /// Notes head k for the edges from u that are its own or that no head has recovered yet, and that
  /// it recovers. Those with target ≠ u are, by decreasing score, recovered up to some point.
  void recover(Row<Score>& row, std::size_t k, std::size_t u, const std::vector<Score>& scores) {
    const auto edges = graph_.edges_from(u);
    const auto first = static_cast<std::size_t>(edges.data() - graph_.edges().data());
    std::vector<std::size_t> open;
    for (std::size_t e = first; e < first + edges.size(); ++e) {
      if (named_ ? (*named_)[e] != k : outcome_.recovering_heads[e].has_value()) continue;
      if (graph_.edges()[e].target != u)
        open.push_back(e);
      else if (row.recovers(u, u, scores))
        outcome_.recovering_heads[e] = k;
    }
    const auto target = [&](std::size_t e) { return graph_.edges()[e].target; };
    std::sort(open.begin(), open.end(),
              [&](std::size_t a, std::size_t b) { return scores[target(a)] > scores[target(b)]; });
    std::size_t low = 0, high = open.size();  // the number that is recovered is in [low, high]
    for (std::size_t last = high; low < high; last = (low + high + 1) / 2) {
      if (row.recovers(u, target(open[last - 1]), scores))
        low = last;
      else
        high = last - 1;
    }
    for (std::size_t i = 0; i < low; ++i) outcome_.recovering_heads[open[i]] = k;
  }

  const Graph& graph_;
  const ScoreRows<Score>& scores_;
  const SoftmaxDecoder& decoder_;
  std::size_t context_size_;
  const std::vector<std::size_t>* named_;
  std::vector<std::optional<SoftmaxFault>> unsafe_;
  SoftmaxOutcome outcome_;
};

}  // namespace

bool SoftmaxOutcome::holds() const {
  return !unsafe && std::all_of(recovering_heads.begin(), recovering_heads.end(),
                                [](const auto& head) { return head.has_value(); });
}

SoftmaxOutcome softmax_outcome(const Graph& graph, const ProjectedHeads& projected,
                               const Softmax& softmax, const Integer& context_size,
                               const std::vector<std::size_t>* named_heads, unsigned threads,
                               const Progress& progress) {
  require(graph.vertices() == projected.vertices(), "one row per vertex is required");
  require(context_size >= 2, "a context size of at least 2 is required");
  require(!named_heads || named_heads->size() == graph.edges().size(),
          "one recovering head per edge is required");
  const SoftmaxDecoder decoder(softmax);
  const std::size_t size = std::min<std::uint64_t>(
      to_uint64(context_size).value_or(std::numeric_limits<std::uint64_t>::max()),
      graph.vertices());
  return with_score_rows(projected, [&]<class Score>(const ScoreRows<Score>& scores) {
    return Rows<Score>(graph, scores, decoder, size, named_heads).run(threads, progress);
  });
}

Verdict decide(const SoftmaxRecovery& claim, unsigned threads, const Progress& progress) {
  require_shapes(claim);
  if (claim.beta <= 0) return {false, "beta must be positive"};
  if (claim.theta <= 0 || claim.theta >= 1) return {false, "theta must lie between 0 and 1"};
  if (claim.context_size < 2) return {false, "the context size must be at least 2"};
  const SoftmaxOutcome outcome =
      softmax_outcome(claim.graph, ProjectedHeads(claim.embedding, claim.channel, threads),
                      {claim.threshold, claim.beta, claim.theta}, claim.context_size,
                      &claim.recovering_heads, threads, progress);
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
