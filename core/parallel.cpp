#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <qkcert/core/parallel.hpp>
#include <thread>
#include <vector>

namespace qkcert {

unsigned thread_count(unsigned requested) {
  return requested > 0 ? requested : std::max(1U, std::thread::hardware_concurrency());
}

void parallel_for(std::size_t blocks, unsigned threads,
                  const std::function<void(std::size_t, unsigned)>& work,
                  const Progress& progress) {
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::size_t done = 0;
  std::exception_ptr error;
  const auto run = [&](unsigned thread) {
    try {
      for (std::size_t block; (block = next.fetch_add(1)) < blocks;) {
        work(block, thread);
        const std::lock_guard lock(mutex);
        ++done;
        if (progress) progress(done, blocks);
      }
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!error) error = std::current_exception();
      next = blocks;
    }
  };
  std::vector<std::jthread> helpers;
  const auto count = std::min<std::size_t>(thread_count(threads), blocks);
  for (unsigned thread = 1; thread < count; ++thread) helpers.emplace_back(run, thread);
  run(0);
  helpers.clear();
  if (error) std::rethrow_exception(error);
}

}  // namespace qkcert
