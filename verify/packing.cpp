#include <algorithm>
#include <numeric>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/parallel.hpp>
#include <qkcert/verify/packing.hpp>
#include <type_traits>

namespace qkcert {

namespace {

constexpr std::int64_t max_entry = (1 << 15) - 1;
constexpr std::int64_t max_score = (std::int64_t{1} << 31) - 1;

/// x / 2^exponent rounded to the nearest integer, halves up. In pack() the exponents stay where the
/// sums below fit: from 2^32 and 2^64 on every machine integer is rounded to 0 or ±1, which fits.
std::int64_t rounded(std::int32_t x, unsigned exponent) {
  return exponent == 0 ? x : (x + (std::int64_t{1} << (exponent - 1))) >> exponent;
}
Int128 rounded(std::int64_t x, unsigned exponent) {
  return exponent == 0 ? Int128(x) : (Int128(x) + (Int128(1) << (exponent - 1))) >> exponent;
}
Integer rounded(const Integer& x, unsigned exponent) {
  if (exponent == 0) return x;
  return floor_quotient(x + power_of_two(exponent - 1), power_of_two(exponent));
}

/// Writes the packed rows of one block; false when one of them exceeds the limits.
bool fill(const Projections& side, const Packing& packing, std::int64_t limit,
          std::size_t interleave, PackedBlock& block, std::int16_t* out) {
  block.exact = true;
  block.sum_abs = 0;
  for (std::size_t i = 0; i < block.end - block.begin; ++i) {
    const std::size_t row = packing.order[block.begin + i];
    std::int16_t* at = out + (i / interleave * packing.pairs * interleave + i % interleave) * 2;
    for (std::size_t k = 0; k < side.heads.size(); ++k) {
      const std::size_t width = side.heads[k].cols;
      // |p̃_j| <= 2^15 - 1, checked first, and width < 2^32: no sum wraps.
      std::int64_t squares = 0, sum_abs = 0;
      const bool fits = std::visit(
          [&](const auto& entries) {
            const auto* p = entries.data() + row * width;
            for (std::size_t j = 0; j < width; ++j) {
              const auto q = rounded(p[j], block.exponent);
              if (q > max_entry || q < -max_entry) return false;
              const auto packed = static_cast<std::int16_t>(q);
              if (block.exponent > 0 && block.exact)
                block.exact = Integer(packed) * power_of_two(block.exponent) == Integer(p[j]);
              at[j / 2 * 2 * interleave + j % 2] = packed;
              squares += std::int64_t{packed} * packed;
              sum_abs += packed < 0 ? -packed : packed;
            }
            return squares <= limit;
          },
          side.heads[k].entries);
      if (!fits) return false;
      block.sum_abs = std::max(block.sum_abs, sum_abs);
      at += packing.head_pairs[k] * 2 * interleave;
    }
  }
  return true;
}

}  // namespace

std::vector<Integer> row_squares(const Projections& side, unsigned threads) {
  std::vector<Integer> squares(side.range.size());
  const bool small = fits_int128(side, side);
  constexpr std::size_t chunk = 256;
  parallel_for((squares.size() + chunk - 1) / chunk, threads, [&](std::size_t block, unsigned) {
    for (std::size_t u = block * chunk; u < std::min(squares.size(), (block + 1) * chunk); ++u)
      squares[u] = small ? to_integer(exact_score<Int128>(side, u, side, u))
                         : exact_score<Integer>(side, u, side, u);
  });
  return squares;
}

Packing pack(const Projections& side, const std::vector<Integer>& squares, std::int64_t limit,
             std::size_t block_rows, std::size_t granule, std::size_t interleave,
             unsigned threads) {
  require(limit >= 1 && squares.size() == side.range.size() && block_rows % granule == 0 && granule % interleave == 0, "pack: shapes");
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
    packing.entries.resize(at);
  }
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
