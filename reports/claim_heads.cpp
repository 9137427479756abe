#include <qkcert/bounds/heads_clique.hpp>
#include <qkcert/bounds/narrow_head.hpp>
#include <qkcert/bounds/refute.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/reports/claim_heads.hpp>
#include <qkcert/reports/claim_inputs.hpp>
#include <qkcert/search/attempt.hpp>
#include <qkcert/verify/check.hpp>

namespace qkcert {

namespace {

using Type = Observable::Type;

struct Instance {
  GraphSource graph;
  EmbeddingSource embedding;
};

/// The text of a verdict. Errors: Error when the claim does not hold.
std::string checked(const Claim& claim) {
  Verdict verdict = check(claim, 1);
  if (!verdict.holds) throw Error("a refutation does not pass its check: " + verdict.text);
  return std::move(verdict.text);
}

Observations observe_single_head(const Graph& graph, const Matrix& rows) {
  Refutation answer = refute(graph, rows);
  if (const auto* found = std::get_if<Multipliers>(&answer))
    return {{{"possible", false}},
            checked(SingleHeadImpossibility{graph, rows, found->edges, found->nonedges})};
  const auto* form = std::get_if<SeparatingForm>(&answer);
  if (form == nullptr) throw Error("undecided: " + std::get<Undecided>(answer).tried);
  Channel channel{{form->head}};
  const Extremes extremes = score_extremes(graph, rows, channel, 1);
  if (!extremes.separated()) throw Error("a proposed head does not separate");
  return {{{"possible", true}}, checked(recovery_claim(graph, rows, std::move(channel), extremes))};
}

Observations observe_narrow_head(const Graph& graph, const Matrix& rows, const Integer& width,
                                 const Integer& weight_max) {
  if (const auto found = refute_narrow_head(graph, rows, width, weight_max))
    return {{{"possible", false}}, checked(*found)};
  throw Error("undecided: no multipliers were found for this width and weight_max");
}

constexpr Observable possible_facts[] = {{"possible", Type::flag}};

Instance read_instance(const Toml& claim, const std::string& folder, ClaimWork& work) {
  GraphSource graph(claim, folder, work.inputs);
  return {std::move(graph), EmbeddingSource(claim, folder, work.inputs)};
}

/// Calls `question` with the graph and the rows.
template <class Question>
ClaimWork asked(const Toml& claim, const std::string& folder, Question question) {
  ClaimWork work;
  work.observe = [instance = read_instance(claim, folder, work), question] {
    const Graph graph = instance.graph.graph();
    if (graph.vertices() == 0) throw UsageError("a graph of at least one vertex is needed");
    return question(graph, instance.embedding.embedding(graph.vertices()).rows);
  };
  return work;
}

ClaimWork read_single_head(const Toml& claim, const std::string& folder) {
  const auto width = claim.find("width");
  if (!width) return asked(claim, folder, observe_single_head);
  return asked(claim, folder,
               [w = width->count(1), a = claim.at("weight_max").count(1)](const Graph& graph,
                                                                          const Matrix& rows) {
                 return observe_narrow_head(graph, rows, w, a);
               });
}

ClaimWork read_any_heads(const Toml& claim, const std::string& folder) {
  return asked(claim, folder, [](const Graph& graph, const Matrix& rows) -> Observations {
    const AnyHeads found = refute_any_heads(graph, rows);
    if (!found.multipliers) throw Error("undecided: no edge by itself is beyond every head");
    return {{{"possible", false}},
            checked(SingleHeadImpossibility{graph, rows, found.multipliers->edges,
                                            found.multipliers->nonedges})};
  });
}

constexpr Observable heads_facts[] = {{"heads", Type::lower_bound}};

ClaimWork read_min_heads(const Toml& claim, const std::string& folder) {
  return asked(claim, folder, [](const Graph& graph, const Matrix& rows) -> Observations {
    const HeadsClique found = heads_clique(graph, rows);
    if (!found.bound) return {{{"heads", Integer(1)}}, "no two edges were found to clash"};
    return {{{"heads", Integer(found.bound->clique.size())}}, checked(*found.bound)};
  });
}

}  // namespace

std::vector<ClaimKind> heads_claim_kinds() {
  return {{"single-head", possible_facts, read_single_head},
          {"any-heads", possible_facts, read_any_heads},
          {"min-heads", heads_facts, read_min_heads}};
}

}  // namespace qkcert
