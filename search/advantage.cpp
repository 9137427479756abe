#include <qkcert/core/errors.hpp>
#include <qkcert/search/advantage.hpp>
#include <qkcert/verify/certificate.hpp>

namespace qkcert {

Advantage find_advantage(const Graph& graph, const Embedding& embedding,
                         const CertifyOptions& options) {
  if (options.heads == 1) throw UsageError("the advantage is that of at least two heads");
  Advantage result;
  Refutation answer =
      refute(graph, embedding.rows, {.seed = options.seed, .budget = options.budget});
  if (const auto* undecided = std::get_if<Undecided>(&answer)) {
    result.tried = undecided->tried;
  } else if (const auto* form = std::get_if<SeparatingForm>(&answer)) {
    Channel channel{{form->head}};
    const Extremes extremes = score_extremes(graph, embedding.rows, channel, options.threads);
    result.one_head = recovery_claim(graph, embedding.rows, std::move(channel), extremes);
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
