#pragma once
/// What a search has learned, in a file from which it goes on after it was interrupted.

#include <map>
#include <mutex>
#include <qkcert/search/batch.hpp>
#include <qkcert/search/state_file.hpp>
#include <string>

namespace qkcert {

/// Answers that were given, states of those still being worked out, and the channels of the least
/// D_K that verified, kept in a StateFile. For use from several threads.
class Journal {
 public:
  /// Reads the file, if it is there. `key` is the hash of everything the answers depend on but the
  /// questions themselves. Errors: FileError; those of read_state(); FormatError.
  Journal(const std::string& path, std::string key);

  /// ask(), or the answer that is known. An answer given when the time was up is not kept, but the
  /// state that it left is, and the same question goes on from there. Claims of more than the least
  /// D_K are not kept either: such a verified answer comes without its claim.
  Answer ask(const Method& method, const Request& request);

  /// Writes what is not yet on disk. Errors: FileError.
  void flush();
  /// Removes the file: the search is done. Errors: FileError.
  void remove();

 private:
  std::string payload() const;
  void parse(const std::string& payload, const std::string& path);
  void drop_larger_claims();

  std::mutex mutex_;  // guards what follows
  StateFile file_;
  std::map<std::string, Answer> answers_;
  std::map<std::string, std::string> states_;
};

/// The hash of graph, embedding, weight limit and the version of the program.
std::string journal_key(const Graph& graph, const Matrix& embedding, const Integer& weight_max);

}  // namespace qkcert
