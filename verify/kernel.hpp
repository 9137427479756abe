#pragma once
/// The inner loops of the exact engine, once for each instruction set (Google Highway), chosen at
/// run time. Every instruction set gives the same integers: all arithmetic is exact.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace qkcert {

/// Rows and keys of the packed operands come in multiples of these.
inline constexpr std::size_t kernel_rows = 12;
inline constexpr std::size_t kernel_keys = 32;
/// So many keys are stored interleaved.
inline constexpr std::size_t panel_keys = 16;
/// The columns of a product come in multiples of this.
inline constexpr std::size_t product_columns = 8;

/// scores[r·keys + v] = max over heads of Σ_j q_rj·k_vj, and row_max[r] = max over v of that.
///
/// Shapes   A head of width w is padded with a zero to an even width, and has ⌈w/2⌉ *pairs* of
///          entries; `pairs` is their sum. queries: rows × pairs × 2. keys: keys/16 × pairs × 16 × 2,
///          the same pairs of 16 keys side by side.
/// Require  rows % kernel_rows == 0, keys % kernel_keys == 0, at least one head; |entry| <= 2^15 - 1;
///          in every head ‖q_r‖²·‖k_v‖² <= (2^31 - 1)².
/// Ensure   exact. Every partial sum, the sum of two products inside one instruction included, is
///          the inner product of q and k restricted to some of the coordinates, so by Cauchy and
///          Schwarz its absolute value is <= ‖q_r‖·‖k_v‖ <= 2^31 - 1: int32 never wraps.
using ScoreTile = void (*)(const std::int16_t* queries, std::size_t rows, const std::int16_t* keys,
                           std::size_t key_count, std::span<const std::uint32_t> head_pairs,
                           std::size_t pairs, std::int32_t* scores, std::int32_t* row_max);

/// out[r·cols + c] = Σ_i a[r·inner + i]·b[i·cols + c].
///
/// Require  cols % product_columns == 0; |entry| <= 2^31 - 1; inner·max|a|·max|b| < 2^63.
/// Ensure   exact: every product and every partial sum is below 2^63 in absolute value.
using ProductRows = void (*)(const std::int64_t* a, std::size_t rows, std::size_t inner,
                             const std::int64_t* b, std::size_t cols, std::int64_t* out);

struct Kernels {
  std::string name;
  ScoreTile score_tile;
  ProductRows product_rows;
};

/// The kernels of the instruction set `name`, or the best ones this processor has for "".
/// Errors: UsageError that lists the known names when there is none of that name here.
Kernels kernels(const std::string& name = "");

/// The instruction sets that this build has and this processor runs, best first, separated by
/// spaces: of `avx3` (AVX-512) `avx2` `sse4` `ssse3` `neon` `scalar`.
std::string simd_names();

}  // namespace qkcert
