#pragma once
/// Progress on standard error: one line, redrawn in place, after two seconds and only when standard
/// error is a terminal.

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <qkcert/core/parallel.hpp>
#include <string>
#include <thread>

namespace qkcert::cli {

class ProgressLine {
 public:
  /// Starts the clock.
  ProgressLine();
  /// Clears the line.
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// What is being done from now on: the line shows it and the time, with a bar once callback()
  /// is told how much there is to do, and an estimate of the time left.
  void show(std::string label);
  /// Clears the line until the next show(); to be called before other output.
  void clear();
  /// Moves the bar. It must not outlive this object.
  Progress callback();
  /// Lets the bar show how much of `budget` has passed.
  void set_budget(std::chrono::milliseconds budget);

 private:
  using Clock = std::chrono::steady_clock;
  void run(const std::stop_token& stop);
  void draw();

  const Clock::time_point start_ = Clock::now();
  std::mutex mutex_;  // guards what follows
  std::string label_;
  std::size_t done_ = 0, total_ = 0, done_first_ = 0;
  Clock::time_point first_;  // when done_first_ was told
  std::optional<std::chrono::milliseconds> budget_;
  bool shown_ = false;
  std::condition_variable_any wake_;
  std::jthread painter_;  // only on a terminal
};

}  // namespace qkcert::cli
