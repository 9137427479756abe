#include <algorithm>
#include <functional>
#include <qkcert/core/decimal.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/verify/contexts.hpp>
#include <qkcert/verify/head_scores.hpp>
#include <qkcert/verify/softmax_decoder.hpp>
#include <qkcert/verify/text.hpp>

namespace qkcert {

namespace {

/// For each vertex the contexts that hold it, by number.
std::vector<std::vector<std::size_t>> contexts_of(const Contexts& contexts, std::size_t vertices) {
  std::vector<std::vector<std::size_t>> result(vertices);
  for (std::size_t c = 0; c < contexts.size(); ++c)
    for (std::size_t i = 0; i < contexts[c].size(); ++i) {
      require(contexts[c][i] < vertices && (i == 0 || contexts[c][i - 1] < contexts[c][i]),
              "contexts of increasing vertices are required");
      result[contexts[c][i]].push_back(c);
    }
  return result;
}

/// The vertices that share a context with one that is in these.
std::vector<bool> companions(const Contexts& contexts, const std::vector<std::size_t>& holding,
                             std::size_t vertices) {
  std::vector<bool> result(vertices);
  for (const std::size_t c : holding)
    for (const std::size_t v : contexts[c]) result[v] = true;
  return result;
}

/// Calls judge(u, rows, seen) for every u in a context: seen[v] for its companions v, and
/// rows[k][v] = S^k_uv for these. The first fault by u counts.
Verdict judge_rows(const Matrix& embedding, const Channel& channel, const Contexts& contexts,
                   const std::vector<std::vector<std::size_t>>& holding, unsigned threads,
                   const Progress& progress, const auto& judge, const std::string& success) {
  const ScoresByHead scores(embedding, channel, threads);
  std::vector<std::string> faults(holding.size());
  with_score_type(scores, [&]<class Score>(const Score&) {
    const auto work = [&](std::size_t u, unsigned) {
      if (holding[u].empty()) return;
      const std::vector<bool> seen = companions(contexts, holding[u], holding.size());
      std::vector<std::vector<Score>> rows(scores.heads(), std::vector<Score>(seen.size()));
      for (std::size_t k = 0; k < rows.size(); ++k)
        for (std::size_t v = 0; v < seen.size(); ++v)
          if (seen[v]) rows[k][v] = scores.score<Score>(k, u, v);
      faults[u] = judge(u, rows, seen);
    };
    parallel_for(holding.size(), threads, work, progress);
  });
  for (const std::string& fault : faults)
    if (!fault.empty()) return {false, fault};
  return {true, success};
}

std::string success_text(const char* name, const Graph& graph, const Matrix& embedding,
                         const Contexts& contexts) {
  const std::size_t m = graph.vertices();
  return std::string(name) + ": " + instance_text(graph, embedding) + ": in each of the " +
         std::to_string(contexts.size()) + " contexts given, which cover " +
         std::to_string(covered_pairs(contexts, m)) + " of the " + to_decimal(Integer(m) * m) +
         " pairs, exactly the neighbours are recovered; other contexts were not looked at";
}

}  // namespace

std::size_t covered_pairs(const Contexts& contexts, std::size_t vertices) {
  std::size_t pairs = 0;
  for (const auto& holding : contexts_of(contexts, vertices)) {
    const std::vector<bool> seen = companions(contexts, holding, vertices);
    pairs += static_cast<std::size_t>(std::count(seen.begin(), seen.end(), true));
  }
  return pairs;
}

Verdict decide_in_contexts(const RecoveryClaim& claim, const Contexts& contexts, unsigned threads,
                           const Progress& progress) {
  const std::size_t m = claim.graph.vertices();
  require(m == claim.embedding.rows(), "one row per vertex is required");
  const auto holding = contexts_of(contexts, m);
  const auto judge = [&](std::size_t u, const auto& rows,
                         const std::vector<bool>& seen) -> std::string {
    for (std::size_t v = 0; v < m; ++v) {
      if (!seen[v]) continue;
      auto most = rows[0][v];
      for (const auto& row : rows) most = std::max(most, row[v]);
      const bool edge = claim.graph.contains({u, v});
      if ((to_integer(most) > claim.threshold) != edge)
        return std::string("the ") + (edge ? "edge " : "non-edge ") + show(Edge{u, v}) +
               " scores " + to_decimal(to_integer(most)) +
               (edge ? ", which is not above the threshold " : ", which is above the threshold ") +
               to_decimal(claim.threshold);
    }
    return "";
  };
  return judge_rows(claim.embedding, claim.channel, contexts, holding, threads, progress, judge,
                    success_text("recovery", claim.graph, claim.embedding, contexts));
}

Verdict decide_in_contexts(const SoftmaxRecovery& claim, const Contexts& contexts, unsigned threads,
                           const Progress& progress) {
  const std::size_t m = claim.graph.vertices();
  require(m == claim.embedding.rows(), "one row per vertex is required");
  const auto holding = contexts_of(contexts, m);
  const SoftmaxDecoder decoder({claim.beta, claim.theta});
  const auto judge = [&](std::size_t u, const auto& rows, const std::vector<bool>&) -> std::string {
    using Score = typename std::decay_t<decltype(rows[0])>::value_type;
    std::vector<Score> others;
    const auto exceeds = [&](const std::vector<Score>& row, std::size_t v, std::size_t c) {
      others.clear();
      for (const std::size_t w : contexts[c])
        if (w != v) others.push_back(row[w]);
      return decoder.exceeds(to_integer(row[v]), claim.threshold, std::span<const Score>(others));
    };
    for (const std::size_t c : holding[u]) {
      const std::string where = " in context " + std::to_string(c + 1) + " of the list";
      for (std::size_t k = 0; k < rows.size(); ++k) {
        std::optional<std::size_t> most;
        for (const std::size_t v : contexts[c])
          if (!claim.graph.contains({u, v}) && (!most || rows[k][v] > rows[k][*most])) most = v;
        if (most && exceeds(rows[k], *most, c))
          return "the non-edge " + show(Edge{u, *most}) + " has a weight above theta in head " +
                 std::to_string(k) + where;
      }
      for (const std::size_t v : contexts[c])
        if (claim.graph.contains({u, v}) &&
            std::none_of(rows.begin(), rows.end(),
                         [&](const auto& row) { return exceeds(row, v, c); }))
          return "the edge " + show(Edge{u, v}) + " has a weight of at most theta in every head" +
                 where;
    }
    return "";
  };
  return judge_rows(claim.embedding, claim.channel, contexts, holding, threads, progress, judge,
                    success_text("softmax-recovery", claim.graph, claim.embedding, contexts));
}

}  // namespace qkcert
