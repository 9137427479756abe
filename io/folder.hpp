#pragma once
/// Folders: listed, and locked so that one process at a time changes what is in them.

#include <string>
#include <vector>

namespace qkcert {

/// The names in the folder at `path`, sorted. Errors: FileError.
std::vector<std::string> list_folder(const std::string& path);

/// Holds a folder for this process, until it is destroyed or the process ends in any way.
class FolderLock {
 public:
  /// Creates the folder if it is missing (not its parents).
  /// Errors: FileError that names the path, also when another process holds it.
  explicit FolderLock(const std::string& path);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int fd_;
};

}  // namespace qkcert
