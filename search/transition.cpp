#include <algorithm>
#include <mutex>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/random_graph.hpp>
#include <qkcert/search/batch.hpp>
#include <qkcert/search/transition.hpp>
#include <qkcert/verify/certificate.hpp>
#include <qkcert/verify/check.hpp>
#include <qkcert/verify/sha256.hpp>

namespace qkcert {

namespace {

using Outcome = TransitionTrial::Outcome;

constexpr std::uint64_t max_seeds = std::uint64_t{1} << 32;
constexpr std::size_t max_tries = std::size_t{1} << 16;

/// The random graph and embedding of one trial.
struct Instance {
  Graph graph;
  Embedding embedding;

  Instance(const TransitionOptions& options, const TransitionSeeds& seeds)
      : graph(random_graph(options.family, seeds.graph)),
        embedding(gaussian_embedding(options.family.vertices(), options.d_model,
                                     options.embedding_bits, seeds.embedding)) {}
};

/// The request for a point. Equal heads are asked for by their width, which every method that takes
/// both parameters understands; others by D_K.
Request request_for(const TransitionOptions& options, const TransitionPoint& point,
                    const Instance& instance) {
  Request request{.graph = instance.graph,
                  .embedding = instance.embedding,
                  .heads = point.heads,
                  .head_dim = point.head_dim,
                  .key_dimension = point.key_dimension,
                  .weight_max = options.weight_max,
                  .threads = 1,
                  .stop = options.stop};
  const auto divided_by = [&](const std::optional<std::size_t>& part) {
    return part && *part > 0 && point.key_dimension % *part == 0 && point.key_dimension > 0;
  };
  if (divided_by(point.heads))
    request.head_dim = point.key_dimension / *point.heads;
  else if (divided_by(point.head_dim))
    request.heads = point.key_dimension / *point.head_dim;
  return request;
}

std::string point_text(const TransitionPoint& point) {
  std::string text = "D_K " + std::to_string(point.key_dimension);
  if (point.heads) text += " in " + std::to_string(*point.heads) + " heads";
  if (point.head_dim) text += " in heads of width " + std::to_string(*point.head_dim);
  return text;
}

/// Whether the method has an architecture of the point's D_K and split.
bool meets(const TransitionPoint& point, const Architecture& planned) {
  return planned.key_dimension() == point.key_dimension &&
         planned.heads == point.heads.value_or(planned.heads) &&
         (!point.head_dim || (planned.head_dim == *point.head_dim && planned.wider == 0));
}

bool serves(const TransitionOptions& options, const TransitionPoint& point,
            const Instance& instance) {
  return meets(point, plan(find_method(options.method), request_for(options, point, instance)));
}

void check_options(const TransitionOptions& options) {
  if (options.trials == 0 || options.tries == 0)
    throw UsageError("transition: at least one trial of one try is needed");
  if (options.seed > max_seeds || options.trials > max_seeds - options.seed)
    throw UsageError("transition: seed + trials may be at most 2^32");
  if (options.tries > max_tries) throw UsageError("transition: at most 2^16 tries");
}

class Sweep {
 public:
  explicit Sweep(const TransitionOptions& options)
      : options_(options),
        method_(find_method(options.method)),
        deadline_(std::chrono::steady_clock::now() + options.budget) {}

  /// Runs the trial and reports it unless it was cut.
  void run(const TransitionPoint& point, TransitionTrial& trial) {
    const std::string certificate = decide(point, trial);
    if (trial.outcome == Outcome::incomplete || !options_.on_trial) return;
    const std::lock_guard lock(mutex_);
    options_.on_trial(point, trial, certificate);
  }

 private:
  /// Returns the certificate of a success.
  std::string decide(const TransitionPoint& point, TransitionTrial& trial) const {
    trial.seeds = transition_seeds(options_.seed, trial.number, 0);
    const Instance instance(options_, trial.seeds);
    Request request = request_for(options_, point, instance);
    request.deadline = deadline_;
    const std::size_t tries = method_.seeded ? options_.tries : 1;
    for (std::size_t attempted = 0; attempted < tries; ++attempted) {
      if (request.out_of_time()) return {};
      trial.seeds = transition_seeds(options_.seed, trial.number, attempted);
      request.seed = trial.seeds.construction;
      const Answer answer = ask(method_, request);
      if (answer.attempt) trial.architecture = answer.attempt->architecture;
      // What ran out of time might have ended otherwise.
      if (request.out_of_time()) return {};
      if (answer.verified() && meets(point, trial.architecture))
        return certify(*answer.attempt->claim, trial);
    }
    trial.outcome = Outcome::failed;
    return {};
  }

  static std::string certify(const RecoveryClaim& claim, TransitionTrial& trial) {
    std::string bytes = write_certificate(claim);
    const Verdict verdict = check(read_certificate(bytes, "certificate"), 1);
    if (!verdict.holds) throw Error("the certificate does not pass its check: " + verdict.text);
    trial.sha256 = sha256(bytes);
    trial.outcome = Outcome::certified;
    return bytes;
  }

  const TransitionOptions& options_;
  const Method& method_;
  const std::chrono::steady_clock::time_point deadline_;
  std::mutex mutex_;  // one call of on_trial at a time
};

}  // namespace

TransitionSeeds transition_seeds(std::uint64_t seed, std::size_t number, std::size_t attempt) {
  const std::uint64_t n = seed + number;
  return {max_seeds + n, 2 * max_seeds + n, (3 + std::uint64_t{attempt}) * max_seeds + n};
}

std::size_t TransitionOutcome::certified() const {
  return static_cast<std::size_t>(std::count_if(
      trials.begin(), trials.end(),
      [](const TransitionTrial& trial) { return trial.outcome == Outcome::certified; }));
}

std::size_t TransitionOutcome::completed() const {
  return static_cast<std::size_t>(std::count_if(
      trials.begin(), trials.end(),
      [](const TransitionTrial& trial) { return trial.outcome != Outcome::incomplete; }));
}

std::vector<TransitionPoint> heads_sweep(const TransitionOptions& options,
                                         std::size_t key_dimension) {
  const Instance first(options, transition_seeds(options.seed, 0, 0));
  std::vector<TransitionPoint> points;
  for (std::size_t heads = 1; heads <= key_dimension; ++heads) {
    const TransitionPoint point{key_dimension, heads};
    if (serves(options, point, first)) points.push_back(point);
  }
  if (points.empty())
    throw UsageError(options.method + ": has no channel of D_K " + std::to_string(key_dimension));
  return points;
}

std::vector<TransitionOutcome> transition(const TransitionOptions& options,
                                          const std::vector<TransitionPoint>& points) {
  check_options(options);
  require(!points.empty(), "transition: at least one point is needed");
  const Instance first(options, transition_seeds(options.seed, 0, 0));
  std::vector<TransitionOutcome> outcomes;
  for (const TransitionPoint& point : points) {
    if (!serves(options, point, first))
      throw UsageError(options.method + ": has no channel of " + point_text(point));
    outcomes.push_back({point, std::vector<TransitionTrial>(options.trials)});
    for (std::size_t s = 0; s < options.trials; ++s) outcomes.back().trials[s].number = s;
  }
  Sweep sweep(options);
  parallel_for(points.size() * options.trials, options.threads, [&](std::size_t block, unsigned) {
    TransitionOutcome& outcome = outcomes[block / options.trials];
    sweep.run(outcome.point, outcome.trials[block % options.trials]);
  });
  return outcomes;
}

}  // namespace qkcert
