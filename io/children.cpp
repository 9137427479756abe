#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <map>
#include <new>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/parallel.hpp>
#include <qkcert/io/children.hpp>
#include <string_view>
#include <system_error>

namespace qkcert {

namespace {

using Clock = std::chrono::steady_clock;

// A child sends what it writes to standard error, then `mark`, one byte for how it ended and the
// text that goes with it. What this program writes to standard error has no zero byte.
constexpr std::string_view mark{"\0qkcert\0", 8};
constexpr char returned = 'r', threw = 'e';

[[noreturn]] void fail(const char* what) {
  throw FileError(std::string("a process for a claim: ") + what + ": " +
                  std::generic_category().message(errno));
}

void write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count >= 0)
      bytes.remove_prefix(static_cast<std::size_t>(count));
    else if (errno != EINTR)
      ::_exit(3);
  }
}

/// The system looks for a victim here first.
void volunteer() {
  const int fd = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (fd < 0) return;
  [[maybe_unused]] const ssize_t written = ::write(fd, "1000", 4);
  ::close(fd);
}

/// The child's whole life.
[[noreturn]] void live(int pipe, pid_t parent, std::size_t memory,
                       const std::function<std::string()>& work) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(3);
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  volunteer();
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  if (memory > 0) {
    const rlimit limit{memory, memory};
    ::setrlimit(RLIMIT_AS, &limit);
  }
  const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  ::dup2(nowhere, STDIN_FILENO);
  ::dup2(nowhere, STDOUT_FILENO);
  ::dup2(pipe, STDERR_FILENO);
  std::string message(1, threw);
  try {
    message = returned + work();
  } catch (const std::bad_alloc&) {
    message += "out of memory";
  } catch (const std::exception& error) {
    message += error.what();
  } catch (...) {
    message += "an unknown exception";
  }
  write_all(pipe, mark);
  write_all(pipe, message);
  ::_exit(0);
}

struct Child {
  std::size_t number;
  pid_t process;
  std::chrono::milliseconds limit;
  Clock::time_point deadline;
  std::string bytes = {};
};

/// The last line that says something, at most 200 bytes of it.
std::string last_line(std::string_view text) {
  const auto end = text.find_last_not_of(" \t\r\n");
  if (end == text.npos) return {};
  text = text.substr(0, end + 1);
  const auto newline = text.rfind('\n');
  return std::string(text.substr(newline == text.npos ? 0 : newline + 1).substr(0, 200));
}

ChildResult result_of(const Child& child, int status) {
  const std::size_t at = child.bytes.rfind(mark);
  const bool ended = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (ended && at != std::string::npos && at + mark.size() < child.bytes.size()) {
    const char how = child.bytes[at + mark.size()];
    std::string text = child.bytes.substr(at + mark.size() + 1);
    if (how == returned) return {std::move(text)};
    return {{}, std::move(text)};
  }
  const std::string said = last_line(std::string_view(child.bytes).substr(0, at));
  const std::string end =
      WIFSIGNALED(status)
          ? "killed by signal " + std::to_string(WTERMSIG(status)) + " (" +
                ::strsignal(WTERMSIG(status)) + ")"
          : "ended with status " + std::to_string(WIFEXITED(status) ? WEXITSTATUS(status) : -1);
  return {{}, "the process was " + end + (said.empty() ? "" : ": " + said)};
}

std::string seconds_text(std::chrono::milliseconds time) {
  const auto rest = time.count() % 1000;
  std::string text = std::to_string(time.count() / 1000);
  if (rest > 0) {
    std::string digits = std::to_string(1000 + rest).substr(1);
    digits.erase(digits.find_last_not_of('0') + 1);
    text += "." + digits;
  }
  return text + " s";
}

/// The children that run now, each by the pipe it writes to.
class Children {
 public:
  Children(const ChildOptions& options, const std::function<std::string(std::size_t)>& work)
      : options_(options), work_(work) {}
  Children(const Children&) = delete;
  ~Children() {
    while (!children_.empty()) end(children_.begin()->first, true);
  }

  std::size_t size() const { return children_.size(); }

  void start(std::size_t number) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) fail("no pipe");
    const auto limit = options_.limit(number);
    const pid_t parent = ::getpid();
    const pid_t process = ::fork();
    if (process == 0) live(ends[1], parent, options_.memory, [&] { return work_(number); });
    ::close(ends[1]);
    if (process < 0) {
      ::close(ends[0]);
      fail("it cannot be started");
    }
    ::setpgid(process, process);  // both do it, as either may come first
    children_.emplace(ends[0], Child{number, process, limit, Clock::now() + limit});
  }

  /// Waits for something to happen and returns those that have ended.
  std::vector<std::pair<std::size_t, ChildResult>> wait() {
    std::vector<pollfd> pipes;
    auto next = Clock::now() + std::chrono::milliseconds(200);
    for (const auto& [fd, child] : children_) {
      pipes.push_back({fd, POLLIN, 0});
      next = std::min(next, child.deadline);
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(next - Clock::now()).count();
    if (::poll(pipes.data(), pipes.size(), std::max(0, static_cast<int>(left))) < 0) {
      if (errno != EINTR) fail("poll");
      for (pollfd& pipe : pipes) pipe.revents = 0;
    }
    std::vector<std::pair<std::size_t, ChildResult>> ended;
    for (const pollfd& pipe : pipes) {
      const std::size_t number = children_.at(pipe.fd).number;
      if (options_.stop != nullptr && options_.stop->load()) {
        end(pipe.fd, true);
        ended.emplace_back(number, ChildResult{{}, "interrupted"});
      } else if (pipe.revents != 0 && !read(pipe.fd)) {
        ended.emplace_back(number, end(pipe.fd, false));
      } else if (const Child& child = children_.at(pipe.fd); Clock::now() >= child.deadline) {
        const std::string limit = seconds_text(child.limit);
        end(pipe.fd, true);
        ended.emplace_back(number, ChildResult{{}, "not decided within the limit of " + limit});
      }
    }
    return ended;
  }

 private:
  /// Whether there may be more to read.
  bool read(int fd) {
    char block[1 << 16];
    const ssize_t count = ::read(fd, block, sizeof block);
    if (count > 0) children_.at(fd).bytes.append(block, static_cast<std::size_t>(count));
    return count > 0 || (count < 0 && errno == EINTR);
  }

  ChildResult end(int fd, bool kill) {
    const auto found = children_.find(fd);
    const Child& child = found->second;
    if (kill) ::kill(child.process, SIGKILL);
    siginfo_t info;
    const auto id = static_cast<id_t>(child.process);
    while (::waitid(P_PID, id, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) continue;
    ::kill(-child.process, SIGKILL);  // what it has started; its number is ours until it is reaped
    int status = 0;
    while (::waitpid(child.process, &status, 0) < 0 && errno == EINTR) continue;
    ChildResult result = result_of(child, status);
    ::close(fd);
    children_.erase(found);
    return result;
  }

  const ChildOptions& options_;
  const std::function<std::string(std::size_t)>& work_;
  std::map<int, Child> children_;
};

}  // namespace

void call_in_children(std::size_t count, const ChildOptions& options,
                      const std::function<std::string(std::size_t)>& work,
                      const std::function<void(std::size_t, ChildResult)>& finish) {
  Children running(options, work);
  const unsigned at_once = thread_count(options.at_once);
  for (std::size_t next = 0; next < count || running.size() > 0;) {
    if (options.stop != nullptr && options.stop->load())
      for (; next < count; ++next) finish(next, {{}, "interrupted"});
    for (; next < count && running.size() < at_once; ++next) running.start(next);
    for (auto& [number, result] : running.wait()) finish(number, std::move(result));
  }
}

}  // namespace qkcert
