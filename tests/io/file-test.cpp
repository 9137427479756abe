#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <functional>
#include <qkcert/core/errors.hpp>
#include <qkcert/io/file.hpp>
#include <set>
#include <thread>

#include "support.hpp"

namespace {

/// Called before each fsync of this program; what it returns other than 0 is the fsync's errno.
std::function<int(int fd)> before_fsync;
std::function<void(int fd)> before_fchmod;

}  // namespace

// These take the C library's place in the test program, so that tests see and disturb the calls.

extern "C" int fsync(int fd) {
  if (const int error = before_fsync ? before_fsync(fd) : 0) {
    errno = error;
    return -1;
  }
  return static_cast<int>(syscall(SYS_fsync, fd));
}

extern "C" int fchmod(int fd, mode_t mode) noexcept {
  if (before_fchmod) before_fchmod(fd);
  return static_cast<int>(syscall(SYS_fchmod, fd, mode));
}

namespace qkcert::test {
namespace {

namespace fs = std::filesystem;

/// A fresh directory, removed with all that is in it.
class Directory {
 public:
  Directory() : path_((fs::temp_directory_path() / "qkcert-file-test-XXXXXX").string()) {
    REQUIRE(::mkdtemp(path_.data()) != nullptr);
  }
  ~Directory() { fs::remove_all(path_); }

  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }
  std::set<std::string> names() const {
    std::set<std::string> all;
    for (const auto& entry : fs::directory_iterator(path_)) all.insert(entry.path().filename());
    return all;
  }

 private:
  std::string path_;
};

using Set = std::set<std::string>;

/// The content by another way than read_file.
std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void put(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

mode_t mode(const std::string& path) {
  struct stat status;
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return status.st_mode & 07777;
}

/// Runs `body` in a child process; the wait status of the child, whose exit status is body's value.
int in_child(const std::function<int()>& body) {
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    int status = 99;
    try {
      status = body();
    } catch (...) {
    }
    ::_exit(status);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return status;
}

/// Root may do everything: this makes a child process an ordinary user's.
bool without_privileges() { return ::geteuid() != 0 || ::seteuid(65534) == 0; }

/// The message of the FileError that `body` throws, or nothing.
std::string file_error(const std::function<void()>& body) {
  try {
    body();
  } catch (const FileError& error) {
    return error.what();
  }
  return "";
}

/// 0 when `body` throws exactly the FileError `message`: an exit status for in_child.
int expect_error(const std::string& message, const std::function<void()>& body) {
  return file_error(body) == message ? 0 : 1;
}

/// All byte values, zero and line ends among them.
std::string some_bytes(std::size_t size) {
  std::string bytes(size, '\0');
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * i + i / 251);
  return bytes;
}

TEST_CASE("what is written is read back", "[file]") {
  const Directory directory;
  for (const std::size_t size : {0, 1, 65535, 65536, 65537, 3000000}) {
    const std::string bytes = some_bytes(size);
    write_file(directory / "x", bytes);
    CHECK(content(directory / "x") == bytes);
    CHECK(read_file(directory / "x") == bytes);
  }
  CHECK(directory.names() == Set{"x"});
}

TEST_CASE("files that cannot be read are errors with the system's reason", "[file]") {
  const Directory directory;
  CHECK(file_error([&] { read_file(directory.path()); }) ==
        directory.path() + ": cannot be read: Is a directory");
  CHECK(file_error([&] { read_file(directory / "none"); }) ==
        directory / "none" + ": cannot be read: No such file or directory");
  put(directory / "x", "");
  CHECK(file_error([&] { read_file(directory / "x/y"); }) ==
        directory / "x/y" + ": cannot be read: Not a directory");
  CHECK(file_error([] { read_file(""); }) == ": cannot be read: No such file or directory");
}

TEST_CASE("pipes are read to their end", "[file]") {
  const Directory directory;
  const std::string bytes = some_bytes(300000), pipe = directory / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  std::thread writer([&] { put(pipe, bytes); });
  const std::string read = read_file(pipe);
  writer.join();
  CHECK(read == bytes);
}

TEST_CASE("the path - is standard input and standard output", "[file]") {
  const Directory directory;
  const std::string bytes = some_bytes(100000);
  put(directory / "in", bytes);
  const auto redirect = [](const std::string& path, int flags, int fd) {
    ::dup2(::open(path.c_str(), flags, 0600), fd);
  };
  CHECK(in_child([&] {
          redirect(directory / "in", O_RDONLY, 0);
          redirect(directory / "out", O_WRONLY | O_CREAT, 1);
          require_writable("-");
          write_file("-", read_file("-"));
          return 0;
        }) == 0);
  CHECK(content(directory / "out") == bytes);
  CHECK(in_child([&] {
          redirect(directory.path(), O_RDONLY, 0);
          return expect_error("standard input: cannot be read: Is a directory",
                              [] { read_file("-"); });
        }) == 0);
  CHECK(in_child([&] {
          redirect("/dev/full", O_WRONLY, 1);
          return expect_error("standard output: cannot be written: No space left on device",
                              [&] { write_file("-", bytes); });
        }) == 0);
  CHECK(in_child([&] {
          int ends[2];
          if (::pipe(ends) != 0) return 2;
          ::close(ends[0]);
          ::dup2(ends[1], 1);
          ::signal(SIGPIPE, SIG_IGN);
          return expect_error("standard output: cannot be written: Broken pipe",
                              [&] { write_file("-", bytes); });
        }) == 0);
}

TEST_CASE("a new file has the umask's mode, an old one keeps its own", "[file]") {
  const Directory directory;
  const mode_t old = ::umask(027);
  write_file(directory / "new", "1");
  put(directory / "private", "0");
  put(directory / "shared", "0");
  ::chmod((directory / "private").c_str(), 0600);
  ::chmod((directory / "shared").c_str(), 0766);
  write_file(directory / "private", "1");
  write_file(directory / "shared", "1");
  ::umask(0);
  write_file(directory / "open", "1");
  ::umask(old);
  CHECK(mode(directory / "new") == 0640);
  CHECK(mode(directory / "private") == 0600);
  CHECK(mode(directory / "shared") == 0766);
  CHECK(mode(directory / "open") == 0666);
}

TEST_CASE("the file that replaces a private one is never open to others", "[file]") {
  const Directory directory;
  put(directory / "x", "0");
  ::chmod((directory / "x").c_str(), 0600);
  const mode_t old = ::umask(0);
  mode_t meanwhile = 0;
  before_fchmod = [&](int fd) {
    struct stat status;
    if (::fstat(fd, &status) == 0) meanwhile = status.st_mode & 0777;
  };
  write_file(directory / "x", "1");
  before_fchmod = nullptr;
  ::umask(old);
  CHECK(meanwhile == 0600);
}

TEST_CASE("a relative path without a directory is one in the working directory", "[file]") {
  const Directory directory;
  CHECK(in_child([&] {
          if (::chdir(directory.path().c_str()) != 0) return 2;
          require_writable("x");
          write_file("x", "1");
          write_file("./y", "2");
          return read_file("x") + read_file("y") == "12" ? 0 : 1;
        }) == 0);
  CHECK(directory.names() == Set{"x", "y"});
}

TEST_CASE("symbolic links are followed and stay", "[file]") {
  const Directory directory;
  fs::create_directory(directory / "sub");
  put(directory / "sub/file", "0");
  fs::create_symlink("sub/file", directory / "relative");
  fs::create_symlink(directory / "relative", directory / "absolute");
  fs::create_symlink("sub/new", directory / "dangling");
  fs::create_symlink("loop", directory / "loop");
  fs::create_symlink("sub", directory / "folder");
  write_file(directory / "absolute", "1");
  CHECK(content(directory / "sub/file") == "1");
  require_writable(directory / "dangling");
  write_file(directory / "dangling", "2");
  CHECK(content(directory / "sub/new") == "2");
  write_file(directory / "folder/file", "3");
  CHECK(content(directory / "sub/file") == "3");
  for (const char* link : {"relative", "absolute", "dangling", "folder"})
    CHECK(fs::is_symlink(directory / link));
  CHECK(file_error([&] { write_file(directory / "loop", "4"); }) ==
        directory / "loop" + ": cannot be written: Too many levels of symbolic links");
  CHECK(directory.names() == Set{"relative", "absolute", "dangling", "loop", "folder", "sub"});
  CHECK(std::distance(fs::directory_iterator(directory / "sub"), {}) == 2);
}

TEST_CASE("regular files are told from folders, pipes and devices", "[file]") {
  const Directory directory;
  put(directory / "file", "");
  fs::create_symlink("file", directory / "link");
  fs::create_symlink("none", directory / "dangling");
  REQUIRE(::mkfifo((directory / "pipe").c_str(), 0600) == 0);
  CHECK(is_regular_file(directory / "file"));
  CHECK(is_regular_file(directory / "link"));
  for (const char* other : {"dangling", "none", "pipe"})
    CHECK_FALSE(is_regular_file(directory / other));
  CHECK_FALSE(is_regular_file(directory.path()));
  CHECK_FALSE(is_regular_file("/dev/null"));
  CHECK_THROWS_AS(is_regular_file(directory / "file/x"), FileError);
}

TEST_CASE("a name as long as the file system takes is written", "[file]") {
  const Directory directory;
  const std::string name(255, 'n');
  write_file(directory / name, "1");
  CHECK(content(directory / name) == "1");
  CHECK(file_error([&] { write_file(directory / (name + "n"), "1"); }) ==
        directory / (name + "n") + ": cannot be written: File name too long");
  CHECK(directory.names() == Set{name});
}

TEST_CASE("a path that cannot be written is an error, early and late", "[file]") {
  const Directory directory;
  put(directory / "x", "0");
  fs::create_directory(directory / "sub");
  const auto both = [](const std::string& path, const std::string& reason) {
    CHECK(file_error([&] { require_writable(path); }) == path + ": cannot be written: " + reason);
    CHECK(file_error([&] { write_file(path, "1"); }) == path + ": cannot be written: " + reason);
  };
  both(directory / "sub", "Is a directory");
  both(directory / "sub/", "Is a directory");
  both(directory / "none/x", "No such file or directory");
  both(directory / "none/", "No such file or directory");
  both(directory / "x/y", "Not a directory");
  CHECK(file_error([] { write_file("", "1"); }) ==
        ": cannot be written: No such file or directory");
  CHECK(content(directory / "x") == "0");
  CHECK(directory.names() == Set{"x", "sub"});
}

TEST_CASE("require_writable changes nothing", "[file]") {
  const Directory directory;
  put(directory / "x", "0");
  struct stat before, after;
  REQUIRE(::stat((directory / "x").c_str(), &before) == 0);
  require_writable(directory / "x");
  require_writable(directory / "new");
  REQUIRE(::stat((directory / "x").c_str(), &after) == 0);
  CHECK(before.st_ino == after.st_ino);
  CHECK(content(directory / "x") == "0");
  CHECK(directory.names() == Set{"x"});
}

TEST_CASE("without permission nothing is written", "[file]") {
  const Directory directory;
  fs::create_directory(directory / "closed");
  put(directory / "closed/x", "0");
  put(directory / "read-only", "0");
  ::chmod((directory / "read-only").c_str(), 0444);
  ::chmod((directory / "closed").c_str(), 0555);
  ::chmod(directory.path().c_str(), 0777);
  const auto refused = [&](const std::string& name) {
    const std::string message = directory / name + ": cannot be written: Permission denied";
    return expect_error(message, [&] { require_writable(directory / name); }) +
           expect_error(message, [&] { write_file(directory / name, "1"); });
  };
  CHECK(in_child([&] {
          if (!without_privileges() || ::chdir((directory / "closed").c_str()) != 0) return 2;
          require_writable("-");
          return refused("closed/x") + refused("closed/new") + refused("read-only");
        }) == 0);
  ::chmod((directory / "closed").c_str(), 0755);
  CHECK(content(directory / "closed/x") == "0");
  CHECK(content(directory / "read-only") == "0");
  CHECK(directory.names() == Set{"closed", "read-only"});
  CHECK(std::distance(fs::directory_iterator(directory / "closed"), {}) == 1);
}

TEST_CASE("a directory that may be written but not listed is written to", "[file]") {
  const Directory directory;
  CHECK(in_child([&] {
          ::chmod(directory.path().c_str(), 0333);
          if (!without_privileges()) return 2;
          write_file(directory / "x", "1");
          return read_file(directory / "x") == "1" ? 0 : 1;
        }) == 0);
  ::chmod(directory.path().c_str(), 0755);
}

TEST_CASE("devices are written in place", "[file]") {
  // Not as root, who could replace the device if this went wrong.
  CHECK(in_child([] {
          if (!without_privileges()) return 2;
          require_writable("/dev/null");
          write_file("/dev/null", "1");
          return expect_error("/dev/full: cannot be written: No space left on device",
                              [] { write_file("/dev/full", "1"); });
        }) == 0);
}

TEST_CASE("pipes are written in place", "[file]") {
  const Directory directory;
  const std::string bytes = some_bytes(300000), pipe = directory / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  require_writable(pipe);
  std::string read;
  std::thread reader([&] { read = content(pipe); });
  write_file(pipe, bytes);
  reader.join();
  CHECK(read == bytes);
  CHECK(fs::is_fifo(pipe));
  CHECK(directory.names() == Set{"pipe"});
}

TEST_CASE("a full disk leaves the old file and nothing else", "[file]") {
  const Directory directory;
  put(directory / "x", "old");
  for (const std::string name : {"x", "new"})
    CHECK(in_child([&] {
            const rlimit limit{100000, 100000};
            if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return 2;
            ::signal(SIGXFSZ, SIG_IGN);
            return expect_error(directory / name + ": cannot be written: File too large",
                                [&] { write_file(directory / name, some_bytes(300000)); });
          }) == 0);
  CHECK(content(directory / "x") == "old");
  CHECK(directory.names() == Set{"x"});
}

TEST_CASE("the file is synced before it is renamed, then the directory", "[file]") {
  const Directory directory;
  put(directory / "x", "old");
  std::vector<std::string> seen;
  before_fsync = [&](int fd) {
    struct stat status;
    ::fstat(fd, &status);
    const std::string what = S_ISDIR(status.st_mode) ? "directory" : std::to_string(status.st_size);
    seen.push_back(what + " " + content(directory / "x"));
    return 0;
  };
  write_file(directory / "x", "brand new");
  before_fsync = nullptr;
  CHECK(seen == std::vector<std::string>{"9 old", "directory brand new"});
}

TEST_CASE("a failed sync leaves the old file and nothing else", "[file]") {
  const Directory directory;
  put(directory / "x", "old");
  before_fsync = [](int) { return EIO; };
  const std::string message = file_error([&] { write_file(directory / "x", "new"); });
  before_fsync = nullptr;
  CHECK(message == directory / "x" + ": cannot be written: Input/output error");
  CHECK(content(directory / "x") == "old");
  CHECK(directory.names() == Set{"x"});
}

TEST_CASE("several files are replaced together, or none", "[file]") {
  const Directory directory;
  const std::string a = directory / "a", b = directory / "b", c = directory / "c";
  write_files(std::vector<FileBytes>{{a, "1"}, {b, "2"}});
  CHECK((read_file(a) == "1" && read_file(b) == "2"));
  fs::create_directory(c);
  CHECK_THROWS_AS(write_files(std::vector<FileBytes>{{a, "3"}, {c, "4"}, {b, "5"}}), FileError);
  CHECK((read_file(a) == "1" && read_file(b) == "2"));
  int syncs = 0;
  before_fsync = [&](int) { return ++syncs == 2 ? EIO : 0; };
  CHECK_THROWS_AS(write_files(std::vector<FileBytes>{{a, "6"}, {b, "7"}}), FileError);
  before_fsync = nullptr;
  CHECK((read_file(a) == "1" && read_file(b) == "2"));
  CHECK(directory.names() == std::set<std::string>{"a", "b", "c"});
  CHECK_NOTHROW(write_files({}));
}

TEST_CASE("interrupted and unsupported syncs are no errors", "[file]") {
  const Directory directory;
  int interruptions = 2;
  before_fsync = [&](int) { return interruptions-- > 0 ? EINTR : 0; };
  write_file(directory / "x", "1");
  CHECK(interruptions < 0);
  before_fsync = [](int) { return EINVAL; };
  write_file(directory / "x", "2");
  before_fsync = nullptr;
  CHECK(content(directory / "x") == "2");
}

TEST_CASE("kill -9 at a sync leaves the old file before it, the new one after it", "[file]") {
  const Directory directory;
  const auto killed_at_sync = [&](int number) {
    put(directory / "x", "old");
    const int status = in_child([&] {
      int left = number;
      before_fsync = [&](int) { return --left == 0 ? ::raise(SIGKILL) : 0; };
      write_file(directory / "x", "new");
      return 0;
    });
    CHECK((WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL));
    return content(directory / "x");
  };
  CHECK(killed_at_sync(1) == "old");
  CHECK(killed_at_sync(2) == "new");
}

namespace {

/// Kills children that write two contents to `path` again and again, at random moments: what is
/// there is one of them, whole. `left(child)` is called after each kill.
void kill_writers(const std::string& path,
                  const std::function<void(const std::string&, std::string_view)>& write,
                  const std::function<void(pid_t)>& left) {
  const std::string first(1000000, 'a'), second(2000000, 'b');
  repeat(25, [&](Random& random) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      try {
        for (;;) {
          write(path, first);
          write(path, second);
        }
      } catch (...) {
        ::_exit(1);
      }
    }
    std::this_thread::sleep_for(std::chrono::microseconds(random.below(20000)));
    ::kill(child, SIGKILL);
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status));
    if (fs::exists(path)) {
      const std::string bytes = content(path);
      CHECK((bytes == first || bytes == second));
    }
    left(child);
  });
  write(path, first);
  CHECK(content(path) == first);
}

}  // namespace

TEST_CASE("kill -9 at any time leaves one of the files whole", "[file]") {
  const Directory directory;
  kill_writers(directory / "x", write_file, [&](pid_t child) {
    std::size_t beside = 0;
    for (const std::string& name : directory.names())
      if (name != "x") {
        CHECK(name.starts_with(".qkcert-" + std::to_string(child) + "-"));
        fs::remove(directory / name);
        ++beside;
      }
    CHECK(beside <= 1);
  });
}

TEST_CASE("kill -9 of rewrite_file leaves at most one file beside, which the next call removes",
          "[file]") {
  const Directory directory;
  kill_writers(directory / std::string(255, 'x'), rewrite_file, [&](pid_t) {
    CHECK(directory.names().size() <= 2);  // the files of earlier kills are not removed here
  });
  CHECK(directory.names() == Set{std::string(255, 'x')});
  CHECK_THROWS_AS(rewrite_file(directory / "none/x", "a"), FileError);
}

TEST_CASE("a stray file of the same name is left alone", "[file]") {
  const Directory directory;
  const std::string stray = ".qkcert-" + std::to_string(::getpid()) + "-0";
  put(directory / stray, "stray");
  write_file(directory / "x", "1");
  CHECK(content(directory / stray) == "stray");
  CHECK(directory.names() == Set{"x", stray});
}

TEST_CASE("threads that write one file leave one of their contents", "[file]") {
  const Directory directory;
  std::vector<std::thread> threads;
  for (const char letter : {'a', 'b', 'c', 'd'})
    threads.emplace_back([&directory, letter] {
      for (int i = 0; i < 5; ++i) write_file(directory / "x", std::string(200000, letter));
    });
  for (std::thread& thread : threads) thread.join();
  const std::string bytes = content(directory / "x");
  CHECK(bytes == std::string(200000, bytes.at(0)));
  CHECK(directory.names() == Set{"x"});
}

TEST_CASE("make_directory makes one directory, or finds it", "[file]") {
  const Directory directory;
  put(directory / "x", "0");
  make_directory(directory / "sub");
  make_directory(directory / "sub/");
  CHECK(fs::is_directory(directory / "sub"));
  fs::create_symlink("sub", directory / "link");
  make_directory(directory / "link");
  CHECK(file_error([&] { make_directory(directory / "x"); }) ==
        directory / "x" + ": cannot be written: Not a directory");
  CHECK(file_error([&] { make_directory(directory / "none/sub"); }) ==
        directory / "none/sub" + ": cannot be written: No such file or directory");
  CHECK(directory.names() == Set{"x", "sub", "link"});
}

TEST_CASE("same_file sees through links and spellings", "[file]") {
  const Directory directory;
  put(directory / "x", "same");
  put(directory / "y", "same");
  fs::create_hard_link(directory / "x", directory / "hard");
  fs::create_symlink("x", directory / "soft");
  fs::create_symlink("none", directory / "dangling");
  CHECK(same_file(directory / "x", directory / "x"));
  CHECK(same_file(directory / "x", directory / "hard"));
  CHECK(same_file(directory / "soft", directory / "x"));
  CHECK(same_file(directory / "x", directory / "./x"));
  CHECK(same_file("/dev/null", "/dev/null"));
  CHECK_FALSE(same_file(directory / "x", directory / "y"));
  CHECK_FALSE(same_file(directory / "x", directory / "none"));
  CHECK_FALSE(same_file(directory / "none", directory / "none"));
  CHECK_FALSE(same_file(directory / "dangling", directory / "none"));
  CHECK_FALSE(same_file("/proc", "/sys"));  // two devices, both with the inode 1
  CHECK_FALSE(same_file("-", "-"));
  put(directory / "-", "");
  CHECK(in_child([&] {
          if (::chdir(directory.path().c_str()) != 0) return 2;
          return same_file("-", "-") || same_file("-", "./-") ? 1 : 0;
        }) == 0);
}

}  // namespace
}  // namespace qkcert::test
