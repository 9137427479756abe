#include <qkcert/core/errors.hpp>
#include <qkcert/search/attempt.hpp>

namespace qkcert {

Integer choose_threshold(const Extremes& extremes) {
  require(extremes.separated(), "choose_threshold: the extremes are not separated");
  const auto& [least, greatest] = extremes;
  if (least && greatest) return floor_quotient(least->score + greatest->score, 2);
  if (greatest) return greatest->score;
  return least ? Integer(least->score - 1) : Integer(0);
}

RecoveryClaim recovery_claim(const Graph& graph, const Matrix& embedding, Channel channel,
                             const Extremes& extremes) {
  const auto score = [](const std::optional<Extreme>& extreme) {
    return extreme ? std::optional(extreme->score) : std::nullopt;
  };
  return {graph,
          embedding,
          choose_threshold(extremes),
          std::move(channel),
          score(extremes.least_edge),
          score(extremes.greatest_nonedge)};
}

Attempt attempt(const Method& method, const Request& request, bool limit_weights,
                const Progress& progress) {
  Attempt result{std::string(method.name), plan(method, request), request.seed, {}, {}};
  result.patience = request.patience;
  Channel channel = propose(method, request);
  result.weight_max = channel.weight_max();
  if (limit_weights && result.weight_max > request.weight_max) return result;
  result.extremes =
      score_extremes(request.graph, request.embedding.rows, channel, request.threads, progress);
  if (!result.extremes->separated()) return result;
  result.claim =
      recovery_claim(request.graph, request.embedding.rows, std::move(channel), *result.extremes);
  return result;
}

}  // namespace qkcert
