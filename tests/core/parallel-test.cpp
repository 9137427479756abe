#include <array>
#include <atomic>
#include <chrono>
#include <qkcert/core/parallel.hpp>
#include <stdexcept>
#include <thread>

#include "support.hpp"

namespace qkcert {
namespace {

TEST_CASE("every block is done once, by a thread of its own number") {
  for (const unsigned threads : {0U, 1U, 2U, 5U, 16U})
    for (const std::size_t blocks : {0, 1, 2, 3, 100}) {
      CAPTURE(threads, blocks);
      std::vector<std::atomic<int>> times(blocks);
      std::array<std::atomic<bool>, 256> busy{};
      std::atomic<bool> ok = true;
      parallel_for(blocks, threads, [&](std::size_t block, unsigned thread) {
        ok = ok && thread < thread_count(threads) && !busy.at(thread).exchange(true);
        ++times[block];
        std::this_thread::yield();
        busy.at(thread) = false;
      });
      CHECK(ok);
      for (const auto& each : times) CHECK(each == 1);
    }
}

TEST_CASE("0 threads mean one per processor") {
  CHECK(thread_count(0) >= 1);
  CHECK(thread_count(7) == 7);
}

TEST_CASE("progress counts every block, one call at a time") {
  for (const unsigned threads : {1U, 4U}) {
    std::vector<std::size_t> seen;
    std::atomic<int> inside = 0;
    bool alone = true;
    parallel_for(
        50, threads, [](std::size_t, unsigned) {},
        [&](std::size_t done, std::size_t total) {
          alone = alone && ++inside == 1 && total == 50;
          seen.push_back(done);
          std::this_thread::sleep_for(std::chrono::microseconds(100));
          --inside;
        });
    CHECK(alone);
    REQUIRE(seen.size() == 50);
    for (std::size_t i = 0; i < 50; ++i) CHECK(seen[i] == i + 1);
  }
}

TEST_CASE("an exception of any block stops the rest and is rethrown") {
  for (const unsigned threads : {1U, 2U, 5U})
    for (const std::size_t bad : {0, 7, 99}) {
      CAPTURE(threads, bad);
      const auto work = [&](std::size_t block, unsigned) {
        if (block == bad) throw std::out_of_range("block");
      };
      CHECK_THROWS_AS(parallel_for(100, threads, work), std::out_of_range);
      const auto complain = [&](std::size_t done, std::size_t) {
        if (done == bad + 1) throw std::runtime_error("progress");
      };
      CHECK_THROWS_AS(parallel_for(
                          100, threads, [](std::size_t, unsigned) {}, complain),
                      std::runtime_error);
    }
  std::atomic<int> others = 0;
  CHECK_THROWS(parallel_for(1000, 2, [&](std::size_t block, unsigned) {
    if (block == 0) throw std::runtime_error("stop");
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ++others;
  }));
  CHECK(others < 500);
  std::size_t done = 0;
  CHECK_THROWS(parallel_for(1000, 1, [&](std::size_t block, unsigned) {
    ++done;
    if (block == 3) throw std::runtime_error("stop");
  }));
  CHECK(done == 4);
}

}  // namespace
}  // namespace qkcert
