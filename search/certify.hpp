#pragma once
/// The search for the least D_K: from a graph and an embedding to a verified channel.

#include <chrono>
#include <functional>
#include <qkcert/search/journal.hpp>
#include <qkcert/search/splits.hpp>
#include <string>
#include <vector>

namespace qkcert {

struct CertifyOptions {
  std::optional<std::string> method = {};    ///< absent: the search chooses
  std::optional<std::size_t> heads = {};     ///< h; absent: the search chooses
  std::optional<std::size_t> head_dim = {};  ///< d_k; absent: the search chooses
  Integer weight_max = 127;                  ///< A >= 1: no |weight| of a result exceeds it
  std::uint64_t seed = 1;
  unsigned threads = 0;                       ///< 0: one per processor
  std::chrono::milliseconds budget{100'000};  ///< the search starts nothing after it
  const std::atomic<bool>* stop = nullptr;    ///< set from outside: end now, keep the best
  /// few: `onehot-code` and `fit`, few splits; many: every method that can be asked, more splits.
  Splits effort = Splits::few;
  std::size_t tries = 24;  ///< seeds and splits that a D_K gets before it is given up
  std::optional<std::size_t> below = {};   ///< only a smaller D_K is of use
  std::optional<std::size_t> target = {};  ///< the search is complete at this D_K
  Journal* journal = nullptr;              ///< what is known, and where to note what is learned
  std::function<void(const std::string&)> on_progress = {};  ///< how far an attempt has come
  std::function<void(const Attempt&)> on_finish = {};        ///< told after every attempt, in order
};

struct CertifyResult {
  std::optional<Attempt> best;     ///< the verified attempt of least D_K, if any
  std::optional<Attempt> closest;  ///< the failed attempt that came closest, if any
  bool complete = false;           ///< false: the budget or a stop cut the search
  std::vector<Tried> tried;        ///< in the order in which they count
};

/// Searches for a channel that verifies, of small D_K.
///
/// The methods take their turns, closed forms before searches unless they plan more than four times
/// the D_K, and each is asked for less than the best so far. One whose architecture follows from
/// its input and from heads and head_dim is tried with the seeds seed, seed + 1, …, `tries` of them
/// (without end when it is the only one), or once when it has no seed. The others are tried at a
/// D_K that grows from their plan, or starts below the best, until one verifies, and then shrinks,
/// by steps and bisection, as long as one does; the D_K below the least gets `tries` splits and
/// seeds in turn. These run side by side, each on one thread; the first in order that verifies
/// counts, and those after it are cancelled and forgotten.
///
/// Require  one embedding row per vertex; at least one vertex.
/// Ensure   best->claim is verified; the same result for any thread count unless the budget or a stop
///          cut the search. It is the least D_K found, not the least there is.
/// Errors   UsageError, ShapeError; MethodError when the one method asked for cannot serve.
CertifyResult certify(const Graph& graph, const Embedding& embedding,
                      const CertifyOptions& options);

}  // namespace qkcert
