#include <algorithm>
#include <functional>
#include <qkcert/core/errors.hpp>
#include <qkcert/search/softmax.hpp>

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
Margins margins_of(const SoftmaxInstance& instance, const ScoreRows<Score>& rows) {
  const Graph& graph = instance.graph;
  const std::size_t m = graph.vertices();
  std::optional<Integer> gamma;
  const auto note = [&gamma](const Integer& distance) {
    gamma = gamma ? std::min(*gamma, distance) : distance;
  };
  bool leading = true;
  std::vector<std::vector<Score>> scores(rows.heads(), std::vector<Score>(m));
  for (std::size_t u = 0; u < m; ++u) {
    for (std::size_t k = 0; k < rows.heads(); ++k) rows.fill(k, u, scores[k]);
    const auto edges = graph.edges_from(u);
    std::vector<Score> most_edge;  // of the row, in each head
    for (const auto& row : scores) {
      std::vector<bool> is_edge(m);
      for (const Edge& edge : edges) is_edge[edge.target] = true;
      std::optional<Score> nonedge, edge;
      for (std::size_t v = 0; v < m; ++v) {
        auto& most = is_edge[v] ? edge : nonedge;
        if (!most || row[v] > *most) most = row[v];
      }
      if (nonedge) note(instance.threshold - as_integer(*nonedge));
      if (edge) most_edge.push_back(*edge);
    }
    for (const Edge& edge : edges) {
      std::size_t best = 0;
      for (std::size_t k = 1; k < scores.size(); ++k)
        if (scores[k][edge.target] > scores[best][edge.target]) best = k;
      note(as_integer(scores[best][edge.target]) - instance.threshold);
      leading = leading && scores[best][edge.target] == most_edge[best];
    }
  }
  return {std::max(gamma.value_or(Integer(0)), Integer(0)), leading};
}

}  // namespace

SoftmaxSearch::SoftmaxSearch(SoftmaxInstance instance, unsigned threads, Progress progress)
    : instance_(std::move(instance)),
      projected_(instance_.embedding, instance_.channel, threads),
      threads_(threads),
      progress_(std::move(progress)) {}

SoftmaxOutcome SoftmaxSearch::outcome(const Rational& beta, const Rational& theta) const {
  return softmax_outcome(instance_.graph, projected_, {instance_.threshold, beta, theta},
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
  const Margins margins =
      with_score_rows(projected_, [&](const auto& rows) { return margins_of(instance_, rows); });
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
