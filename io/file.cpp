#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <optional>
#include <qkcert/core/errors.hpp>
#include <qkcert/io/file.hpp>
#include <system_error>

namespace qkcert {

namespace {

namespace fs = std::filesystem;

/// Throws for the system call that has just failed. `what`: `read`, `written` or `removed`.
[[noreturn]] void fail(const std::string& path, const char* what) {
  const int reason = errno;
  const std::string name = path != "-"      ? path
                           : what[0] == 'r' ? "standard input"
                                            : "standard output";
  throw FileError(name + ": cannot be " + what + ": " + std::generic_category().message(reason));
}

[[noreturn]] void fail(const std::string& path, const char* what, int reason) {
  errno = reason;
  fail(path, what);
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }

  bool open() const { return fd_ >= 0; }
  int get() const { return fd_; }

 private:
  int fd_;
};

std::string read_all(int fd, const std::string& path) {
  std::string bytes, block(std::size_t{1} << 16, '\0');
  for (;;) {
    const ssize_t count = ::read(fd, block.data(), block.size());
    if (count == 0) return bytes;
    if (bytes.size() > max_file_bytes) throw FileError(path + ": is longer than 2^33 bytes");
    if (count > 0)
      bytes.append(block, 0, static_cast<std::size_t>(count));
    else if (errno != EINTR)
      fail(path, "read");
  }
}

void write_all(int fd, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count >= 0)
      bytes.remove_prefix(static_cast<std::size_t>(count));
    else if (errno != EINTR)
      fail(path, "written");
  }
}

void sync(int fd, const std::string& path) {
  while (::fsync(fd) != 0) {
    if (errno == EINVAL) return;  // a file system without fsync for this kind of file
    if (errno != EINTR) fail(path, "written");
  }
}

/// The file that `path` stands for behind its symbolic links, whether it exists or not.
fs::path behind_links(const std::string& path) {
  constexpr int max_links = 40;  // as in Linux
  fs::path target = path;
  std::error_code ignored;  // what is wrong with the path is said when it is opened
  for (int links = 0; fs::is_symlink(fs::symlink_status(target, ignored)); ++links) {
    if (links == max_links) fail(path, "written", ELOOP);
    target = target.parent_path() / fs::read_symlink(target, ignored);
  }
  return target;
}

/// A new file beside a target, removed again unless it has taken the target's place.
class Replacement {
 public:
  explicit Replacement(const std::string& path)
      : path_(path), target_(behind_links(path)), mode_(writable_mode()), file_(create()) {}
  Replacement(const Replacement&) = delete;
  ~Replacement() {
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
  }

  void commit(std::string_view bytes) {
    if (mode_ && ::fchmod(file_.get(), *mode_) != 0) fail(path_, "written");
    write_all(file_.get(), bytes, path_);
    sync(file_.get(), path_);
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail(path_, "written");
    temporary_.clear();
    sync_directory();
  }

 private:
  /// The target's permissions when it exists. The directory alone would decide whether it can be
  /// replaced, so that it may be written is checked here.
  std::optional<mode_t> writable_mode() const {
    struct stat old;
    if (::stat(target_.c_str(), &old) != 0) return std::nullopt;
    if (::faccessat(AT_FDCWD, target_.c_str(), W_OK, AT_EACCESS) != 0) fail(path_, "written");
    return old.st_mode & 0777;
  }

  /// Its name does not grow with the target's, which may be as long as the file system takes.
  int create() {
    for (unsigned number = 0;; ++number) {
      temporary_ = target_.parent_path() /
                   (".qkcert-" + std::to_string(::getpid()) + "-" + std::to_string(number));
      const int fd =
          ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_.value_or(0666));
      if (fd >= 0) return fd;
      if (errno != EEXIST) fail(path_, "written");
    }
  }

  /// The rename is atomic either way; a directory that may be written but not read stays unsynced.
  void sync_directory() const {
    const fs::path directory = target_.has_parent_path() ? target_.parent_path() : ".";
    const Descriptor opened(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (opened.open()) return sync(opened.get(), path_);
    if (errno != EACCES) fail(path_, "written");
  }

  std::string path_;
  fs::path target_;
  std::optional<mode_t> mode_;
  fs::path temporary_;  // empty once renamed
  Descriptor file_;
};

/// The mode of what is at `path` when that is no regular file: a device, a pipe, a directory.
std::optional<mode_t> special_mode(const std::string& path) {
  struct stat status;
  if (::stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode)) return std::nullopt;
  return status.st_mode;
}

}  // namespace

std::string read_file(const std::string& path) {
  if (path == "-") return read_all(STDIN_FILENO, path);
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.open()) fail(path, "read");
  return read_all(file.get(), path);
}

void write_file(const std::string& path, std::string_view bytes) {
  if (path == "-") return write_all(STDOUT_FILENO, bytes, path);
  if (!special_mode(path)) return Replacement(path).commit(bytes);
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC));
  if (!file.open()) fail(path, "written");
  write_all(file.get(), bytes, path);
}

bool file_exists(const std::string& path) {
  struct stat status;
  if (::stat(path.c_str(), &status) == 0) return true;
  if (errno != ENOENT) fail(path, "read");
  return false;
}

bool is_regular_file(const std::string& path) {
  struct stat status;
  if (::stat(path.c_str(), &status) == 0) return S_ISREG(status.st_mode);
  if (errno != ENOENT) fail(path, "read");
  return false;
}

void remove_file(const std::string& path) {
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) fail(path, "removed");
}

void make_directory(const std::string& path) {
  if (::mkdir(path.c_str(), 0777) == 0) return;
  if (errno != EEXIST) fail(path, "written");
  struct stat status;
  if (::stat(path.c_str(), &status) != 0) fail(path, "written");
  if (!S_ISDIR(status.st_mode)) fail(path, "written", ENOTDIR);
}

bool same_file(const std::string& a, const std::string& b) {
  struct stat first, second;
  return a != "-" && b != "-" && ::stat(a.c_str(), &first) == 0 &&
         ::stat(b.c_str(), &second) == 0 && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino;
}

void require_writable(const std::string& path) {
  if (path == "-") return;
  const auto special = special_mode(path);
  if (!special) {
    const Replacement created_and_removed(path);
    return;
  }
  // Not opened: a pipe would wait for its reader.
  if (S_ISDIR(*special)) fail(path, "written", EISDIR);
  if (::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0) fail(path, "written");
}

}  // namespace qkcert
