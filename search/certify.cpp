#include <algorithm>
#include <cstdint>
#include <qkcert/core/errors.hpp>
#include <qkcert/search/certify.hpp>

namespace qkcert {

namespace {

/// Tries at a D_K on the way; the last one gets options.tries.
constexpr std::size_t growing_tries = 2, shrinking_tries = 3;
constexpr unsigned most_patience = 4;
/// Multiply-adds from which the tries on the way, of which the first is likely to do, run one after
/// the other, each on all threads.
constexpr std::size_t large = std::size_t{1} << 26;

struct Candidate {
  const Method* method;
  std::size_t planned;  ///< D_K when nothing more is asked
  bool free;            ///< whether there is a D_K to choose

  /// A closed form answers at once: it comes before a search that plans a quarter of its D_K, and one
  /// whose plan is all its work comes last.
  std::size_t rank() const { return method->least ? SIZE_MAX : free ? 4 * planned : planned; }
};

class Search {
 public:
  Search(const Graph& graph, const Embedding& embedding, const CertifyOptions& options)
      : options_(options),
        request_{.graph = graph,
                 .embedding = embedding,
                 .heads = options.heads,
                 .head_dim = options.head_dim,
                 .weight_max = options.weight_max,
                 .seed = options.seed,
                 .threads = options.threads,
                 .deadline = std::chrono::steady_clock::now() + options.budget,
                 .stop = options.stop,
                 .on_progress = options.on_progress} {}

  CertifyResult run() {
    const std::vector<Candidate> all = candidates();
    for (const Candidate& candidate : all) {
      if (request_.out_of_time() || reached()) break;
      if (candidate.free)
        grow(candidate);
      else if (!beaten(candidate.planned))
        retry(*candidate.method, all.size() == 1 ? SIZE_MAX : options_.tries);
    }
    result_.complete = !request_.out_of_time();
    if (result_.best && !result_.best->claim) work_out_best();
    return std::move(result_);
  }

 private:
  /// The journal knew that the best verifies, but not its channel any more.
  void work_out_best() {
    const Attempt& known = *result_.best;
    const Method& method = find_method(known.method);
    Request request = with_architecture(method, request_, known.architecture);
    request.seed = known.seed;
    request.patience = known.patience;
    request.deadline = std::chrono::steady_clock::time_point::max();
    Answer again = ask(method, request);
    result_.best = again.verified() ? std::move(again.attempt) : std::nullopt;
  }

  /// Whether the method leaves the search a D_K to choose.
  bool is_free(const Method& method) const {
    const bool fixed =
        (options_.heads || !method.takes_heads) && (options_.head_dim || !method.takes_head_dim);
    return !fixed && (method.takes_key_dimension || method.takes_heads || method.takes_head_dim);
  }

  /// The methods that may serve, in the order of their turns; the others are noted with their
  /// reasons.
  std::vector<Candidate> candidates() {
    std::vector<Candidate> found;
    if (options_.method) find_method(*options_.method);
    for (const Method& method : methods()) {
      if (options_.method && *options_.method != method.name) continue;
      const bool usual = method.name == "onehot-code" || method.name == "fit";
      if (!options_.method && options_.effort == Splits::few && !usual) continue;
      if (!options_.method && ((options_.heads && !method.takes_heads) ||
                               (options_.head_dim && !method.takes_head_dim)))
        continue;
      try {
        const std::size_t planned = method.least && !options_.method
                                        ? method.least(request_)
                                        : plan(method, request_).key_dimension();
        found.push_back({&method, planned, is_free(method) && !method.least});
      } catch (const MethodError& error) {
        refuse(method, error);
      } catch (const SizeError& error) {
        refuse(method, error);
      }
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Candidate& a, const Candidate& b) { return a.rank() < b.rank(); });
    return found;
  }

  /// The only method that was asked for ends the search with its reason, unless the time was up.
  void refuse(const Method& method, const Error& error) {
    const bool cut = request_.out_of_time();
    if (options_.method && !cut) throw;
    result_.tried.push_back({std::string(method.name),
                             {},
                             request_.seed,
                             cut ? Tried::Outcome::cut_off : Tried::Outcome::refused,
                             error.what()});
  }

  /// Tries the seeds from the first on until one verifies.
  void retry(const Method& method, std::size_t tries) {
    Request request = request_;
    for (std::size_t i = 0; i < (method.seeded ? tries : 1) && !request.out_of_time(); ++i) {
      if (try_requests(method, {request})) return;
      ++request.seed;
    }
  }

  /// D_K = unit·count. It grows from the plan by steps of a quarter until one verifies, falls by
  /// steps of a seventh until one fails, and bisection closes the gap. At last the next smaller
  /// ones are tried with many seeds.
  void grow(const Candidate& candidate) {
    const Method& method = *candidate.method;
    std::size_t failed = 0, verified = 0;
    std::size_t count = std::max<std::size_t>(1, candidate.planned / unit());
    if (const auto limit = least_so_far(); limit && count * unit() >= *limit)
      count = (*limit - 1) / unit();
    if (count == 0) return;
    while (!request_.out_of_time() && !reached() && (verified == 0 || verified - failed > 1)) {
      if (verified == 0 && beaten(unit() * count)) break;
      const std::size_t tries = verified == 0 ? growing_tries : shrinking_tries;
      const auto reached = try_count(method, count, 0, tries);
      (reached ? verified : failed) = reached.value_or(count);
      if (verified == 0)
        count += (count + 3) / 4;
      else if (failed == 0)
        count = std::max<std::size_t>(1, std::min(verified - 1, verified - verified / 7));
      else
        count = failed + (verified - failed) / 2;
    }
    std::size_t last = verified > 0 ? verified : (least_so_far().value_or(1) - 1) / unit() + 1;
    while (last > 1 && !request_.out_of_time() && !reached()) {
      const auto reached = try_count(method, last - 1, shrinking_tries, options_.tries);
      if (!reached) return;
      last = *reached;
    }
  }

  /// Whether a's extremes overlap less than b's, relative to their size; proposals whose weights were
  /// beyond the limit have none and come last.
  static bool closer(const Attempt& a, const Attempt& b) {
    if (!a.extremes || !b.extremes) return a.extremes.has_value();
    const auto overlap = [](const Attempt& attempt) {
      const Integer& least = attempt.extremes->least_edge->score;
      const Integer& greatest = attempt.extremes->greatest_nonedge->score;
      return Rational(greatest - least, abs(least) + abs(greatest) + 1);
    };
    return overlap(a) < overlap(b);
  }

  std::optional<std::size_t> least_so_far() const {
    std::optional<std::size_t> least = options_.below;
    if (result_.best) least = result_.best->architecture.key_dimension();
    return least;
  }

  /// Whether there is nothing more to look for.
  bool reached() const {
    return options_.target && result_.best &&
           result_.best->architecture.key_dimension() <= *options_.target;
  }

  /// Whether a D_K brings nothing new.
  bool beaten(std::size_t key_dimension) const {
    const auto least = least_so_far();
    return least && *least <= key_dimension;
  }

  /// What D_K is a multiple of.
  std::size_t unit() const { return options_.heads.value_or(options_.head_dim.value_or(1)); }

  /// Tries `first`, …, `last` - 1 of the splits and seeds for unit·count in turn; the count of the
  /// one that verified.
  std::optional<std::size_t> try_count(const Method& method, std::size_t count, std::size_t first,
                                       std::size_t last) {
    const auto splits =
        head_counts(unit() * count, request_.embedding.d_model(), options_.effort, favourite_);
    std::vector<Request> requests;
    for (std::size_t i = first; i < last; ++i) {
      auto request = with_split(method, request_, unit() * count, splits[i % splits.size()]);
      if (!request) continue;
      request->seed = request_.seed + i;
      request->patience = std::min(most_patience, 1 + static_cast<unsigned>(i / 3));
      requests.push_back(*std::move(request));
    }
    const std::size_t m = request_.graph.vertices();
    const bool side_by_side = first >= shrinking_tries || m * m * unit() * count < large;
    if (!try_requests(method, requests, side_by_side)) return std::nullopt;
    return result_.best->architecture.key_dimension() / unit();
  }

  /// Puts the requests in order until one verifies with less than the best; keeps that one.
  bool try_requests(const Method& method, const std::vector<Request>& requests,
                    bool side_by_side = false) {
    const auto judge = [&](const Request& request) {
      return options_.journal ? options_.journal->ask(method, request) : ask(method, request);
    };
    const auto finish = [&](Answer answer) {
      result_.tried.push_back(answer.tried);
      if (!answer.attempt) return;
      if (options_.on_finish) options_.on_finish(*answer.attempt);
      if (answer.verified()) {
        const Architecture& found = answer.attempt->architecture;
        favourite_ = static_cast<double>(found.key_dimension()) / static_cast<double>(found.heads);
        result_.best = std::move(answer.attempt);
      } else if (!result_.closest || closer(*answer.attempt, *result_.closest)) {
        result_.closest = std::move(answer.attempt);
      }
    };
    return first_verified(requests, options_.threads, side_by_side, judge, finish);
  }

  const CertifyOptions& options_;
  Request request_;
  std::optional<double> favourite_;
  CertifyResult result_;
};

}  // namespace

CertifyResult certify(const Graph& graph, const Embedding& embedding,
                      const CertifyOptions& options) {
  require(graph.vertices() == embedding.vertices(), "certify: one row per vertex is required");
  return Search(graph, embedding, options).run();
}

}  // namespace qkcert
