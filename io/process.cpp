#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <qkcert/core/errors.hpp>
#include <qkcert/io/process.hpp>
#include <system_error>

namespace qkcert {

namespace {

[[noreturn]] void fail(const std::string& program, int reason) {
  throw FileError(program + ": cannot be run: " + std::generic_category().message(reason));
}

/// A nameless file in memory. Files, unlike pipes, cannot leave both ends waiting for each other.
class MemoryFile {
 public:
  explicit MemoryFile(const std::string& program)
      : program_(program), fd_(::memfd_create("qkcert", MFD_CLOEXEC)) {
    if (fd_ < 0) fail(program, errno);
  }
  MemoryFile(const MemoryFile&) = delete;
  ~MemoryFile() { ::close(fd_); }

  int get() const { return fd_; }

  /// Writes all bytes and goes back to the beginning.
  void fill(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = ::write(fd_, bytes.data(), bytes.size());
      if (count >= 0)
        bytes.remove_prefix(static_cast<std::size_t>(count));
      else if (errno != EINTR)
        fail(program_, errno);
    }
    if (::lseek(fd_, 0, SEEK_SET) != 0) fail(program_, errno);
  }

  std::string content() const {
    std::string bytes, block(std::size_t{1} << 16, '\0');
    for (;;) {
      const ssize_t count =
          ::pread(fd_, block.data(), block.size(), static_cast<off_t>(bytes.size()));
      if (count == 0) return bytes;
      if (count > 0)
        bytes.append(block, 0, static_cast<std::size_t>(count));
      else if (errno != EINTR)
        fail(program_, errno);
    }
  }

 private:
  std::string program_;
  int fd_;
};

/// What posix_spawn is to do in the child: the three standard streams, and SIGPIPE and SIGXFSZ,
/// which the command ignores, as a new program expects them.
class Setup {
 public:
  Setup(const std::string& program, const MemoryFile& in, const MemoryFile& out,
        const MemoryFile& err) {
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    sigaddset(&defaults, SIGXFSZ);
    int error = posix_spawn_file_actions_init(&actions);
    if (error == 0) error = posix_spawnattr_init(&attributes);
    if (error == 0) error = posix_spawnattr_setsigdefault(&attributes, &defaults);
    if (error == 0) error = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    const int streams[] = {in.get(), out.get(), err.get()};
    for (int stream = 0; stream < 3 && error == 0; ++stream)
      error = posix_spawn_file_actions_adddup2(&actions, streams[stream], stream);
    if (error != 0) fail(program, error);
  }
  Setup(const Setup&) = delete;
  ~Setup() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
};

/// `: ` and the last line that says something, at most 200 bytes of it; nothing without one.
std::string last_line(const std::string& text) {
  const auto end = text.find_last_not_of(" \t\r\n");
  if (end == text.npos) return {};
  const auto newline = text.find_last_of('\n', end);
  const auto begin = text.find_first_not_of(" \t\r", newline == text.npos ? 0 : newline + 1);
  return ": " + text.substr(begin, std::min<std::size_t>(end + 1 - begin, 200));
}

}  // namespace

std::string run_filter(const std::string& program, const std::vector<std::string>& arguments,
                       std::string_view input) {
  MemoryFile in(program), out(program), err(program);
  in.fill(input);
  const Setup setup(program, in, out, err);
  std::vector<std::string> words{program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  pid_t child;
  if (const int error = ::posix_spawnp(&child, program.c_str(), &setup.actions, &setup.attributes,
                                       pointers.data(), environ))
    fail(program, error);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) fail(program, errno);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return out.content();
  throw FileError(program + ": failed" + last_line(err.content()));
}

}  // namespace qkcert
