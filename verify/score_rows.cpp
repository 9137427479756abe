#include <algorithm>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/row_products.hpp>
#include <qkcert/verify/score_rows.hpp>

namespace qkcert {

namespace {

/// (X·W)ᵀ.
Matrix project(const Matrix& embedding, const Matrix& weights, unsigned threads) {
  const RowProducts rows(embedding);
  std::vector<std::vector<Integer>> columns(weights.cols());
  parallel_for(weights.cols(), threads, [&](std::size_t j, unsigned) {
    std::vector<Integer> column(weights.rows());
    for (std::size_t i = 0; i < column.size(); ++i) column[i] = weights.at(i, j);
    columns[j] = rows.with(column);
  });
  Matrix result(weights.cols(), embedding.rows());
  for (std::size_t j = 0; j < result.rows(); ++j)
    for (std::size_t v = 0; v < result.cols(); ++v) result.set(j, v, columns[j][v]);
  return result;
}

/// The entries count too: they may be large where the other side is zero.
ScoreArithmetic arithmetic_for(std::size_t width, const Integer& query, const Integer& key) {
  const std::size_t bits = bit_length(Integer(width) * query * key);
  const std::size_t entry = std::max(bit_length(query), bit_length(key));
  if (std::max(bits, entry) <= 31) return ScoreArithmetic::bits32;
  if (std::max(bits, entry) <= 63) return ScoreArithmetic::bits64;
  return bits <= 127 && entry <= 63 ? ScoreArithmetic::bits128 : ScoreArithmetic::unlimited;
}

/// Row `row` of the matrix. Entries that arithmetic_for() has bounded fit: |entry| < 2^31 or 2^63.
template <class Entry>
std::vector<Entry> row_as(const Matrix& matrix, std::size_t row) {
  std::vector<Entry> result(matrix.cols());
  for (std::size_t v = 0; v < result.size(); ++v) {
    if constexpr (std::is_same_v<Entry, Integer>)
      result[v] = matrix.at(row, v);
    else
      result[v] = static_cast<Entry>(matrix.narrow_row(row)[v]);
  }
  return result;
}

}  // namespace

Integer as_integer(Wide x) {
  const Wide size = x < 0 ? -x : x;  // |x| < 2^127
  const Integer result = Integer(static_cast<std::uint64_t>(size >> 64)) * power_of_two(64) +
                         Integer(static_cast<std::uint64_t>(size));
  return x < 0 ? Integer(-result) : result;
}

ProjectedHeads::ProjectedHeads(const Matrix& embedding, const Channel& channel, unsigned threads)
    : vertices_(embedding.rows()), arithmetic_(ScoreArithmetic::bits32) {
  require_valid(channel, embedding.cols());
  for (const Head& head : channel.heads) {
    queries_.push_back(project(embedding, head.query, threads));
    keys_.push_back(project(embedding, head.key, threads));
    arithmetic_ = std::max(arithmetic_, arithmetic_for(head.width(), queries_.back().max_abs(),
                                                       keys_.back().max_abs()));
  }
}

template <class Score>
ScoreRows<Score>::ScoreRows(const ProjectedHeads& projected) : vertices_(projected.vertices()) {
  const auto convert = [](const auto& from, auto& to) {
    for (const Matrix& head : from) {
      auto& rows = to.emplace_back();
      for (std::size_t j = 0; j < head.rows(); ++j) rows.push_back(row_as<Entry>(head, j));
    }
  };
  convert(projected.queries_, queries_);
  convert(projected.keys_, keys_);
}

template <class Score>
void ScoreRows<Score>::fill(std::size_t head, std::size_t u, std::vector<Score>& row) const {
  require(row.size() == vertices_ && u < vertices_, "ScoreRows: a row of m scores is required");
  constexpr std::size_t block = 2048;  // of scores that stay in the nearest cache
  const std::size_t width = keys_[head].size();
  for (std::size_t begin = 0; begin < vertices_; begin += block) {
    const std::size_t end = std::min(begin + block, vertices_);
    std::fill(row.begin() + static_cast<std::ptrdiff_t>(begin),
              row.begin() + static_cast<std::ptrdiff_t>(end), Score(0));
    for (std::size_t j = 0; j < width; ++j) {
      const Score query = queries_[head][j][u];
      const Entry* const key = keys_[head][j].data();
      for (std::size_t v = begin; v < end; ++v) row[v] += query * key[v];
    }
  }
}

template class ScoreRows<std::int32_t>;
template class ScoreRows<std::int64_t>;
template class ScoreRows<Wide>;
template class ScoreRows<Integer>;

}  // namespace qkcert
