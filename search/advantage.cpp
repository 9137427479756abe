#include <qkcert/core/errors.hpp>
#include <qkcert/search/advantage.hpp>
#include <qkcert/verify/certificate.hpp>

namespace qkcert {

namespace {

/// The claim that the form, taken for one head, recovers the graph, if it does.
std::optional<RecoveryClaim> one_head_claim(const Graph& graph, const Matrix& embedding,
                                            const SeparatingForm& form, unsigned threads) {
  Channel channel{{form.head}};
  const Extremes extremes = score_extremes(graph, embedding, channel, threads);
  if (!extremes.separated()) return std::nullopt;
  const auto score = [](const std::optional<Extreme>& extreme) {
    return extreme ? std::optional(extreme->score) : std::nullopt;
  };
  return RecoveryClaim{graph,
                       embedding,
                       choose_threshold(extremes),
                       std::move(channel),
                       score(extremes.least_edge),
                       score(extremes.greatest_nonedge)};
}

}  // namespace

Advantage find_advantage(const Graph& graph, const Embedding& embedding,
                         const CertifyOptions& options) {
  if (options.heads == 1) throw UsageError("the advantage is that of at least two heads");
  Advantage result;
  Refutation answer =
      refute(graph, embedding.rows, {.seed = options.seed, .budget = options.budget});
  if (const auto* undecided = std::get_if<Undecided>(&answer)) {
    result.tried = undecided->tried;
  } else if (const auto* form = std::get_if<SeparatingForm>(&answer)) {
    result.one_head = one_head_claim(graph, embedding.rows, *form, options.threads);
    if (!result.one_head) result.tried = "a form that does not separate";
  } else {
    auto& found = std::get<Multipliers>(answer);
    result.single = {graph, embedding.rows, std::move(found.edges), std::move(found.nonedges)};
    result.heads = certify(graph, embedding, options);
  }
  return result;
}

Verdict check_advantage(std::string_view single, const std::string& single_name,
                        std::string_view heads, const std::string& heads_name, unsigned threads) {
  const Claim first = read_certificate(single, single_name);
  const Claim second = read_certificate(heads, heads_name);
  const auto* impossible = std::get_if<SingleHeadImpossibility>(&first);
  const auto* recovery = std::get_if<RecoveryClaim>(&second);
  if (!impossible) return {false, single_name + ": not an impossibility of a single head"};
  if (!recovery) return {false, heads_name + ": not a recovery"};
  if (recovery->channel.heads.size() < 2) return {false, heads_name + ": a single head"};
  if (impossible->graph != recovery->graph) return {false, "the two graphs differ"};
  if (impossible->embedding != recovery->embedding) return {false, "the two embeddings differ"};
  const Verdict no = check(first, threads);
  if (!no.holds) return {false, single_name + ": " + no.text};
  const Verdict yes = check(second, threads);
  if (!yes.holds) return {false, heads_name + ": " + yes.text};
  return {true, single_name + ": " + no.text + "\n" + heads_name + ": " + yes.text + "\n"};
}

}  // namespace qkcert
