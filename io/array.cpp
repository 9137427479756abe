#include <qkcert/core/errors.hpp>
#include <qkcert/io/array.hpp>

namespace qkcert {

Integer byte_size(const std::vector<std::size_t>& shape, std::size_t bytes) {
  Integer size = bytes;
  for (const std::size_t extent : shape) size *= extent;
  return size;
}

std::uint64_t unsigned_value(std::string_view bytes, bool big_endian) {
  std::uint64_t value = 0;
  for (std::size_t k = 0; k < bytes.size(); ++k)
    value = value << 8 | static_cast<unsigned char>(bytes[big_endian ? k : bytes.size() - 1 - k]);
  return value;
}

Array::Array(const Reader& in, std::string_view data, Dtype dtype, bool fortran_order,
             std::vector<std::size_t> shape)
    : in_(in), data_(data), dtype_(dtype), fortran_order_(fortran_order), shape_(std::move(shape)) {
  require(byte_size(shape_, dtype_.bytes) == data_.size(), "Array: shape and bytes differ");
}

std::vector<std::size_t> Array::index(std::size_t i) const {
  std::vector<std::size_t> result(shape_.size());
  for (std::size_t axis = shape_.size(); axis-- > 0; i /= shape_[axis])
    result[axis] = i % shape_[axis];
  return result;
}

/// Where entry i stands in memory.
std::size_t Array::position(std::size_t i) const {
  if (!fortran_order_) return i;
  const std::vector<std::size_t> at = index(i);
  std::size_t place = 0;
  for (std::size_t axis = shape_.size(); axis-- > 0;) place = place * shape_[axis] + at[axis];
  return place;
}

Dyadic Array::operator()(std::size_t i) const {
  require(i < size(), "Array: an entry of the array is required");
  const std::uint64_t bits =
      unsigned_value(data_.substr(position(i) * dtype_.bytes, dtype_.bytes), dtype_.big_endian);
  const int width = static_cast<int>(8 * dtype_.bytes) - 1;
  switch (dtype_.kind) {
    case 'b':
      if (bits > 1) fail(i, "a bool, 0 or 1", std::to_string(bits));
      return {false, bits, 0};
    case 'u':
      return {false, bits, 0};
    case 'i': {  // two's complement
      if (bits >> width == 0) return {false, bits, 0};
      const std::uint64_t ones = ~std::uint64_t{0} >> (63 - width);
      return {true, (ones - bits) + 1, 0};
    }
    default:
      return float_value(bits, i);
  }
}

/// With p-bit fractions f and exponents e < E = 2^k - 1 of bias (E-1)/2: (2^p + f)·2^(e-bias-p), or
/// f·2^(1-bias-p) when e = 0.
Dyadic Array::float_value(std::uint64_t bits, std::size_t i) const {
  const int width = static_cast<int>(8 * dtype_.bytes) - 1;  // all but the sign
  const int p = dtype_.kind == 't' ? 7 : width == 15 ? 10 : width == 31 ? 23 : 52;
  const int top = (1 << (width - p)) - 1;
  const bool negative = bits >> width != 0;
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << p) - 1);
  const int exponent = static_cast<int>(bits >> p) & top;
  if (exponent == top)
    fail(i, "a finite number", fraction != 0 ? "nan" : negative ? "-inf" : "inf");
  const int least = 1 - (top - 1) / 2 - p;
  if (exponent == 0) return {negative, fraction, least};
  return {negative, fraction | std::uint64_t{1} << p, least + exponent - 1};
}

void Array::fail(std::size_t i, std::string_view expected, const std::string& found) const {
  const std::vector<std::size_t> at = index(i);
  std::string place;
  if (at.size() == 2) {
    place = "row " + std::to_string(at[0]) + ", column " + std::to_string(at[1]);
  } else {
    place = "index (";
    for (std::size_t axis = 0; axis < at.size(); ++axis)
      place += (axis > 0 ? ", " : "") + std::to_string(at[axis]);
    place += ")";
  }
  in_.fail_at(in_.offset() + position(i) * dtype_.bytes, expected, found + " at " + place);
}

}  // namespace qkcert
