#include <algorithm>
#include <array>
#include <optional>
#include <qkcert/core/decimal.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/reader.hpp>
#include <qkcert/io/npy.hpp>
#include <utility>
#include <vector>

namespace qkcert {

namespace {

struct Dtype {
  char kind;  // b, i, u or f
  std::size_t bytes;
  bool big_endian;
};

struct Shape {
  std::size_t rows;
  std::size_t cols;
};

struct Header {
  Dtype dtype;
  bool fortran_order;
  Shape shape;
};

constexpr std::array<std::string_view, 12> dtypes = {"b1", "i1", "i2", "i4", "i8", "u1",
                                                     "u2", "u4", "u8", "f2", "f4", "f8"};

/// The dictionary, a Python literal: {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }
class HeaderReader {
 public:
  /// `in` stands at the dictionary and ends where the header ends.
  explicit HeaderReader(const Reader& in) : in_(in) {}

  Header read() {
    const std::size_t begin = in_.offset();
    list("{", "}", [this] { read_item(); });
    spaces();
    in_.accept("\n");
    if (!in_.at_end()) in_.fail("nothing but padding behind the dictionary");
    for (const auto& [known, key] : {std::pair(dtype_.has_value(), "'descr'"),
                                     std::pair(fortran_order_.has_value(), "'fortran_order'"),
                                     std::pair(shape_.has_value(), "'shape'")})
      if (!known) in_.fail_at(begin, "the key " + std::string(key), "none");
    return {*dtype_, *fortran_order_, *shape_};
  }

 private:
  void read_item() {
    if (accept_key("'descr'", dtype_.has_value()))
      dtype_ = read_dtype();
    else if (accept_key("'fortran_order'", fortran_order_.has_value()))
      fortran_order_ = read_boolean();
    else if (accept_key("'shape'", shape_.has_value()))
      shape_ = read_shape();
    else
      in_.fail("the key 'descr', 'fortran_order' or 'shape'");
  }

  bool accept_key(std::string_view key, bool known) {
    const std::size_t at = in_.offset();
    if (!in_.accept(key)) return false;
    if (known) in_.fail_at(at, "every key once", std::string(key) + " again");
    token(":");
    return true;
  }

  Dtype read_dtype() {
    constexpr auto expected = "a dtype '<…' or '>…' of b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8";
    const std::size_t at = in_.offset();
    if (!in_.accept("'")) in_.fail(expected);
    const std::string_view name = in_.until("'");
    if (name.size() == 3 &&
        std::find(dtypes.begin(), dtypes.end(), name.substr(1)) != dtypes.end()) {
      const auto bytes = static_cast<std::size_t>(name[2] - '0');
      if (name[0] == '<' || name[0] == '>' || (name[0] == '|' && bytes == 1)) {
        in_.expect("'");
        return {name[1], bytes, name[0] == '>'};
      }
    }
    in_.fail_at(at, expected, quoted(name));
  }

  bool read_boolean() {
    if (in_.accept("True")) return true;
    if (in_.accept("False")) return false;
    in_.fail("True or False");
  }

  Shape read_shape() {
    const std::size_t at = in_.offset();
    std::vector<std::size_t> sizes;
    list("(", ")", [&] {
      const std::size_t size_at = in_.offset();
      const std::string_view text = in_.until(" ,)");
      const auto size = parse_uint64(text);
      if (!size) in_.fail_at(size_at, "a size from 0 to 2^64 - 1", quoted(text));
      sizes.push_back(*size);
    });
    if (sizes.size() != 2)
      in_.fail_at(at, "a shape of two dimensions", std::to_string(sizes.size()));
    return {sizes[0], sizes[1]};
  }

  /// Items between `open` and `close`, a comma between two and perhaps one behind the last.
  template <class Item>
  void list(std::string_view open, std::string_view close, Item item) {
    token(open);
    while (!in_.accept(close)) {
      item();
      spaces();
      if (in_.accept(close)) return;
      token(",");
    }
  }

  void token(std::string_view text) {
    spaces();
    in_.expect(text);
    spaces();
  }

  void spaces() {
    while (in_.accept(" "))
      ;
  }

  Reader in_;
  std::optional<Dtype> dtype_;
  std::optional<bool> fortran_order_;
  std::optional<Shape> shape_;
};

std::uint64_t unsigned_value(std::string_view bytes, bool big_endian) {
  std::uint64_t value = 0;
  for (std::size_t k = 0; k < bytes.size(); ++k)
    value = value << 8 | static_cast<unsigned char>(bytes[big_endian ? k : bytes.size() - 1 - k]);
  return value;
}

/// The array's numbers by their bits, in row-major order.
class Entries {
 public:
  /// `in` stands at the data and has all of it.
  Entries(const Reader& in, std::string_view data, const Header& header)
      : in_(in), data_(data), header_(header) {}

  Dyadic operator()(std::size_t i) const {
    const auto& [dtype, fortran_order, shape] = header_;
    const Place place{i / shape.cols, i % shape.cols,
                      fortran_order ? i % shape.cols * shape.rows + i / shape.cols : i};
    const std::uint64_t bits =
        unsigned_value(data_.substr(place.index * dtype.bytes, dtype.bytes), dtype.big_endian);
    switch (dtype.kind) {
      case 'b':
        if (bits > 1) fail(place, "a bool, 0 or 1", std::to_string(bits));
        return {false, bits, 0};
      case 'u':
        return {false, bits, 0};
      case 'i':
        return signed_value(bits);
      default:
        return float_value(bits, place);
    }
  }

 private:
  struct Place {
    std::size_t row;
    std::size_t col;
    std::size_t index;
  };

  /// The bits of a number but its sign.
  int width() const { return static_cast<int>(8 * header_.dtype.bytes) - 1; }

  /// Two's complement.
  Dyadic signed_value(std::uint64_t bits) const {
    if (bits >> width() == 0) return {false, bits, 0};
    const std::uint64_t ones = ~std::uint64_t{0} >> (63 - width());
    return {true, (ones - bits) + 1, 0};
  }

  /// IEEE 754 with p-bit fractions f and exponents e < E = 2^k - 1 of bias (E-1)/2:
  /// (2^p + f)·2^(e-bias-p), or f·2^(1-bias-p) when e = 0.
  Dyadic float_value(std::uint64_t bits, const Place& place) const {
    const int p = width() == 15 ? 10 : width() == 31 ? 23 : 52;
    const int top = (1 << (width() - p)) - 1;
    const bool negative = bits >> width() != 0;
    const std::uint64_t fraction = bits & ((std::uint64_t{1} << p) - 1);
    const int exponent = static_cast<int>(bits >> p) & top;
    if (exponent == top)
      fail(place, "a finite number", fraction != 0 ? "nan" : negative ? "-inf" : "inf");
    const int least = 1 - (top - 1) / 2 - p;
    if (exponent == 0) return {negative, fraction, least};
    return {negative, fraction | std::uint64_t{1} << p, least + exponent - 1};
  }

  [[noreturn]] void fail(const Place& place, std::string_view expected,
                         const std::string& found) const {
    in_.fail_at(
        in_.offset() + place.index * header_.dtype.bytes, expected,
        found + " at row " + std::to_string(place.row) + ", column " + std::to_string(place.col));
  }

  Reader in_;
  std::string_view data_;
  Header header_;
};

/// The bytes of the header's length, 2 in version 1.0 and 4 from 2.0 on.
std::size_t read_version(Reader& in) {
  if (in.accept({"\1\0", 2})) return 2;
  if (in.accept({"\2\0", 2}) || in.accept({"\3\0", 2})) return 4;
  in.fail("format version 1.0, 2.0 or 3.0");
}

}  // namespace

Embedding parse_npy(std::string_view bytes, const std::string& source) {
  Reader in(bytes, source, Reader::Position::byte);
  in.expect("\x93NUMPY");
  const std::size_t length_bytes = read_version(in);
  const std::uint64_t length = unsigned_value(in.take(length_bytes, "header length"), false);
  const std::size_t begin = in.offset();
  in.take(length, "header");
  Reader dictionary(in.consumed(), source, Reader::Position::byte);
  dictionary.take(begin, "preamble");
  const Header header = HeaderReader(dictionary).read();
  const auto& [rows, cols] = header.shape;
  const Integer size = Integer(rows) * cols * header.dtype.bytes;
  if (size != in.remaining())
    in.fail_at(in.offset(), to_decimal(size) + " bytes of data", std::to_string(in.remaining()));
  return dyadic_embedding(rows, cols, Entries(in, bytes.substr(in.offset()), header));
}

}  // namespace qkcert
