#include "progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <iostream>

namespace qkcert::cli {

using namespace std::chrono_literals;

namespace {

constexpr const char* erase_line = "\r\033[K";

std::string bar(double share) {
  constexpr std::size_t width = 30;
  const auto filled = static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * double{width});
  return "[" + std::string(filled, '#') + std::string(width - filled, '.') + "] ";
}

}  // namespace

ProgressLine::ProgressLine() {
  if (isatty(STDERR_FILENO) == 1)
    painter_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::show(std::string label) {
  const std::lock_guard lock(mutex_);
  label_ = std::move(label);
  total_ = 0;
}

void ProgressLine::clear() {
  const std::lock_guard lock(mutex_);
  label_.clear();
  if (shown_) std::cerr << erase_line << std::flush;
  shown_ = false;
}

Progress ProgressLine::callback() {
  return [this](std::size_t done, std::size_t total) {
    const std::lock_guard lock(mutex_);
    if (total_ == 0) {
      done_first_ = done;
      first_ = Clock::now();
    }
    done_ = done;
    total_ = total;
  };
}

void ProgressLine::set_budget(std::chrono::milliseconds budget) {
  const std::lock_guard lock(mutex_);
  budget_ = budget;
}

void ProgressLine::run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    wake_.wait_for(lock, stop, 200ms, [] { return false; });
    if (!label_.empty() && Clock::now() - start_ >= 2s) draw();
  }
}

void ProgressLine::draw() {
  const std::chrono::duration<double> seconds = Clock::now() - start_;
  std::string text;
  if (total_ > 0)
    text = bar(static_cast<double>(done_) / static_cast<double>(total_));
  else if (budget_)
    text = bar(seconds / *budget_);
  text += std::to_string(static_cast<std::int64_t>(seconds.count())) + " s  " + label_;
  if (total_ > 0 && done_ > done_first_) {
    const std::chrono::duration<double> since = Clock::now() - first_;
    const double left = since.count() * static_cast<double>(total_ - done_) /
                        static_cast<double>(done_ - done_first_);
    text += ", about " + std::to_string(static_cast<std::int64_t>(left) + 1) + " s left";
  }
  // The terminal cuts what is too long for one line instead of wrapping it.
  std::cerr << erase_line << "\033[?7l" << text << "\033[?7h" << std::flush;
  shown_ = true;
}

}  // namespace qkcert::cli
