#pragma once
/// Threads over numbered blocks.

#include <cstddef>
#include <functional>

namespace qkcert {

/// Told from time to time how much of a long piece of work is done; called from one thread at a
/// time.
using Progress = std::function<void(std::size_t done, std::size_t total)>;

/// The number of threads that `requested` stands for: 0 means one per processor.
unsigned thread_count(unsigned requested);

/// Calls work(block, thread) once for each block in 0, …, blocks-1, on `threads` threads (0: one
/// per processor); `thread` is below thread_count(threads) and no two concurrent calls share it.
///
/// Ensure  an exception thrown by `work` stops the rest and is rethrown here.
void parallel_for(std::size_t blocks, unsigned threads,
                  const std::function<void(std::size_t block, unsigned thread)>& work,
                  const Progress& progress = {});

}  // namespace qkcert
