#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <map>
#include <new>
#include <qkcert/core/errors.hpp>
#include <qkcert/io/children.hpp>
#include <qkcert/io/file.hpp>
#include <support.hpp>

using namespace qkcert;
using std::chrono::milliseconds;

namespace {

using Work = std::function<std::string(std::size_t)>;

constexpr milliseconds minutes{600'000};

/// The results by number; each number has exactly one.
std::vector<ChildResult> results(std::size_t count, const Work& work, ChildOptions options = {}) {
  if (!options.limit) options.limit = [](std::size_t) { return minutes; };
  std::map<std::size_t, ChildResult> found;
  call_in_children(count, options, work, [&](std::size_t i, ChildResult result) {
    CHECK(found.emplace(i, std::move(result)).second);
  });
  std::vector<ChildResult> all;
  for (auto& [number, result] : found) all.push_back(std::move(result));
  REQUIRE(all.size() == count);
  return all;
}

[[noreturn]] void never_end() {
  for (;;) ::pause();
}

}  // namespace

TEST_CASE("children: what the function returns comes back, all bytes of it", "[children]") {
  const auto bytes = [](std::size_t i) {
    std::string text = std::to_string(i) + std::string(i * 100'000, '\0') + "\n\xff end";
    return text;
  };
  for (const unsigned at_once : {0U, 1U, 3U, 50U}) {
    const auto found = results(12, bytes, {.at_once = at_once});
    for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i].returned == bytes(i));
  }
  CHECK(results(0, bytes).empty());
  CHECK(results(1, [](std::size_t) { return std::string(); })[0].returned == "");
}

TEST_CASE("children: one that never ends is cut, the others are not", "[children]") {
  ChildOptions options{.at_once = 2};
  options.limit = [](std::size_t i) { return i == 1 ? milliseconds(250) : minutes; };
  const auto found = results(
      4,
      [](std::size_t i) -> std::string {
        if (i == 1) never_end();
        return "done";
      },
      options);
  CHECK_FALSE(found[1].returned);
  CHECK(found[1].reason == "not decided within the limit of 0.25 s");
  for (const std::size_t i : {0, 2, 3}) CHECK(found[i].returned == "done");
}

TEST_CASE("children: exceptions, exits and signals are reasons", "[children]") {
  const auto found = results(6, [](std::size_t i) -> std::string {
    if (i == 0) throw UsageError("expected x, found y");
    if (i == 1) throw std::bad_alloc();
    if (i == 2) throw 5;
    if (i == 3) {
      std::fputs("a warning\nout of memory\n\n", stderr);
      std::fflush(stderr);
      ::_exit(2);
    }
    if (i == 4) ::raise(SIGKILL);
    ::_exit(0);  // without a result
  });
  const char* const reasons[] = {"expected x, found y",
                                 "out of memory",
                                 "an unknown exception",
                                 "the process was ended with status 2: out of memory",
                                 "the process was killed by signal 9 (Killed)",
                                 "the process was ended with status 0"};
  for (std::size_t i = 0; i < found.size(); ++i) {
    CHECK_FALSE(found[i].returned);
    CHECK(found[i].reason == reasons[i]);
  }
}

TEST_CASE("children: what they print is not taken for a result", "[children]") {
  const auto found = results(1, [](std::size_t) -> std::string {
    std::fputs("to nobody", stdout);
    std::fflush(stdout);
    std::fputs("noise", stderr);
    std::fflush(stderr);
    return "result";
  });
  CHECK(found[0].returned == "result");
}

#ifndef __SANITIZE_ADDRESS__
TEST_CASE("children: one that wants too much memory ends alone", "[children]") {
  const auto found = results(2,
                             [](std::size_t i) -> std::string {
                               if (i == 1) return "done";
                               return std::to_string(std::string(std::size_t{1} << 31, 'x').size());
                             },
                             {.memory = std::size_t{1} << 29});
  CHECK(found[0].reason == "out of memory");
  CHECK(found[1].returned == "done");
}
#endif

TEST_CASE("children: stop ends the running ones and starts no more", "[children]") {
  std::atomic<bool> stop = false;
  ChildOptions options{.at_once = 2, .stop = &stop};
  options.limit = [](std::size_t) { return minutes; };
  std::size_t interrupted = 0, done = 0;
  call_in_children(
      5, options,
      [](std::size_t i) -> std::string {
        if (i > 0) never_end();
        return "done";
      },
      [&](std::size_t i, const ChildResult& result) {
        (result.returned ? done : interrupted) += 1;
        if (i == 0) stop = true;
        if (!result.returned) CHECK(result.reason == "interrupted");
      });
  CHECK(done == 1);
  CHECK(interrupted == 4);
}

TEST_CASE("children: what a child has started ends with it", "[children]") {
  const std::string path =
      std::filesystem::temp_directory_path() / ("qkcert-children-" + std::to_string(::getpid()));
  ChildOptions options;
  options.limit = [](std::size_t) { return milliseconds(400); };
  const auto found = results(
      1,
      [&](std::size_t) -> std::string {
        const pid_t grandchild = ::fork();
        if (grandchild == 0) never_end();
        write_file(path, std::to_string(grandchild));
        never_end();
      },
      options);
  CHECK_FALSE(found[0].returned);
  const auto grandchild = static_cast<pid_t>(parse_int64(read_file(path)).value());
  std::filesystem::remove(path);
  // It is dead at once, and gone when its new parent has noticed.
  for (int i = 0; i < 200 && ::kill(grandchild, 0) == 0; ++i) {
    const std::string status = file_exists("/proc/" + std::to_string(grandchild) + "/stat")
                                   ? read_file("/proc/" + std::to_string(grandchild) + "/stat")
                                   : "(x) Z";
    if (status.find(") Z") != std::string::npos || status.find(") X") != std::string::npos) break;
    ::usleep(50'000);
    CHECK(i < 199);
  }
}
