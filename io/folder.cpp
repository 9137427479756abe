#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <qkcert/core/errors.hpp>
#include <qkcert/io/folder.hpp>
#include <system_error>

namespace qkcert {

namespace {

[[noreturn]] void fail(const std::string& path, const std::string& what, int reason) {
  throw FileError(path + ": cannot be " + what + ": " + std::generic_category().message(reason));
}

}  // namespace

std::vector<std::string> list_folder(const std::string& path) {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(path, error), end; !error && entry != end;
       entry.increment(error))
    names.push_back(entry->path().filename().string());
  if (error) fail(path, "listed", error.value());
  std::sort(names.begin(), names.end());
  return names;
}

FolderLock::FolderLock(const std::string& path) {
  if (::mkdir(path.c_str(), 0777) != 0 && errno != EEXIST) fail(path, "created", errno);
  fd_ = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd_ < 0) fail(path, "opened", errno);
  if (::flock(fd_, LOCK_EX | LOCK_NB) == 0) return;
  const int reason = errno;
  ::close(fd_);
  if (reason == EWOULDBLOCK) throw FileError(path + ": another process is changing this folder");
  fail(path, "locked", reason);
}

FolderLock::~FolderLock() { ::close(fd_); }

}  // namespace qkcert
