#pragma once
/// Scores of single heads, exact and enclosed: what softmax needs beyond the maximum over heads.

#include <algorithm>
#include <qkcert/verify/packing.hpp>

namespace qkcert {

/// A head rounded to 16 bits for the kernel.
struct PackedHead {
  Packing queries, keys;
  std::vector<std::size_t> key_positions;  ///< of each vertex in keys.order
};

/// Projected queries and keys of each head by itself.
///
/// Shapes   embedding: m × d_model; head k: W_Q, W_K of d_model × d_k.
/// Cost     m·d_model·D_K multiply-adds, O(m·D_K) memory.
class ScoresByHead {
 public:
  /// Require: a valid channel. Errors: ShapeError.
  ScoresByHead(const Matrix& embedding, const Channel& channel, unsigned threads);

  std::size_t vertices() const { return vertices_; }
  std::size_t heads() const { return queries_.size(); }
  const PackedHead& packed(std::size_t head) const { return packed_[head]; }
  /// Whether Int128 is exact for every score; Integer always is.
  bool fits_int128() const { return fits_int128_; }

  /// S^head_uv. Require: Score is Int128, under fits_int128(), or Integer.
  template <class Score>
  Score score(std::size_t head, std::size_t u, std::size_t v) const {
    return exact_score<Score>(queries_[head], u, keys_[head], v);
  }

 private:
  std::size_t vertices_;
  bool fits_int128_ = true;
  std::vector<Projections> queries_, keys_;  ///< of one head each
  std::vector<PackedHead> packed_;
};

/// Sources and keys of one tile.
inline constexpr std::size_t head_tile_rows = 8 * kernel_rows;
inline constexpr std::size_t head_tile_keys = 8 * kernel_keys;

/// Calls use(Score()) with the narrowest type that is exact.
template <class Use>
auto with_score_type(const ScoresByHead& scores, Use use) {
  return scores.fits_int128() ? use(Int128(0)) : use(Integer(0));
}

/// One block of sources of a head, beside every key. The kernel's F of a pair in the tile of a key
/// block encloses its score: 2^e·(F - E) <= S <= 2^e·(F + E) (verify/packing.hpp). Here both bounds
/// are counted in units of 2^unit, one for the block, and rounded outward.
class EnclosedScores {
 public:
  EnclosedScores(const ScoresByHead& scores, std::size_t head, std::size_t block);

  std::size_t rows() const { return block_.end - block_.begin; }
  std::size_t source(std::size_t row) const { return head_.queries.order[block_.begin + row]; }
  std::size_t tiles() const { return head_.keys.blocks.size(); }
  unsigned unit() const { return unit_; }
  /// Whether lower() and upper() are the scores themselves, and unit() is 0.
  bool exact() const { return exact_; }

  /// Scores one tile.
  void score_tile(std::size_t tile, const Kernels& kernels);
  /// Calls found(v) for every vertex v of the tile scored last whose score may be above
  /// 2^unit·limit. The others' scores are not: F <= ⌊2^unit·limit/2^e⌋ - E gives
  /// S <= 2^e·(F + E) <= 2^unit·limit.
  template <class Found>
  void above(std::size_t row, std::int64_t limit, Found found) const;
  /// Keeps the row of the tile scored last for bounds().
  void keep(std::size_t row);

  /// Bounds of S_uv for all v by key position, as kept. Ensure: below 2^62 in absolute value.
  void lower(std::size_t row, std::vector<std::int64_t>& bounds) const { fill(row, -1, bounds); }
  void upper(std::size_t row, std::vector<std::int64_t>& bounds) const { fill(row, 1, bounds); }

 private:
  void fill(std::size_t row, int side, std::vector<std::int64_t>& bounds) const;

  const PackedHead& head_;
  const PackedBlock& block_;
  unsigned unit_ = 0;
  bool exact_ = true;
  std::vector<std::int64_t> errors_;             ///< E of each tile
  std::vector<std::int32_t> scores_, row_max_;   ///< of the tile scored last
  std::vector<std::vector<std::int32_t>> kept_;  ///< of each row that is kept
  std::size_t tile_ = 0;
};

template <class Found>
void EnclosedScores::above(std::size_t row, std::int64_t limit, Found found) const {
  const PackedBlock& keys = head_.keys.blocks[tile_];
  const unsigned exponent = block_.exponent + keys.exponent;
  // `scaled` is ⌊2^unit·limit/2^e⌋, or, cut at ±2^50, on the same side of every F + E, as |F| < 2^31
  // and E < 2^48; a shift is cut at 49 only where a limit other than 0 is beyond these anyway.
  const unsigned left = exponent < unit_ ? std::min(unit_ - exponent, 49U) : 0;
  const std::int64_t cap = std::int64_t{1} << (50 - left);
  const std::int64_t scaled = exponent >= unit_
                                  ? limit >> std::min(exponent - unit_, 63U)
                                  : std::clamp(limit, -cap, cap) * (std::int64_t{1} << left);
  const std::int64_t least = scaled - errors_[tile_];
  if (row_max_[row] <= least) return;
  const std::int32_t* const scores = scores_.data() + row * keys.padded;
  for (std::size_t i = 0; i < keys.end - keys.begin; ++i)
    if (scores[i] > least) found(head_.keys.order[keys.begin + i]);
}

}  // namespace qkcert
