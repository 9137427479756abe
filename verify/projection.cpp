#include <algorithm>
#include <limits>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/parallel.hpp>
#include <qkcert/verify/projection.hpp>
#include <type_traits>

namespace qkcert {

Integer to_integer(Int128 x) {
  // |x| < 2^127, so both halves are exact: x = high·2^64 + low with 0 <= low < 2^64.
  return Integer(static_cast<std::int64_t>(x >> 64)) * power_of_two(64) +
         Integer(static_cast<std::uint64_t>(x));
}

namespace {

/// The bits of the bound terms·a·b on every partial sum of `terms` products.
std::size_t sum_bits(std::size_t terms, const Integer& a, const Integer& b) {
  return bit_length(Integer(terms) * a * b);
}

template <class Sum, class A, class B>
Sum dot(const A* a, const B* b, std::size_t size) {
  Sum sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum += Sum(a[i]) * Sum(b[i]);
  return sum;
}

Matrix transposed(const Matrix& a) {
  Matrix result(a.cols(), a.rows());
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < a.cols(); ++j) result.set(j, i, a.at(i, j));
  return result;
}

/// The rows of a in `range` times b, in GMP or, for narrow matrices under `bits` <= 127, in 128-bit
/// arithmetic.
Matrix slow_product(const Matrix& a, VertexRange range, const Matrix& b, std::size_t bits) {
  Matrix result(range.size(), b.cols());
  if (range.size() == 0 || b.cols() == 0) return result;  // b may have any number of rows then
  const Matrix columns = transposed(b);
  const bool narrow = a.narrow() && columns.narrow() && bits <= 127;
  const Matrix wide_a = narrow ? Matrix() : a.widened();
  const Matrix wide_columns = narrow ? Matrix() : columns.widened();
  for (std::size_t i = 0; i < range.size(); ++i)
    for (std::size_t j = 0; j < b.cols(); ++j)
      if (narrow)
        result.set(i, j,
                   to_integer(dot<Int128>(a.narrow_row(range.begin + i).data(),
                                          columns.narrow_row(j).data(), a.cols())));
      else
        result.set(i, j,
                   dot<Integer>(wide_a.wide_row(range.begin + i).data(),
                                wide_columns.wide_row(j).data(), a.cols()));
  return result;
}

/// The rows of a in `range` times b, whose entries are at most 2^31 - 1, by the vector kernel.
/// With `split` x = high·2^30 + low with |low| <= 2^29 and, as |x| < 2^60, |high| <= 2^30.
/// Require: cols·(max|a| + 2^30)·max|b| < 2^63, so that high·2^30·b, a·b and their sums fit; with 32
/// bits to an entry cols·max|a|·max|b| < 2^31.
template <class Entry>
std::vector<Entry> fast_product(const Matrix& a, VertexRange range, const Matrix& b, bool split,
                                const Kernels& kernels, unsigned threads) {
  const std::size_t inner = a.cols(), width = b.cols();
  const std::size_t cols = (width + product_columns - 1) / product_columns * product_columns;
  std::vector<std::int64_t> weights(inner * cols);
  for (std::size_t i = 0; i < inner; ++i)
    std::copy_n(b.narrow_row(i).data(), width, weights.data() + i * cols);
  std::vector<Entry> result(range.size() * width);
  constexpr std::size_t chunk = 64;
  parallel_for((range.size() + chunk - 1) / chunk, threads, [&](std::size_t block, unsigned) {
    const std::size_t begin = block * chunk, rows = std::min(chunk, range.size() - begin);
    const std::int64_t* const x = a.narrow_row(range.begin + begin).data();  // row-major: and on
    std::vector<std::int64_t> out(rows * cols);
    if (!split) {
      kernels.product_rows(x, rows, inner, weights.data(), cols, out.data());
    } else {
      std::vector<std::int64_t> low(x, x + rows * inner), high(rows * inner), more(rows * cols);
      for (std::size_t i = 0; i < low.size(); ++i) {
        high[i] = (low[i] + (std::int64_t{1} << 29)) >> 30;
        low[i] -= high[i] * (std::int64_t{1} << 30);
      }
      kernels.product_rows(low.data(), rows, inner, weights.data(), cols, out.data());
      kernels.product_rows(high.data(), rows, inner, weights.data(), cols, more.data());
      for (std::size_t i = 0; i < out.size(); ++i) out[i] += more[i] * (std::int64_t{1} << 30);
    }
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t c = 0; c < width; ++c)
        result[(begin + r) * width + c] = static_cast<Entry>(out[r * cols + c]);
  });
  return result;
}

/// `entries` in the narrowest type. Require: |x| <= 2^31 - 1 or 2^63 - 1.
template <class Entry>
ExactRows narrowest(std::size_t cols, std::vector<Entry> entries) {
  Entry greatest = 0;
  for (const Entry x : entries) greatest = std::max<Entry>(greatest, x < 0 ? -x : x);
  if constexpr (sizeof(Entry) == 4) return {cols, std::move(entries), greatest};
  if (bit_length(greatest) > 31) return {cols, std::move(entries), greatest};
  return {cols, std::vector<std::int32_t>(entries.begin(), entries.end()), greatest};
}

ExactRows narrowest(const Matrix& matrix) {
  if (matrix.narrow()) {
    std::vector<std::int64_t> entries;
    for (std::size_t i = 0; i < matrix.rows(); ++i)
      entries.insert(entries.end(), matrix.narrow_row(i).begin(), matrix.narrow_row(i).end());
    return narrowest(matrix.cols(), std::move(entries));
  }
  std::vector<Integer> entries;
  for (std::size_t i = 0; i < matrix.rows(); ++i)
    entries.insert(entries.end(), matrix.wide_row(i).begin(), matrix.wide_row(i).end());
  return {matrix.cols(), std::move(entries), matrix.max_abs()};
}

/// The rows of a in `range` times b. Require: a_max = a.max_abs().
ExactRows product(const Matrix& a, const Integer& a_max, VertexRange range, const Matrix& b,
                  const Kernels& kernels, unsigned threads) {
  if (range.size() == 0 || b.cols() == 0) return narrowest(Matrix(range.size(), b.cols()));
  const Integer b_max = b.max_abs();
  const bool split = bit_length(a_max) > 31;
  const std::size_t bits = sum_bits(a.cols(), a_max, b_max);
  if (!a.narrow() || !b.narrow() || bit_length(a_max) > 60 || bit_length(b_max) > 31 ||
      sum_bits(a.cols(), split ? Integer(a_max + power_of_two(30)) : a_max, b_max) > 63)
    return narrowest(slow_product(a, range, b, bits));
  return bits <= 31
             ? narrowest(b.cols(), fast_product<std::int32_t>(a, range, b, split, kernels, threads))
             : narrowest(b.cols(),
                         fast_product<std::int64_t>(a, range, b, split, kernels, threads));
}

/// The rows of a in `range`.
Matrix rows_of(const Matrix& a, VertexRange range) {
  Matrix result(range.size(), a.cols());
  for (std::size_t i = 0; i < range.size(); ++i)
    for (std::size_t j = 0; j < a.cols(); ++j) result.set(i, j, a.at(range.begin + i, j));
  return result;
}

ExactRows project_head(const Matrix& embedding, const Integer& embedding_max, const Head& head,
                       Side side, VertexRange range, const Kernels& kernels, unsigned threads) {
  const auto times = [&](const Matrix& weights) {
    return product(embedding, embedding_max, range, weights, kernels, threads);
  };
  if (head.width() <= embedding.cols()) return times(side == Side::query ? head.query : head.key);
  if (side == Side::key) return narrowest(rows_of(embedding, range));
  const Matrix keys = transposed(head.key);
  return times(slow_product(head.query, {0, head.query.rows()}, keys,
                            sum_bits(head.width(), head.query.max_abs(), keys.max_abs())));
}

}  // namespace

Projections project(const Matrix& embedding, const Channel& channel, Side side, VertexRange range,
                    const Kernels& kernels, unsigned threads) {
  require(range.begin <= range.end && range.end <= embedding.rows(), "project: no such vertices");
  Projections result{range, std::vector<ExactRows>(channel.heads.size())};
  const Integer embedding_max = embedding.max_abs();
  const auto many =
      static_cast<unsigned>(std::min<std::size_t>(thread_count(threads), channel.heads.size()));
  const unsigned each = thread_count(threads) / std::max(many, 1U);  // threads for one head
  parallel_for(channel.heads.size(), many, [&](std::size_t k, unsigned) {
    result.heads[k] =
        project_head(embedding, embedding_max, channel.heads[k], side, range, kernels, each);
  });
  return result;
}

namespace {

/// Whether no entry is an Integer and width·max|a|·max|b| < 2^bits in every head.
bool fits(const Projections& a, const Projections& b, std::size_t bits) {
  for (std::size_t k = 0; k < a.heads.size(); ++k) {
    const ExactRows &p = a.heads[k], &q = b.heads[k];
    if (p.entries.index() == 2 || q.entries.index() == 2) return false;
    if (sum_bits(p.cols, p.max_abs, q.max_abs) > bits) return false;
  }
  return true;
}

}  // namespace

bool fits_int64(const Projections& a, const Projections& b) { return fits(a, b, 62); }
bool fits_int128(const Projections& a, const Projections& b) { return fits(a, b, 126); }

template <class Score>
Score exact_score(const Projections& a, std::size_t u, const Projections& b, std::size_t v) {
  Score best = 0;
  for (std::size_t k = 0; k < a.heads.size(); ++k) {
    const ExactRows &p = a.heads[k], &q = b.heads[k];
    const Score score = std::visit(
        [&](const auto& left, const auto& right) -> Score {
          const auto *x = left.data() + u * p.cols, *y = right.data() + v * p.cols;
          using X = std::remove_cvref_t<decltype(*x)>;
          using Y = std::remove_cvref_t<decltype(*y)>;
          if constexpr (!std::is_same_v<Score, Integer> &&
                        (std::is_same_v<X, Integer> || std::is_same_v<Y, Integer>))
            throw ShapeError("exact_score: machine integers are too narrow");  // excluded by fits
          else if constexpr (std::is_same_v<Score, Int128> && sizeof(X) == 4 && sizeof(Y) == 4) {
            // |x·y| < 2^62: a sum of two fits in 64 bits, and 128 bits hold 2^65 such sums.
            Score sum = 0;
            std::size_t i = 0;
            for (; i + 2 <= p.cols; i += 2)
              sum += std::int64_t{x[i]} * y[i] + std::int64_t{x[i + 1]} * y[i + 1];
            return i < p.cols ? Score(sum + std::int64_t{x[i]} * y[i]) : sum;
          } else
            return dot<Score>(x, y, p.cols);
        },
        p.entries, q.entries);
    if (k == 0 || score > best) best = score;
  }
  return best;
}

template std::int64_t exact_score(const Projections&, std::size_t, const Projections&, std::size_t);
template Int128 exact_score(const Projections&, std::size_t, const Projections&, std::size_t);
template Integer exact_score(const Projections&, std::size_t, const Projections&, std::size_t);

}  // namespace qkcert
