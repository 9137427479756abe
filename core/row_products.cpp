#include <algorithm>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/row_products.hpp>

namespace qkcert {

namespace {

__extension__ using Int128 = __int128;

/// |x| < 2^127.
Integer to_integer(Int128 x) {
  const Int128 size = x < 0 ? -x : x;
  const Integer result = Integer(static_cast<std::uint64_t>(size >> 64)) * power_of_two(64) +
                         Integer(static_cast<std::uint64_t>(size));
  return x < 0 ? Integer(-result) : result;
}

}  // namespace

std::vector<Integer> RowProducts::with(const std::vector<Integer>& z) const {
  require(z.size() == rows_.cols(), "RowProducts: one entry per column is required");
  std::vector<Integer> products(rows_.rows());
  Integer greatest = 0;
  for (const Integer& entry : z) greatest = std::max<Integer>(greatest, abs(entry));
  const bool narrow = rows_.narrow() && to_int64(greatest) &&
                      bit_length(Integer(z.size()) * largest_ * greatest) <= 127;
  if (!narrow) {
    for (std::size_t v = 0; v < products.size(); ++v)
      for (std::size_t j = 0; j < z.size(); ++j) products[v] += rows_.at(v, j) * z[j];
    return products;
  }
  std::vector<std::int64_t> words;
  for (const Integer& entry : z) words.push_back(*to_int64(entry));
  for (std::size_t v = 0; v < products.size(); ++v) {
    Int128 sum = 0;
    const auto row = rows_.narrow_row(v);
    for (std::size_t j = 0; j < words.size(); ++j) sum += Int128{row[j]} * words[j];
    products[v] = to_integer(sum);
  }
  return products;
}

}  // namespace qkcert
