#pragma once
/// B1, the counting bound at finite precision (theory.md, section 2).

#include <qkcert/core/claim.hpp>

namespace qkcert {

/// The least D with (2A+1)^(2·d_model·D) >= |F|: with weights in {-A, …, A} no channel of smaller
/// D_K serves every graph of the class F on one fixed embedding, however D_K is split into heads.
///
/// Require  d_model >= 1, weight_max >= 1 (A).
/// Ensure   the least such D, found by bisection on exact comparisons; 0 for classes of at most one
///          graph. It bounds the class and says nothing about one chosen graph.
/// Cost     one family size and O(log log |F|) comparisons, most decided by bit lengths.
/// Errors   UsageError; SizeError when |F| has more than max_bits bits.
/// Source   theory.md, B1: at most one graph with the class's number of edges per choice of weights.
CountingBound counting_bound(const Family& family, const Integer& d_model,
                             const Integer& weight_max);

/// The same for one graph drawn uniformly from the class: it needs D_K >= the least D with
/// L^(2·d_model·D)·2^s >= |F| but with probability below 2^-s.
///
/// Require  as above and failure_bits >= 1 (s). Ensure, cost and errors as above.
RandomCountingBound counting_random_bound(const Family& family, const Integer& d_model,
                                          const Integer& weight_max, const Integer& failure_bits);

}  // namespace qkcert
