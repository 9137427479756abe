#include <algorithm>
#include <functional>
#include <qkcert/core/errors.hpp>
#include <qkcert/search/softmax.hpp>
#include <qkcert/verify/certificate.hpp>
#include <qkcert/verify/extremes.hpp>
#include <qkcert/verify/text.hpp>

namespace qkcert {

namespace {

/// The i with works(i) and not works(i-1), or 1, that doubling and bisection lead to; at most
/// `limit` after doubling.
std::optional<Integer> first_working(const std::function<bool(const Integer&)>& works,
                                     const Integer& limit) {
  Integer high = 1;
  while (!works(high)) {
    high *= 2;
    if (high > limit) return std::nullopt;
  }
  Integer low = high / 2;  // 0, or does not work
  while (high - low > 1) {
    const Integer middle = (low + high) / 2;
    (works(middle) ? high : low) = middle;
  }
  return high;
}

/// What the closed form needs to know of the scores.
struct Margins {
  Integer gamma = 0;    ///< the least distance to τ, 0 when some pair is on the wrong side
  bool leading = true;  ///< no edge scores more than another that its head is the best for
};

template <class Score>
Margins margins_of(const SoftmaxInstance& instance, const ScoresByHead& scores, unsigned threads) {
  const Extremes extremes =
      score_extremes(instance.graph, instance.embedding, instance.channel, threads);
  std::optional<Integer> gamma;
  if (extremes.least_edge) gamma = extremes.least_edge->score - instance.threshold;
  if (extremes.greatest_nonedge) {
    const Integer distance = instance.threshold - extremes.greatest_nonedge->score;
    gamma = gamma ? std::min(*gamma, distance) : distance;
  }
  bool leading = true;
  for (std::size_t u = 0; u < instance.graph.vertices(); ++u) {
    const auto edges = instance.graph.edges_from(u);
    if (edges.size() < 2) continue;
    std::vector<std::vector<Score>> table(scores.heads());  // of each head, the edges' scores
    for (std::size_t k = 0; k < table.size(); ++k)
      for (const Edge& edge : edges) table[k].push_back(scores.score<Score>(k, u, edge.target));
    for (std::size_t e = 0; e < edges.size(); ++e) {
      const auto& best = *std::max_element(
          table.begin(), table.end(), [e](const auto& a, const auto& b) { return a[e] < b[e]; });
      leading = leading && best[e] == *std::max_element(best.begin(), best.end());
    }
  }
  return {std::max(gamma.value_or(Integer(0)), Integer(0)), leading};
}

}  // namespace

SoftmaxInstance softmax_instance(const Claim& claim, const std::string& source) {
  const auto instance = [](const auto& each) {
    return SoftmaxInstance{each.graph, each.embedding, each.channel, each.threshold, 2};
  };
  if (const auto* recovery = std::get_if<RecoveryClaim>(&claim)) return instance(*recovery);
  if (const auto* softmax = std::get_if<SoftmaxRecovery>(&claim)) return instance(*softmax);
  throw UsageError(source + ": expected a certificate of a channel, found the claim " +
                   std::string(claim_name(claim)));
}

SoftmaxFailure softmax_failure(const SoftmaxInstance& instance, const SoftmaxOutcome& outcome) {
  require(!outcome.holds(), "softmax_failure: an outcome that does not hold is required");
  if (outcome.unsafe)
    return {true, "the non-edge " + show(outcome.unsafe->pair) +
                      " has a weight above theta in head " + std::to_string(outcome.unsafe->head) +
                      " in the context of its ends alone"};
  std::size_t e = 0;
  while (outcome.recovering_heads[e]) ++e;
  const bool refuted = instance.channel.heads.size() == 1;
  return {refuted, (refuted ? "" : "undecided: ") +
                       ("the edge " + show(instance.graph.edges()[e])) +
                       " has a weight of at most theta in every head in the worst context there" +
                       (refuted ? "" : "; several heads together may still recover it")};
}

SoftmaxSearch::SoftmaxSearch(SoftmaxInstance instance, unsigned threads, Progress progress)
    : instance_(std::move(instance)),
      scores_(instance_.embedding, instance_.channel, threads),
      threads_(threads),
      progress_(std::move(progress)) {}

SoftmaxOutcome SoftmaxSearch::outcome(const Rational& beta, const Rational& theta) const {
  return softmax_outcome(instance_.graph, scores_, instance_.threshold, {beta, theta},
                         instance_.context_size, nullptr, threads_, progress_);
}

SoftmaxRecovery SoftmaxSearch::claim(const Rational& beta, const Rational& theta,
                                     const SoftmaxOutcome& outcome) const {
  require(outcome.holds(), "SoftmaxSearch: an outcome that holds is required");
  SoftmaxRecovery result{instance_.graph, instance_.embedding,    instance_.threshold, beta,
                         theta,           instance_.context_size, instance_.channel,   {}};
  for (const auto& head : outcome.recovering_heads) result.recovering_heads.push_back(*head);
  return result;
}

std::optional<Integer> SoftmaxSearch::find_beta(const Rational& theta, std::size_t bits) const {
  const Integer unit = power_of_two(bits);
  return first_working([&](const Integer& i) { return outcome(Rational(i, unit), theta).holds(); },
                       unit * power_of_two(16));
}

ThetaGrid SoftmaxSearch::find_theta(const Rational& beta, std::size_t bits) const {
  require(bits >= 1 && bits <= 64, "find_theta: 1 to 64 bits are required");
  const Integer unit = power_of_two(bits);
  // The least j in (low, high] with yes(j), where yes(high) is taken for granted.
  const auto bisect = [&](const std::function<bool(const SoftmaxOutcome&)>& yes) {
    Integer low = 0, high = unit;
    while (high - low > 1) {
      const Integer middle = (low + high) / 2;
      (yes(outcome(beta, Rational(middle, unit))) ? high : low) = middle;
    }
    return high;
  };
  const Integer least = bisect([](const SoftmaxOutcome& at) { return !at.unsafe; });
  const Integer lost = bisect([](const SoftmaxOutcome& at) {
    const auto& heads = at.recovering_heads;
    return std::any_of(heads.begin(), heads.end(), [](const auto& head) { return !head; });
  });
  return {bits, least, lost - 1};
}

std::optional<Integer> SoftmaxSearch::closed_form_beta(const Rational& theta,
                                                       std::size_t bits) const {
  const Graph& graph = instance_.graph;
  const Margins margins = with_score_type(scores_, [&]<class Score>(const Score&) {
    return margins_of<Score>(instance_, scores_, threads_);
  });
  const Integer &gamma = margins.gamma, p = numerator(theta), q = denominator(theta);
  const Integer size = std::min<Integer>(instance_.context_size, graph.vertices());
  const std::size_t degree = graph.max_out_degree();
  const bool half = theta == Rational(1, 2) && degree <= 1;
  if (gamma == 0 || !margins.leading || (!half && p * degree >= q)) return std::nullopt;
  // Each sum must not be positive; the last one must be negative.
  std::vector<std::vector<ExponentialTerm>> sums;
  if (half) {
    sums.push_back({{-1, 0}, {1, -gamma}, {size - 1, -2 * gamma}});
  } else {
    sums.push_back({{-p, 0}, {q, -gamma}});
    sums.push_back({{p * degree - q, 0}, {p, -gamma}, {p * size, -2 * gamma}});
  }
  const auto promised = [&](const Integer& i) {
    const Rational beta(i, power_of_two(bits));
    if (sign_of_sum(sums.back(), beta) >= 0) return false;
    return sign_of_sum(sums.front(), beta) <= 0;
  };
  return first_working(promised, power_of_two(bits + 16));
}

}  // namespace qkcert
