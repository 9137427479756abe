#pragma once
/// Phase transitions: how often a method's channel is certified, point by point.

#include <chrono>
#include <functional>
#include <qkcert/core/family.hpp>
#include <qkcert/search/attempt.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace qkcert {

/// What is tried at one point: D_K, and how it is split. With neither the method chooses (fit).
struct TransitionPoint {
  std::size_t key_dimension;
  std::optional<std::size_t> heads = {};     ///< h: widths as even as D_K allows
  std::optional<std::size_t> head_dim = {};  ///< d_k of every head, which divides D_K
};

struct TransitionTrial;

struct TransitionOptions {
  Family family;
  std::size_t d_model;
  unsigned embedding_bits = 20;
  std::string method = "fit";
  Integer weight_max = 127;  ///< A >= 1: no |weight| of a success exceeds it
  std::size_t trials = 20;   ///< n, at each point
  std::size_t tries = 1;     ///< constructions of one trial, each with a seed of its own
  std::uint64_t seed = 1;
  unsigned threads = 0;  ///< 0: one per processor
  std::chrono::milliseconds budget{100'000};
  const std::atomic<bool>* stop = nullptr;  ///< set from outside: end now
  /// Told after every trial that has an outcome, by one thread at a time; with the certificate when
  /// there is one.
  std::function<void(const TransitionPoint&, const TransitionTrial&, std::string_view certificate)>
      on_trial = {};
};

/// The seeds of a trial, derived from --seed and its number alone, with N = seed + number:
/// the graph 2^32 + N, the embedding 2·2^32 + N, its try t = 0, 1, … of a construction
/// (3 + t)·2^32 + N. So every point is tried on the same instances, and sweeps with seeds at least
/// `trials` apart share none.
struct TransitionSeeds {
  std::uint64_t graph, embedding, construction;
};
TransitionSeeds transition_seeds(std::uint64_t seed, std::size_t number, std::size_t attempt);

struct TransitionTrial {
  enum class Outcome { incomplete, failed, certified };

  std::size_t number = 0;
  TransitionSeeds seeds = {};  ///< the construction's is that of the last try
  Outcome outcome = Outcome::incomplete;
  Architecture architecture = {};  ///< of the last try; unset without one
  std::string sha256 = {};         ///< of the certificate; empty without one
};

struct TransitionOutcome {
  TransitionPoint point;
  std::vector<TransitionTrial> trials;  ///< by number

  std::size_t certified() const;
  std::size_t completed() const;  ///< certified or failed
};

/// The points of the sweep over heads at one D_K: each h in 1, …, D_K for which the method can have
/// heads of total width D_K. Errors: UsageError when there is none; those of plan().
std::vector<TransitionPoint> heads_sweep(const TransitionOptions& options,
                                         std::size_t key_dimension);

/// Tries every point on the same random instances.
///
/// Require  at least one point and one trial; seed + trials <= 2^32, tries <= 2^16. The method can
///          have the D_K and the split of every point.
/// Ensure   one outcome for each point. A trial is `certified` only if one of its tries has a claim
///          (search/attempt.hpp) whose certificate, read back, check() accepts; `failed` if none of
///          all its tries has one; and `incomplete`, which is no failure, when the budget or a stop
///          came before the last of them. The same result for any thread count unless cut so.
/// Cost     points·trials·tries attempts at most, `threads` at a time, each on one thread.
/// Errors   UsageError, MethodError, those of on_trial.
std::vector<TransitionOutcome> transition(const TransitionOptions& options,
                                          const std::vector<TransitionPoint>& points);

}  // namespace qkcert
