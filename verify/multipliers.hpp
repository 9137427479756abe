#pragma once
/// What every claim with multipliers is decided by: their sides, their totals, their moment.

#include <optional>
#include <qkcert/core/claim.hpp>
#include <string>

namespace qkcert {

/// Σ weight·x_uᵀx_v, row by row.
///
/// Cost  O(N·d) to build for N multipliers, O(m·d) a row; memory that of the embedding.
class Moment {
 public:
  /// Require  every pair is one of rows of x.
  Moment(const std::vector<Multiplier>& multipliers, const Matrix& x);

  std::size_t size() const { return x_.cols(); }
  std::vector<Integer> row(std::size_t row) const;

 private:
  const Matrix& x_;
  std::vector<std::vector<Integer>> sums_;  // by source: Σ weight·x_v; empty when there is none
};

Integer total(const std::vector<Multiplier>& multipliers);

/// Why these are no multipliers: the embedding has not one row per vertex, a multiplier is not
/// positive or on the wrong side, or the totals are not equal and positive.
std::optional<std::string> fault_of(const Multipliers& multipliers, const Graph& graph,
                                    const Matrix& embedding);

/// Where the moments of both sides differ.
std::optional<std::string> moment_fault(const Multipliers& multipliers, const Matrix& embedding);

}  // namespace qkcert
