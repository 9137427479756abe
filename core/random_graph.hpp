#pragma once
/// Seeded random members of the named families.

#include <cstdint>
#include <qkcert/core/family.hpp>
#include <qkcert/core/graph.hpp>

namespace qkcert {

/// A uniformly random member of `family`; the same seed gives the same graph on every machine.
///
/// Require  the family is not empty; m, m' < 2^28.
/// Cost     O(m + m') expected. Derangements are drawn by rejection: e tries on average.
/// Errors   UsageError for an empty family or one too large to be stored.
Graph random_graph(const Family& family, std::uint64_t seed);

}  // namespace qkcert
