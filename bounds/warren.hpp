#pragma once
/// B2 and B2+, counting with real weights of unlimited precision (theory.md, section 2).

#include <qkcert/core/claim.hpp>

namespace qkcert {

/// The least D at which Warren's bound on sign vectors (core/counts.hpp, warren_reaches) reaches
/// |F| / 2^failure_bits.
///
/// Require  d_model >= 1, failure_bits >= 0.
/// Cost     one family size, O(log log |F|) comparisons.
/// Errors   UsageError, also when m² >= 2·min(m, d_model) + 1 does not hold: there is no such bound
///          then; SizeError when |F| has more than max_bits bits.
/// Source   theory.md, B2; H. Warren, Trans. Amer. Math. Soc. 133 (1968).
WarrenBound warren_bound(const Family& family, const Integer& d_model, const Integer& failure_bits);

/// The same with heads counted by their ranks (core/counts.hpp, least_rank_columns).
///
/// Require  d_model >= 1, failure_bits >= 0.
/// Errors   UsageError; SizeError, also when D exceeds max_rank_columns.
/// Source   theory.md, B2+.
WarrenRanksBound warren_ranks_bound(const Family& family, const Integer& d_model,
                                    const Integer& failure_bits);

}  // namespace qkcert
