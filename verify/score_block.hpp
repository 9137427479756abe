#pragma once
/// Exact scores of a block of pairs at the speed of vectors, for the pairs that the 16-bit filter
/// cannot tell apart: scores that are small differences of large numbers.

#include <cstdint>
#include <qkcert/verify/projection.hpp>
#include <span>
#include <vector>

namespace qkcert {

/// Whether score_block is exact here: all entries are at most 2^31 - 1, and fits_int64(a, b).
bool fits_score_block(const Projections& a, const Projections& b);

/// scores[i·stride + j] = max over heads of ⟨a_rows[i], b_keys[j]⟩, where `stride`, which is returned,
/// is the number of keys rounded up; what is between is undefined.
///
/// Require  fits_score_block(a, b); rows and keys below the ranges' sizes; at least one head.
/// Cost     rows·keys·D_K multiply-adds by ProductRows.
std::size_t score_block(const Projections& a, std::span<const std::size_t> rows,
                        const Projections& b, std::span<const std::size_t> keys,
                        const Kernels& kernels, std::vector<std::int64_t>& scores);

}  // namespace qkcert
