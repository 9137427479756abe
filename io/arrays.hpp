#pragma once
/// Files of named arrays: .npz and .safetensors.

#include <map>
#include <memory>
#include <qkcert/io/array.hpp>
#include <string>
#include <vector>

namespace qkcert {

class Npz;
class Safetensors;

/// A file of named arrays. It is a .npz when it begins with `PK`, else a safetensors file.
class NamedArrays {
 public:
  /// Errors: FormatError.
  NamedArrays(std::string bytes, std::string source);
  ~NamedArrays();
  NamedArrays(const NamedArrays&) = delete;

  std::vector<std::string> names() const;

  /// The array of that name; it lives as long as this.
  /// Errors: UsageError that lists the names when there is none; FormatError.
  Array array(const std::string& name);

 private:
  std::string bytes_, source_;
  std::unique_ptr<Npz> npz_;
  std::unique_ptr<Safetensors> tensors_;
  std::map<std::string, std::string> members_;  ///< of a .npz, those that were asked for
};

}  // namespace qkcert
