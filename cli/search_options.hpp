#pragma once
/// What `certify` and `construct` share: options, interruption, and the report of the outcome.

#include <atomic>
#include <chrono>
#include <qkcert/search/certify.hpp>

#include "options.hpp"
#include "output.hpp"
#include "progress.hpp"

namespace qkcert::cli {

/// A graph with one embedding row per vertex, and its class for the lower bound.
struct Instance {
  Graph graph;
  Embedding embedding;
  Family family;
};

/// Require: at most 10^6 seconds, as add_seconds() gives.
std::chrono::milliseconds milliseconds_of(const Rational& seconds);

struct SearchOptions {
  GraphOptions graph;
  EmbeddingOptions embedding;
  OutputOptions output;
  std::optional<std::string> method;
  std::optional<std::uint64_t> heads, head_dim, key_dimension, seed, threads;
  std::optional<std::uint64_t> patience;  ///< only where the verb has the option
  std::optional<Integer> weight_max;
  std::optional<Rational> budget;
  std::optional<std::string> resume;  ///< a state file; only where add_resume_to() was called

  void add_to(CLI::App& verb);
  void add_resume_to(CLI::App& verb);
  /// Checks what can be checked at once: the paths and the method's name, and loads the inputs.
  /// Errors: UsageError, FileError, FormatError.
  Instance load() const;
  /// The defaults of --weight-max, --seed and --budget.
  Integer weight_max_or_default() const { return weight_max.value_or(127); }
  std::uint64_t seed_or_default() const { return seed.value_or(1); }
  std::chrono::milliseconds budget_or_default() const;
  /// What certify() is asked for; stopped by `stop`.
  CertifyOptions search(const std::atomic<bool>* stop) const;
};

/// While it lives, the first SIGINT or SIGTERM sets the flag; a second one ends the process.
class StopOnInterrupt {
 public:
  StopOnInterrupt();
  ~StopOnInterrupt();
  StopOnInterrupt(const StopOnInterrupt&) = delete;
  StopOnInterrupt& operator=(const StopOnInterrupt&) = delete;
  const std::atomic<bool>* flag() const;
};

/// Which lower bound a summary compares with: the counting bound, or the strongest one that applies.
enum class Compare { counting, strongest };

/// Checks and writes the certificate of a verified attempt and prints its summary with a lower bound
/// for the instance's class, and before it what was tried. Require: attempt.claim.
void report_certified(const SearchOptions& options, const Instance& instance,
                      const Attempt& attempt, const std::string& program, ProgressLine& progress,
                      Compare compare = Compare::counting, std::vector<Tried> tried = {});

/// Why an attempt failed, in one line: the two pairs and both numbers, or its weights.
/// Require: !attempt.claim.
std::string failure_text(const Attempt& attempt);

/// `fit 2 heads of width 8, seed 1`; `of width 8 or 9` when some are one wider.
std::string attempt_name(const Attempt& attempt);

}  // namespace qkcert::cli
