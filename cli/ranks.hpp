#pragma once
/// Several processes that verify together, started by `mpirun -n N qkcert verify …` (Open MPI).

#include <functional>
#include <optional>
#include <qkcert/verify/check.hpp>

#include "verbs.hpp"

namespace qkcert::cli {

/// The number of processes that mpirun has started, by the environment of this one; else 1.
std::size_t processes_started();

/// This process and those that mpirun has started with it, if any. One object, while main() runs.
class Ranks {
 public:
  /// Joins the others, before this process can refuse anything: one that ends alone would leave them
  /// waiting. Errors: UsageError when there are others and this build has no MPI.
  Ranks();
  /// Leaves the others, once all have come so far.
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  bool several() const { return count_ > 1; }
  std::size_t rank() const { return rank_; }

  /// Errors: UsageError, on every rank, when `text` is not the same on all.
  void require_same(const std::string& text) const;

  /// Whether every rank is ready to work. Every rank says so once; asked again, it is told the same.
  bool agree(bool ready);

  /// Whether what this rank has to say is printed: rank 0, or the first that was not ready.
  bool speaks() const { return rank_ == first_unready_.value_or(0); }

  /// Runs `lead` on rank 0 with a scorer that all ranks serve, and gives its status on every rank;
  /// when some rank is not ready, runs nothing and gives Status::unusable.
  ///
  /// Method   Rank r holds the rows [r·m/N, (r+1)·m/N) of the embedding, with the edges that leave
  ///          them, and projects their queries and keys. The keys go round, one rank's at a time, with
  ///          the extremes its owner knows; every rank scores its queries against them; rank 0 merges.
  /// Ensure   the scorer gives what score_extremes does, exactly, and throws SizeError where it does.
  ///          A rank that fails or dies ends the whole job: MPI_Abort with status 2, or mpirun's own
  ///          with that of the signal.
  /// Errors   on rank 0 those of `lead`.
  Status together(const Execution& execution, const std::function<Status(const Scorer&)>& lead);

 private:
  std::size_t count_ = 1, rank_ = 0;
  std::optional<std::size_t> first_unready_;
  bool asked_ = false;
};

}  // namespace qkcert::cli
