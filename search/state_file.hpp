#pragma once
/// Files from which long work continues after it was interrupted.
///
///   qkcert-state 1
///   key <64 hexadecimal digits>     what the state belongs to: request_key() or another hash
///   payload <bytes>
///   <payload>
///   sha256 <64 hexadecimal digits>  of all bytes before this line

#include <chrono>
#include <functional>
#include <qkcert/constructions/method.hpp>
#include <string>
#include <string_view>

namespace qkcert {

/// The hash of everything that a method's states depend on: the version of the program, graph,
/// embedding, method and parameters; not threads, deadline, stop flag and callbacks.
std::string request_key(std::string_view method, const Request& request);

/// The bytes of a state file. Require: key is 64 hexadecimal digits.
std::string write_state(std::string_view key, std::string_view payload);

/// The payload of a state file.
///
/// Errors  FormatError `source: …` when the bytes are damaged; UsageError when the key is another.
std::string read_state(std::string_view bytes, std::string_view key, const std::string& source);

/// One state file on disk, written at most every few seconds.
class StateFile {
 public:
  /// Errors: FileError when the path cannot be written.
  StateFile(std::string path, std::string key);

  /// The payload to continue from, empty when there is no file.
  /// Errors: FileError; those of read_state().
  std::string load() const;
  /// Writes payload(), or holds it back for flush() when the last write was `interval` ago or less.
  /// Errors: FileError.
  void save(std::function<std::string()> payload);
  /// Writes what save() holds back. Errors: FileError.
  void flush();
  /// Removes the file: the work is done. Errors: FileError.
  void remove();

 private:
  static constexpr std::chrono::seconds interval{5};

  std::string path_, key_;
  std::function<std::string()> held_;
  std::chrono::steady_clock::time_point written_ = std::chrono::steady_clock::now();
};

}  // namespace qkcert
