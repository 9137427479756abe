#pragma once
/// Projections rounded to 16 bits for the kernel: a filter with a proved error.

#include <cstdint>
#include <qkcert/verify/projection.hpp>
#include <string>
#include <vector>

namespace qkcert {

/// Rows that are judged together. With p the exact row of a head and p̃ the packed one,
/// p = 2^exponent·(p̃ + ρ) where every |ρ_j| <= 1/2, and ρ = 0 when `exact`.
struct PackedBlock {
  std::size_t begin = 0, end = 0;  ///< rows of Packing::order
  std::size_t at = 0;              ///< where its entries begin in Packing::entries
  std::size_t padded = 0;          ///< end - begin, rounded up by rows of zeros
  unsigned exponent = 0;
  bool exact = true;
  std::int64_t sum_abs = 0;  ///< max over rows and heads of Σ_j |p̃_j|
  Integer squares;           ///< max over rows and heads of Σ_j p_j², the exact rows' norm
};

struct Packing {
  /// The rows by falling norm (the largest of a row's heads), ties by number.
  std::vector<std::size_t> order;
  std::vector<PackedBlock> blocks;
  std::vector<std::int16_t> entries;
  std::vector<std::uint32_t> head_pairs;  ///< as in verify/kernel.hpp
  std::size_t pairs = 0;
  std::size_t max_width = 0;
};

/// The norm of each row: max over heads of Σ_j p_j².
std::vector<Integer> row_squares(const Projections& side, unsigned threads);

/// Rounds the rows of `side` to 16 bits, one exponent for each block of `block_rows` rows.
///
/// Require  squares = row_squares(side); 1 <= limit; block_rows a multiple of `granule`, granule of `interleave`.
/// Ensure   |p̃_j| <= 2^15 - 1 and ‖p̃‖² <= limit in every row of every head, checked on the packed
///          entries; the exponent is 0 and the block exact when its rows are within that already.
///          Layout as in ScoreTile: interleave 1 for queries, panel_keys for keys.
/// Cost     O(m·D_K) time, 2·m·D_K bytes, whatever the width of the exact entries.
/// Errors   ShapeError; SizeError for a head of 2^32 columns or more.
Packing pack(const Projections& side, const std::vector<Integer>& squares, std::int64_t limit,
             std::size_t block_rows, std::size_t granule, std::size_t interleave, unsigned threads);

/// What identifies the blocks: the SHA-256 of their rows, one block after the other, as vertices of
/// `range`. A release may order or cut them otherwise.
std::string blocks_sha256(const Packing& packing, VertexRange range);

/// Limits L_q and L_k for ‖q̃‖² and ‖k̃‖² with L_q·L_k <= (2^31 - 1)², as ScoreTile requires.
struct PackingLimits {
  std::int64_t query, key;
};

/// The limits for rows of these norms; when d_k·max|q|·max|k| < 2^31 and the entries fit
/// in 16 bits, such that every block is exact:
/// ‖q‖²·‖k‖² <= (d_k·max|q|·max|k|)² <= (2^31 - 1)².
PackingLimits packing_limits(const std::vector<Integer>& query_squares,
                             const std::vector<Integer>& key_squares);

/// An integer E with |max_k S^k_uv / 2^e - max_k S̃^k_uv| <= E for all pairs of the two blocks, where
/// S̃^k = ⟨q̃^k, k̃^k⟩ and e is the sum of the two exponents.
///
/// Reason   S/2^e - S̃ = ⟨q̃, σ⟩ + ⟨ρ, k̃⟩ + ⟨ρ, σ⟩ with the remainders ρ of q and σ of k, hence at
///          most Σ|q̃|/2 (when σ ≠ 0) + Σ|k̃|/2 (when ρ ≠ 0) + width/4 (when both). The maxima of two
///          families that differ by at most E, term by term, differ by at most E.
std::int64_t filter_error(const Packing& queries, const PackedBlock& query, const PackedBlock& key);

}  // namespace qkcert
