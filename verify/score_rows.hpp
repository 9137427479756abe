#pragma once
/// Exact scores of single heads, row by row: what softmax needs beyond the maximum over heads.

#include <cstdint>
#include <qkcert/core/channel.hpp>
#include <qkcert/core/parallel.hpp>
#include <type_traits>
#include <vector>

namespace qkcert {

__extension__ using Wide = __int128;

Integer as_integer(Wide x);
inline Integer as_integer(const Integer& x) { return x; }

/// The arithmetic that is exact for every score of a channel, every partial sum included:
/// width·max|q|·max|k| < 2^31, < 2^63, < 2^127, or without limit.
enum class ScoreArithmetic { bits32, bits64, bits128, unlimited };

/// Projected queries q_u = x_u W_Q and keys k_v = x_v W_K of all heads.
///
/// Shapes   embedding: m × d_model; head k: W_Q, W_K of d_model × d_k.
/// Cost     m·d_model·D_K multiply-adds, O(m·D_K) memory.
class ProjectedHeads {
 public:
  /// Require: a valid channel. Errors: ShapeError.
  ProjectedHeads(const Matrix& embedding, const Channel& channel, unsigned threads);

  std::size_t vertices() const { return vertices_; }
  std::size_t heads() const { return queries_.size(); }
  ScoreArithmetic arithmetic() const { return arithmetic_; }

 private:
  template <class Score>
  friend class ScoreRows;

  std::size_t vertices_;
  ScoreArithmetic arithmetic_;
  std::vector<Matrix> queries_, keys_;  ///< of each head, d_k × m
};

/// Rows of scores in `Score` arithmetic.
template <class Score>
class ScoreRows {
 public:
  using Entry = std::conditional_t<std::is_same_v<Score, Wide>, std::int64_t, Score>;

  /// Require: `projected.arithmetic()` is that of Score or a narrower one.
  explicit ScoreRows(const ProjectedHeads& projected);

  std::size_t vertices() const { return vertices_; }
  std::size_t heads() const { return queries_.size(); }
  /// row[v] = S^head_uv for all v. Require: row.size() == vertices().
  void fill(std::size_t head, std::size_t u, std::vector<Score>& row) const;

 private:
  std::size_t vertices_;
  std::vector<std::vector<std::vector<Entry>>> queries_, keys_;
};

/// Calls use(rows) with the ScoreRows of the narrowest arithmetic.
template <class Use>
auto with_score_rows(const ProjectedHeads& projected, Use use) {
  switch (projected.arithmetic()) {
    case ScoreArithmetic::bits32:
      return use(ScoreRows<std::int32_t>(projected));
    case ScoreArithmetic::bits64:
      return use(ScoreRows<std::int64_t>(projected));
    case ScoreArithmetic::bits128:
      return use(ScoreRows<Wide>(projected));
    default:
      return use(ScoreRows<Integer>(projected));
  }
}

}  // namespace qkcert
