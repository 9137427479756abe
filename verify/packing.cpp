#include <algorithm>
#include <numeric>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/parallel.hpp>
#include <qkcert/verify/packing.hpp>
#include <qkcert/verify/sha256.hpp>
#include <type_traits>

namespace qkcert {

namespace {

constexpr std::uint32_t max_entry = (1 << 15) - 1;
constexpr std::int64_t max_score = (std::int64_t{1} << 31) - 1;

/// x / 2^exponent rounded to the nearest integer, halves up: ⌊x/2^e⌋ plus the bit below. From 2^64
/// on |x| < 2^63 is less than half.
std::int64_t rounded(std::int64_t x, unsigned exponent) {
  if (exponent == 0 || exponent > 63) return exponent == 0 ? x : 0;
  return (x >> exponent) + ((x >> (exponent - 1)) & 1);
}
Integer rounded(const Integer& x, unsigned exponent) {
  if (exponent == 0) return x;
  return floor_quotient(x + power_of_two(exponent - 1), power_of_two(exponent));
}

/// Whether 2^exponent divides x.
bool divides(unsigned exponent, std::int64_t x) {
  return x == 0 || (exponent < 63 && (x >> exponent) * (std::int64_t{1} << exponent) == x);
}
bool divides(unsigned exponent, const Integer& x) {
  return floor_quotient(x, power_of_two(exponent)) * power_of_two(exponent) == x;
}

/// Packed entries of one row of one head.
struct Filled {
  bool fits;   ///< every |p̃_j| <= 2^15 - 1; the sums mean nothing else
  bool exact;  ///< p_j = 2^exponent·p̃_j
  std::int64_t squares, sum_abs;
};

/// Rounds `width` entries to out[0], out[1], out[stride], out[stride + 1], out[2·stride], …
template <class T>
Filled fill_row(const T* p, std::size_t width, unsigned exponent, std::int16_t* out,
                std::size_t stride) {
  bool exact = true;
  std::uint64_t greatest = 0, sum_abs = 0;
  std::int64_t squares = 0;
  for (std::size_t j = 0; j < width; ++j) {
    std::int64_t q;
    if constexpr (std::is_same_v<T, Integer>)
      q = to_int64(rounded(p[j], exponent)).value_or(max_entry + 1);
    else
      q = rounded(std::int64_t{p[j]}, exponent);
    if (exponent > 0 && exact) exact = divides(exponent, p[j]);
    // Once all |q| <= max_entry is known, width < 2^32 excludes that a sum has wrapped.
    const auto packed = static_cast<std::int16_t>(q);
    out[j / 2 * stride + j % 2] = packed;
    const auto size = static_cast<std::uint64_t>(q < 0 ? -q : q);
    greatest = std::max(greatest, size);
    sum_abs += size;
    squares += std::int64_t{packed} * packed;
  }
  return {greatest <= max_entry, exact, squares, static_cast<std::int64_t>(sum_abs)};
}

/// Writes the packed rows of one block; false when one of them exceeds the limits.
bool fill(const Projections& side, const Packing& packing, std::int64_t limit,
          std::size_t interleave, PackedBlock& block, std::int16_t* out) {
  block.exact = true;
  block.sum_abs = 0;
  std::size_t pairs = 0;  // of the heads before
  for (std::size_t k = 0; k < side.heads.size(); pairs += packing.head_pairs[k++]) {
    const std::size_t width = side.heads[k].cols;
    const bool fits = std::visit(
        [&](const auto& entries) {
          for (std::size_t i = 0; i < block.end - block.begin; ++i) {
            // The order is at random in memory: rows are asked for ahead of time.
            __builtin_prefetch(entries.data() +
                               packing.order[std::min(block.begin + i + 16, block.end - 1)] *
                                   width);
            const std::size_t row =
                (i / interleave * packing.pairs + pairs) * interleave + i % interleave;
            const Filled filled = fill_row(entries.data() + packing.order[block.begin + i] * width,
                                           width, block.exponent, out + 2 * row, 2 * interleave);
            if (!filled.fits || filled.squares > limit) return false;
            block.exact = block.exact && filled.exact;
            block.sum_abs = std::max(block.sum_abs, filled.sum_abs);
          }
          return true;
        },
        side.heads[k].entries);
    if (!fits) return false;
  }
  return true;
}

}  // namespace

std::vector<Integer> row_squares(const Projections& side, unsigned threads) {
  std::vector<Integer> squares(side.range.size());
  const bool tiny = fits_int64(side, side), small = fits_int128(side, side);
  constexpr std::size_t chunk = 256;
  parallel_for((squares.size() + chunk - 1) / chunk, threads, [&](std::size_t block, unsigned) {
    for (std::size_t u = block * chunk; u < std::min(squares.size(), (block + 1) * chunk); ++u)
      squares[u] = tiny    ? to_integer(exact_score<std::int64_t>(side, u, side, u))
                   : small ? to_integer(exact_score<Int128>(side, u, side, u))
                           : exact_score<Integer>(side, u, side, u);
  });
  return squares;
}

Packing pack(const Projections& side, const std::vector<Integer>& squares, std::int64_t limit,
             std::size_t block_rows, std::size_t granule, std::size_t interleave,
             unsigned threads) {
  require(limit >= 1 && squares.size() == side.range.size() && block_rows % granule == 0 &&
              granule % interleave == 0,
          "pack: shapes");
  const std::size_t rows = side.range.size();
  Packing packing;
  for (const ExactRows& head : side.heads) {
    if (head.cols >> 32 != 0) throw SizeError("pack: a head is too wide");
    packing.head_pairs.push_back(static_cast<std::uint32_t>((head.cols + 1) / 2));
    packing.pairs += packing.head_pairs.back();
    packing.max_width = std::max(packing.max_width, head.cols);
  }
  packing.order.resize(rows);
  std::iota(packing.order.begin(), packing.order.end(), std::size_t{0});
  std::stable_sort(packing.order.begin(), packing.order.end(),
                   [&](std::size_t a, std::size_t b) { return squares[a] > squares[b]; });
  for (std::size_t begin = 0, at = 0; begin < rows; begin += block_rows) {
    PackedBlock block;
    block.begin = begin;
    block.end = std::min(begin + block_rows, rows);
    block.at = at;
    block.padded = (block.end - begin + granule - 1) / granule * granule;
    block.squares = squares[packing.order[begin]];  // the largest: the order is by falling norm
    at += block.padded * packing.pairs * 2;
    packing.blocks.push_back(block);
  }
  if (rows > 0)
    packing.entries.resize(packing.blocks.back().at +
                           packing.blocks.back().padded * packing.pairs * 2);
  // An entry is at most its row's norm, so the least exponent that can do is about half the bits
  // that the norm has beyond the limit; fill() decides.
  const std::size_t limit_bits = bit_length(Integer(limit));
  parallel_for(packing.blocks.size(), threads, [&](std::size_t i, unsigned) {
    PackedBlock& block = packing.blocks[i];
    const std::size_t bits = bit_length(block.squares);
    block.exponent = bits > limit_bits ? static_cast<unsigned>((bits - limit_bits) / 2) : 0;
    while (!fill(side, packing, limit, interleave, block, packing.entries.data() + block.at))
      ++block.exponent;
  });
  return packing;
}

std::string blocks_sha256(const Packing& packing, VertexRange range) {
  std::string text;
  for (const PackedBlock& block : packing.blocks) {
    for (std::size_t i = block.begin; i < block.end; ++i)
      text += std::to_string(range.begin + packing.order[i]) + ' ';
    text += '\n';
  }
  return sha256(text);
}

PackingLimits packing_limits(const std::vector<Integer>& query_squares,
                             const std::vector<Integer>& key_squares) {
  const auto greatest = [](const std::vector<Integer>& squares) {
    Integer result = 1;
    for (const Integer& each : squares) result = std::max(result, each);
    return result;
  };
  // mine·⌊(2^31 - 1)² / mine⌋ <= (2^31 - 1)².
  const Integer query = greatest(query_squares), key = greatest(key_squares);
  if (query <= max_score)
    return {to_int64(query).value(), max_score * max_score / to_int64(query).value()};
  if (key <= max_score)
    return {max_score * max_score / to_int64(key).value(), to_int64(key).value()};
  return {max_score, max_score};
}

std::int64_t filter_error(const Packing& queries, const PackedBlock& query,
                          const PackedBlock& key) {
  std::int64_t twice = 0;  // widths are below 2^32, sums below 2^48
  if (!key.exact) twice += query.sum_abs;
  if (!query.exact) twice += key.sum_abs;
  if (!query.exact && !key.exact) twice += static_cast<std::int64_t>(queries.max_width / 2 + 1);
  return (twice + 1) / 2;
}

}  // namespace qkcert
