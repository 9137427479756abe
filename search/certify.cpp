#include <algorithm>
#include <qkcert/core/errors.hpp>
#include <qkcert/search/certify.hpp>

namespace qkcert {

namespace {

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
                 .stop = options.stop} {}

  CertifyResult run() {
    const Method& method = find_method(options_.method.value_or("fit"));
    if (!options_.method) try_one_hot_code();
    if (method.name != "fit" || (options_.heads && options_.head_dim))
      retry(method);
    else
      grow(method);
    result_.complete = !request_.out_of_time();
    return std::move(result_);
  }

 private:
  /// One attempt; keeps the best and the closest. Returns whether it verified.
  bool try_method(const Method& method, const Request& request) {
    Attempt result = attempt(method, request, true);
    if (options_.on_finish) options_.on_finish(result);
    const bool verified = result.claim.has_value();
    if (verified)
      keep_best(std::move(result));
    else if (!result_.closest || closer(result, *result_.closest))
      result_.closest = std::move(result);
    return verified;
  }

  void keep_best(Attempt result) {
    if (!result_.best ||
        result.architecture.key_dimension() < result_.best->architecture.key_dimension())
      result_.best = std::move(result);
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

  void try_one_hot_code() {
    if (options_.heads || options_.head_dim) return;
    try {
      try_method(find_method("onehot-code"), request_);
    } catch (const MethodError&) {
      // It does not apply to this instance; the search goes on.
    }
  }

  void retry(const Method& method) {
    Request request = request_;
    while (!try_method(method, request) && method.seeded && !request.out_of_time()) ++request.seed;
  }

  /// D_K = unit·count. It grows from an estimate by steps of a quarter until one verifies, falls by
  /// steps of a seventh until one fails, and bisection closes the gap. At last the next smaller
  /// ones are tried with many seeds.
  void grow(const Method& method) {
    const std::size_t estimate = plan(method, request_).key_dimension();
    std::size_t failed = 0, verified = 0;
    std::size_t count = std::max<std::size_t>(1, estimate / unit());
    while (!request_.out_of_time() && (verified == 0 || verified - failed > 1)) {
      if (verified == 0 && beaten(count)) return;
      (try_count(method, count, 0, verified == 0 ? 2 : 3) ? verified : failed) = count;
      if (verified == 0)
        count += (count + 3) / 4;
      else if (failed == 0)
        count = std::max<std::size_t>(1, std::min(verified - 1, verified - verified / 7));
      else
        count = failed + (verified - failed) / 2;
    }
    while (verified > 1 && try_count(method, verified - 1, 3, 24)) --verified;
  }

  /// Whether a channel that verified is at most as large as unit·count.
  bool beaten(std::size_t count) const {
    return result_.best && result_.best->architecture.key_dimension() <= unit() * count;
  }

  /// What D_K is a multiple of.
  std::size_t unit() const { return options_.heads.value_or(options_.head_dim.value_or(1)); }

  /// Tries the seeds seed + first, …, seed + last - 1 until one verifies.
  bool try_count(const Method& method, std::size_t count, std::uint64_t first, std::uint64_t last) {
    Request request = request_;
    request.key_dimension = unit() * count;
    for (std::uint64_t i = first; i < last && !request.out_of_time(); ++i) {
      request.seed = request_.seed + i;
      if (try_method(method, request)) return true;
    }
    return false;
  }

  const CertifyOptions& options_;
  Request request_;
  CertifyResult result_;
};

}  // namespace

CertifyResult certify(const Graph& graph, const Embedding& embedding,
                      const CertifyOptions& options) {
  require(graph.vertices() == embedding.vertices(), "certify: one row per vertex is required");
  return Search(graph, embedding, options).run();
}

}  // namespace qkcert
