#pragma once
/// Arrays of numbers of any dtype, read exactly, entry by entry.

#include <qkcert/core/embedding.hpp>
#include <qkcert/core/reader.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace qkcert {

/// How an entry is stored: `kind` is b (bool), i, u, f (IEEE 754) or t (bfloat16).
struct Dtype {
  char kind;
  std::size_t bytes;
  bool big_endian;
};

/// An array in the bytes of a file that has been read; the bytes must outlive it.
///
/// Floats are dyadic, so they are taken exactly, by their bits; -0.0 is 0 and subnormals are kept.
class Array {
 public:
  /// `in` stands at the first of `data`, in a source that failures name.
  /// Require  data has product(shape)·dtype.bytes bytes.
  /// Errors   ShapeError.
  Array(const Reader& in, std::string_view data, Dtype dtype, bool fortran_order,
        std::vector<std::size_t> shape);

  const std::vector<std::size_t>& shape() const { return shape_; }
  std::size_t size() const { return data_.size() / dtype_.bytes; }

  /// The entry at position `i` in row-major order, whatever the order in memory.
  /// Errors: FormatError that names byte and index, for NaN, infinity or a bool that is neither 0
  /// nor 1; ShapeError for a position out of range.
  Dyadic operator()(std::size_t i) const;

 private:
  Dyadic float_value(std::uint64_t bits, std::size_t i) const;
  [[noreturn]] void fail(std::size_t i, std::string_view expected, const std::string& found) const;
  std::vector<std::size_t> index(std::size_t i) const;
  std::size_t position(std::size_t i) const;

  Reader in_;
  std::string_view data_;
  Dtype dtype_;
  bool fortran_order_;
  std::vector<std::size_t> shape_;
};

/// product(shape)·bytes, exactly.
Integer byte_size(const std::vector<std::size_t>& shape, std::size_t bytes);

/// The number that these bytes spell.
std::uint64_t unsigned_value(std::string_view bytes, bool big_endian);

}  // namespace qkcert
