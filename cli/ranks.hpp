#pragma once
/// Several processes that verify together, started by `mpirun -n N qkcert verify …` (Open MPI).

#include <functional>
#include <qkcert/verify/check.hpp>

#include "verbs.hpp"

namespace qkcert::cli {

/// This process among those that mpirun has started, by its environment; else the only one.
struct Ranks {
  std::size_t count = 1, rank = 0;
};
Ranks ranks_here();

/// Runs `lead` on rank 0 with a scorer that all ranks serve, and gives its status on every rank.
///
/// Method   Rank r holds the rows [r·m/N, (r+1)·m/N) of the embedding, with the edges that leave
///          them, and projects their queries and keys. The keys go round, one rank's at a time, and
///          every rank scores its queries against them; rank 0 merges the extremes.
/// Ensure   the scorer gives what score_extremes does, exactly. A rank that fails or dies ends the
///          whole job: MPI_Abort with status 2, or mpirun's own with that of the signal.
/// Errors   UsageError in a build without MPI; on rank 0 those of `lead`.
Status on_ranks(const Execution& execution, const std::function<Status(const Scorer&)>& lead);

}  // namespace qkcert::cli
