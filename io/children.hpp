#pragma once
/// Functions called in child processes, so that one that never ends, crashes or runs out of memory
/// takes nobody with it.

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace qkcert {

/// What became of one call.
struct ChildResult {
  std::optional<std::string> returned;  ///< what the function returned
  std::string reason = {};              ///< without that, why: one line
};

struct ChildOptions {
  unsigned at_once = 1;  ///< processes at a time; 0: one per processor
  /// How long the call of a number may take, by the clock on the wall.
  std::function<std::chrono::milliseconds(std::size_t)> limit = {};
  /// Bytes of address space that a child may have; 0: as the system has it. In want of memory the
  /// system ends a child before it ends this process.
  std::size_t memory = 0;
  const std::atomic<bool>* stop = nullptr;  ///< set from outside: end all children now
};

/// Calls work(i) for i = 0, …, count-1, each in a child process of its own, forked from this one,
/// and finish(i, result) here as each one ends, in any order.
///
/// Require  this process has one thread.
/// Ensure   finish is called once for each i. A child beyond its limit is killed with all that it
///          has started, and none outlives this process. An exception of `work` becomes a reason,
///          as do a signal and an exit, with the last line that the child wrote to standard error;
///          what it writes to standard output goes nowhere. After `stop` the reason is
///          `interrupted`.
/// Errors   FileError when no process or pipe can be had, after the running ones were killed.
void call_in_children(std::size_t count, const ChildOptions& options,
                      const std::function<std::string(std::size_t)>& work,
                      const std::function<void(std::size_t, ChildResult)>& finish);

}  // namespace qkcert
