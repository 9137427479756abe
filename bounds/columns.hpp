#pragma once
/// B1+, the counting bound with channels counted as multisets of heads (theory.md, section 2).

#include <qkcert/core/claim.hpp>

namespace qkcert {

/// The least D at which the multisets of heads of core/counts.hpp, least_columns, reach
/// |F| / 2^failure_bits: at least as high as the counting bound, at low precision higher.
///
/// Require  d_model >= 1, weight_max >= 1, failure_bits >= 0.
/// Cost     one family size, O(D²) products.
/// Errors   UsageError; SizeError when |F| has more than max_bits bits or D may exceed max_columns.
/// Source   theory.md, B1+.
ColumnsBound columns_bound(const Family& family, const Integer& d_model, const Integer& weight_max,
                           const Integer& failure_bits);

}  // namespace qkcert
