#include <csignal>
#include <qkcert/core/errors.hpp>
#include <qkcert/io/process.hpp>

#include "support.hpp"

namespace qkcert {

TEST_CASE("run_filter gives the input through and takes the output, whatever their size") {
  CHECK(run_filter("cat", {}, "").empty());
  CHECK(run_filter("cat", {}, std::string("a\0b\n", 4)) == std::string("a\0b\n", 4));
  const std::string large(3'000'000, 'x');
  CHECK(run_filter("cat", {}, large) == large);
  CHECK(run_filter("cat", {"-", "-"}, "once") == "once");
}

TEST_CASE("run_filter passes arguments as they are") {
  const std::string odd = "a b'c\"$HOME `x` *";
  CHECK(run_filter("printf", {"%s|", odd, ""}, "") == odd + "||");
}

TEST_CASE("run_filter reports what cannot be run and what fails") {
  CHECK_THROWS_WITH(run_filter("no-such-program-here", {}, ""),
                    "no-such-program-here: cannot be run: No such file or directory");
  CHECK_THROWS_AS(run_filter("no-such-program-here", {}, ""), FileError);
  CHECK_THROWS_WITH(run_filter("false", {}, ""), "false: failed");
  CHECK_THROWS_WITH(run_filter("sh", {}, "echo kept; echo first >&2; echo ' last ' >&2; exit 3"),
                    "sh: failed: last");
  CHECK_THROWS_WITH(run_filter("sh", {}, "kill -9 $$"), "sh: failed");
  CHECK_THROWS_WITH(run_filter("sh", {}, "yes x | tr -d '\\n' | head -c 5000 >&2; exit 1"),
                    "sh: failed: " + std::string(200, 'x'));
}

TEST_CASE("run_filter's child does not ignore SIGPIPE") {
  std::signal(SIGPIPE, SIG_IGN);
  const std::string ignored = run_filter("grep", {"SigIgn", "/proc/self/status"}, "");
  std::signal(SIGPIPE, SIG_DFL);
  INFO(ignored);
  REQUIRE(ignored.size() > 5);
  CHECK(ignored[ignored.size() - 5] == '0');  // the hexadecimal digit of signals 13 to 16
}

}  // namespace qkcert
