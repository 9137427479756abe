#pragma once
/// The main job: from a graph and an embedding to a verified channel of small D_K.

#include <chrono>
#include <functional>
#include <qkcert/search/attempt.hpp>
#include <string>
#include <vector>

namespace qkcert {

struct CertifyOptions {
  std::optional<std::string> method = {};    ///< absent: the search chooses
  std::optional<std::size_t> heads = {};     ///< h; absent: the search chooses
  std::optional<std::size_t> head_dim = {};  ///< d_k; absent: the search chooses
  Integer weight_max = 127;                  ///< A >= 1: no |weight| of a result exceeds it
  std::uint64_t seed = 1;
  unsigned threads = 0;                                ///< 0: one per processor
  std::chrono::milliseconds budget{100'000};           ///< the search starts nothing after it
  const std::atomic<bool>* stop = nullptr;             ///< set from outside: end now, keep the best
  std::function<void(const Attempt&)> on_finish = {};  ///< told after every attempt
};

struct CertifyResult {
  std::optional<Attempt> best;     ///< the verified attempt of least D_K, if any
  std::optional<Attempt> closest;  ///< the failed attempt that came closest, if any
  bool complete = false;           ///< false: the budget or a stop cut the search
};

/// Searches for a channel that verifies, of small D_K.
///
/// With heads and head_dim, or a method whose architecture follows from its input, that
/// architecture is tried with the seeds seed, seed + 1, … until one verifies (methods without a
/// seed: once). Otherwise D_K grows from an estimate until an architecture verifies, and then
/// shrinks, by steps and bisection, as long as one does. Without a method, `onehot-code` is tried
/// first where it applies, and then `fit`.
///
/// Require  one embedding row per vertex; at least one vertex.
/// Ensure   best->claim is verified; the same result for any thread count unless the budget or a stop
///          cut the search. It is the least D_K found, not the least there is.
/// Errors   UsageError, MethodError, ShapeError.
CertifyResult certify(const Graph& graph, const Embedding& embedding,
                      const CertifyOptions& options);

}  // namespace qkcert
