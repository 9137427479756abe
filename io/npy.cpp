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

struct Header {
  Dtype dtype;
  bool fortran_order;
  std::vector<std::size_t> shape;
  std::size_t shape_at;  ///< the byte where the shape stands
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
    return {*dtype_, *fortran_order_, *shape_, shape_at_};
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

  std::vector<std::size_t> read_shape() {
    shape_at_ = in_.offset();
    std::vector<std::size_t> sizes;
    list("(", ")", [&] {
      const std::size_t size_at = in_.offset();
      const std::string_view text = in_.until(" ,)");
      const auto size = parse_uint64(text);
      if (!size) in_.fail_at(size_at, "a size from 0 to 2^64 - 1", quoted(text));
      sizes.push_back(*size);
    });
    return sizes;
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
  std::optional<std::vector<std::size_t>> shape_;
  std::size_t shape_at_ = 0;
};

/// The bytes of the header's length, 2 in version 1.0 and 4 from 2.0 on.
std::size_t read_version(Reader& in) {
  if (in.accept({"\1\0", 2})) return 2;
  if (in.accept({"\2\0", 2}) || in.accept({"\3\0", 2})) return 4;
  in.fail("format version 1.0, 2.0 or 3.0");
}

/// The array, of any number of dimensions unless two are asked for.
Array parse(std::string_view bytes, const std::string& source, bool two_dimensions) {
  Reader in(bytes, source, Reader::Position::byte);
  in.expect("\x93NUMPY");
  const std::size_t length_bytes = read_version(in);
  const std::uint64_t length = unsigned_value(in.take(length_bytes, "header length"), false);
  const std::size_t begin = in.offset();
  in.take(length, "header");
  Reader dictionary(in.consumed(), source, Reader::Position::byte);
  dictionary.take(begin, "preamble");
  const Header header = HeaderReader(dictionary).read();
  if (two_dimensions && header.shape.size() != 2)
    in.fail_at(header.shape_at, "a shape of two dimensions", std::to_string(header.shape.size()));
  const Integer size = byte_size(header.shape, header.dtype.bytes);
  if (size != in.remaining())
    in.fail_at(in.offset(), to_decimal(size) + " bytes of data", std::to_string(in.remaining()));
  return {in, bytes.substr(in.offset()), header.dtype, header.fortran_order, header.shape};
}

}  // namespace

Array parse_npy_array(std::string_view bytes, const std::string& source) {
  return parse(bytes, source, false);
}

Embedding parse_npy(std::string_view bytes, const std::string& source) {
  const Array array = parse(bytes, source, true);
  return dyadic_embedding(array.shape()[0], array.shape()[1], array);
}

}  // namespace qkcert
