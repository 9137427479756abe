#pragma once
/// Safetensors files: a JSON header, then the tensors' bytes.
///
/// Source  the format's description, https://github.com/huggingface/safetensors#format.

#include <map>
#include <qkcert/io/array.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace qkcert {

/// The tensors of a file, by name. `bytes` must outlive it.
///
/// Errors   FormatError that names the byte or the tensor: a header longer than the file or than
///          100 MB; not a JSON object of tensors with dtype, shape and data_offsets and nothing else,
///          beside `__metadata__` of strings; a key that comes twice; begin > end, offsets behind the
///          end, tensors that overlap or leave bytes between them or at the end; a shape that does
///          not fit the bytes of its dtype.
class Safetensors {
 public:
  Safetensors(std::string_view bytes, std::string source);

  std::vector<std::string> names() const;
  bool contains(const std::string& name) const { return tensors_.contains(name); }

  /// Require  contains(name).
  /// Errors   FormatError unless its dtype is one of BOOL I8 I16 I32 I64 U8 U16 U32 U64 F16 BF16 F32
  ///          F64; NaN and infinity are refused when they are asked for.
  Array array(const std::string& name) const;

 private:
  struct Tensor {
    std::string dtype;
    std::vector<std::size_t> shape;
    std::size_t begin, end;  ///< from the first byte behind the header
  };

  [[noreturn]] void fail(const std::string& name, const std::string& expected,
                         const std::string& found) const;
  void check(const std::string& name, const Tensor& tensor, std::size_t data) const;
  void check_cover(std::size_t data) const;

  std::string_view bytes_;
  std::string source_;
  std::size_t data_begin_ = 0;
  std::map<std::string, Tensor> tensors_;
};

}  // namespace qkcert
