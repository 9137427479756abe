#pragma once
/// How far scores are from the threshold, in units of a rounding error (verify/float_safe.hpp).

#include <optional>
#include <qkcert/core/channel.hpp>
#include <qkcert/core/graph.hpp>
#include <qkcert/core/parallel.hpp>
#include <vector>

namespace qkcert {

/// distance / error, error > 0. An exact score on the wrong side of τ has a margin below 1.
struct Margin {
  Integer distance, error;
  Edge pair;
  std::size_t head;
};

/// One head's scores and their error bounds.
///
/// Shapes  query, key: x·W_Q and x·W_K; abs_query, abs_key: |x|·|W_Q| and |x|·|W_K|; m × width.
struct MarginHead {
  Matrix query, key, abs_query, abs_key;
  Integer numerator, denominator;  ///< Γ, below 2^48 both, numerator >= 1
};

struct Margins {
  std::optional<Margin> edge;     ///< the least over edges of the greatest over heads
  std::optional<Margin> nonedge;  ///< the least over all other pairs and heads
  std::vector<Integer> largest;   ///< max A^k of each head
};

/// With S = ⟨query_u, key_v⟩, A = ⟨abs_query_u, abs_key_v⟩: the least of (S - τ)/(Γ·A) over the edges,
/// in the best head of each, and of (τ - S)/(Γ·A) over all other pairs, in every head. Where A = 0,
/// S is 0 and exact: such a margin is left out when 0 is on the right side of τ, else it is below 1.
///
/// Ensure   ties go to the first pair (source, then target) and the first head; the same for any
///          number of threads.
/// Cost     2·m²·D_K multiply-adds, in 64 bits when every partial sum and τ are below 2^61, in 128
///          bits when below 2^125, else GMP; O(m·D_K) memory.
Margins least_margins(const Graph& graph, const std::vector<MarginHead>& heads,
                      const Integer& threshold, unsigned threads, const Progress& progress);

}  // namespace qkcert
