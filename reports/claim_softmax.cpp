#include <qkcert/core/errors.hpp>
#include <qkcert/io/gzip.hpp>
#include <qkcert/reports/claim_inputs.hpp>
#include <qkcert/reports/claim_softmax.hpp>
#include <qkcert/search/softmax.hpp>
#include <qkcert/verify/certificate.hpp>

namespace qkcert {

namespace {

using Type = Observable::Type;

constexpr Observable softmax_facts[] = {{"holds", Type::flag, true}, {"reason", Type::text}};

Observations observe_softmax(SoftmaxInstance instance, const Rational& beta,
                             const Rational& theta) {
  const SoftmaxSearch search(std::move(instance), 1);
  const SoftmaxOutcome outcome = search.outcome(beta, theta);
  if (!outcome.holds()) {
    const SoftmaxFailure failure = softmax_failure(search.instance(), outcome);
    if (!failure.refuted) throw Error(failure.reason);
    return {{{"holds", false}, {"reason", failure.reason}}, failure.reason};
  }
  const Verdict verdict = check(search.claim(beta, theta, outcome), 1);
  if (!verdict.holds) throw Error("the claim does not pass its check: " + verdict.text);
  return {{{"holds", true}}, verdict.text};
}

/// The channel of a certificate, or one spelled out; τ is the claim's, else the certificate's.
std::function<SoftmaxInstance()> read_instance(const Toml& claim, const std::string& folder,
                                               std::vector<std::string>& inputs) {
  if (const auto certificate = claim.find("certificate")) {
    const std::string path = input_file(*certificate, folder, inputs);
    const auto threshold = claim.find("threshold");
    std::optional<Integer> tau;
    if (threshold) tau = threshold->integer();
    return [=] {
      SoftmaxInstance instance =
          softmax_instance(read_certificate(read_packed_file(path), path), path);
      if (tau) instance.threshold = *tau;
      return instance;
    };
  }
  return [graph = GraphSource(claim, folder, inputs),
          embedding = EmbeddingSource(claim, folder, inputs),
          channel = read_channel_heads(claim.at("heads")), tau = claim.at("threshold").integer()] {
    const Graph one = graph.graph();
    return SoftmaxInstance{one, embedding.embedding(one.vertices()).rows, channel, tau, 2};
  };
}

ClaimWork read_softmax_claim(const Toml& claim, const std::string& folder) {
  ClaimWork work;
  const Rational beta = claim.at("beta").ratio(), theta = claim.at("theta").ratio();
  if (beta == 0) claim.at("beta").fail("a number above 0");
  if (theta == 0 || theta >= 1) claim.at("theta").fail("a number between 0 and 1");
  std::optional<Integer> size;
  if (const auto value = claim.find("context_size")) size = value->count(2);
  work.observe = [read = read_instance(claim, folder, work.inputs), beta, theta, size] {
    SoftmaxInstance instance = read();
    instance.context_size =
        size.value_or(Integer(std::max<std::size_t>(instance.graph.vertices(), 2)));
    return observe_softmax(std::move(instance), beta, theta);
  };
  return work;
}

}  // namespace

std::vector<ClaimKind> softmax_claim_kinds() {
  return {{"softmax", softmax_facts, read_softmax_claim}};
}

}  // namespace qkcert
