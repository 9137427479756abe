#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <new>
#include <qkcert/core/errors.hpp>
#include <thread>

#include "message.hpp"
#include "ranks.hpp"

namespace qkcert::cli {

namespace {

constexpr std::size_t max_part = std::size_t{1} << 30;  // MPI counts in int

/// Calls part(data, count) for consecutive parts of `bytes`.
template <class Byte, class Part>
void in_parts(Byte* bytes, std::size_t size, const Part& part) {
  for (std::size_t at = 0; at < size; at += max_part)
    part(bytes + at, static_cast<int>(std::min(max_part, size - at)));
}

void send(const Message& message, int to) {
  const std::uint64_t size = message.bytes().size();
  MPI_Send(&size, 1, MPI_UINT64_T, to, 0, MPI_COMM_WORLD);
  in_parts(message.bytes().data(), size, [&](const char* data, int count) {
    MPI_Send(data, count, MPI_CHAR, to, 0, MPI_COMM_WORLD);
  });
}

Message receive(int from) {
  std::uint64_t size = 0;
  MPI_Recv(&size, 1, MPI_UINT64_T, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  std::vector<char> bytes(size);
  in_parts(bytes.data(), size, [&](char* data, int count) {
    MPI_Recv(data, count, MPI_CHAR, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  });
  return Message(std::move(bytes));
}

/// Gives `message` of rank `root` to all.
Message broadcast(Message message, int root, bool mine) {
  std::uint64_t size = message.bytes().size();
  MPI_Bcast(&size, 1, MPI_UINT64_T, root, MPI_COMM_WORLD);
  std::vector<char> bytes = mine ? message.bytes() : std::vector<char>(size);
  in_parts(bytes.data(), size,
           [&](char* data, int count) { MPI_Bcast(data, count, MPI_CHAR, root, MPI_COMM_WORLD); });
  return Message(std::move(bytes));
}

/// Ends the job: some rank waits for this one.
[[noreturn]] void fail(const char* what) {
  std::clog << "qkcert: " << what << std::endl;
  MPI_Abort(MPI_COMM_WORLD, static_cast<int>(Status::unusable));
  std::_Exit(static_cast<int>(Status::unusable));
}

template <class Work>
auto or_fail(const Work& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    fail("out of memory");
  } catch (const std::exception& error) {
    fail(error.what());
  }
}

/// MPI, from here to the end of the scope.
class Mpi {
 public:
  Mpi() {
    int level = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  }
  ~Mpi() { MPI_Finalize(); }
  Mpi(const Mpi&) = delete;
  Mpi& operator=(const Mpi&) = delete;

  int count = 0, rank = 0;

  /// The rows of rank r.
  VertexRange share(std::size_t vertices, int r) const {
    const auto part = [&](int i) {
      return vertices * static_cast<std::size_t>(i) / static_cast<std::size_t>(count);
    };
    return {part(r), part(r + 1)};
  }
};

/// What a rank scores: its rows of the embedding and the edges that leave them.
struct Share {
  std::size_t vertices;
  VertexRange range;
  Matrix rows;
  Graph graph;
  Channel channel;
};

constexpr std::uint64_t stop = 0, score = 1;  // what a message to a rank begins with

Message share_message(const RecoveryClaim& claim, VertexRange range) {
  Message message;
  message.put(score);
  message.put(claim.graph.vertices());
  message.put(range.begin);
  message.put(range.end);
  message.put(claim.embedding, range);
  const std::vector<Edge>& edges = claim.graph.edges();
  const auto first = std::lower_bound(edges.begin(), edges.end(), Edge{range.begin, 0});
  message.put(std::span(first, std::lower_bound(first, edges.end(), Edge{range.end, 0})));
  message.put(claim.channel);
  return message;
}

/// Require: the message's first number is read.
Share read_share(Message message) {
  const std::size_t vertices = message.get_number();
  const std::size_t begin = message.get_number(), end = message.get_number();
  Matrix rows = message.get_matrix();
  Graph graph(vertices, message.get_edges());
  return {vertices, {begin, end}, std::move(rows), std::move(graph), message.get_channel()};
}

/// The extremes of the share's rows against all keys, which go round. Every rank calls it.
Extremes score_share(const Mpi& mpi, Share share, Execution execution) {
  const Kernels simd = kernels(execution.simd);
  const auto project_side = [&](Side side) {
    Projections result =
        project(share.rows, share.channel, side, {0, share.rows.rows()}, simd, execution.threads);
    result.range = share.range;
    return result;
  };
  const Projections queries = project_side(Side::query);
  Message mine;
  mine.put(project_side(Side::key));
  share.rows = {};
  const Progress progress = execution.progress;
  Extremes extremes;
  for (int r = 0; r < mpi.count; ++r) {
    const Projections keys =
        broadcast(r == mpi.rank ? std::move(mine) : Message(), r, r == mpi.rank).get_projections();
    if (progress)
      execution.progress = [&](std::size_t done, std::size_t total) {
        progress(static_cast<std::size_t>(r) * total + done,
                 static_cast<std::size_t>(mpi.count) * total);
      };
    extremes.merge(score_extremes(share.graph, queries, keys, execution));
  }
  return extremes;
}

/// On rank 0.
Extremes score_with_all(const Mpi& mpi, const RecoveryClaim& claim, const Execution& execution) {
  require(claim.graph.vertices() == claim.embedding.rows(), "one row per vertex is required");
  require_valid(claim.channel, claim.embedding.cols());
  return or_fail([&] {
    const std::size_t vertices = claim.graph.vertices();
    for (int r = 1; r < mpi.count; ++r) send(share_message(claim, mpi.share(vertices, r)), r);
    Message own = share_message(claim, mpi.share(vertices, 0));
    own.get_number();
    Extremes extremes = score_share(mpi, read_share(std::move(own)), execution);
    for (int r = 1; r < mpi.count; ++r) extremes.merge(receive(r).get_extremes());
    return extremes;
  });
}

/// Waits for a message from rank 0 without using the processor.
Message wait_for_order() {
  int there = 0;
  while (MPI_Iprobe(0, 0, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE), there == 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return receive(0);
}

/// On the other ranks: does what rank 0 says; the status it gives at the end.
Status serve(const Mpi& mpi, Execution execution) {
  execution.progress = {};
  for (;;) {
    Message message = wait_for_order();
    if (message.get_number() == stop) return static_cast<Status>(message.get_number());
    Message result;
    result.put(score_share(mpi, read_share(std::move(message)), execution));
    send(result, 0);
  }
}

}  // namespace

Status on_ranks(const Execution& execution, const std::function<Status(const Scorer&)>& lead) {
  const Mpi mpi;
  if (mpi.rank != 0) return or_fail([&] { return serve(mpi, execution); });
  const auto dismiss = [&](Status status) {
    std::cout.flush();  // before any rank may end the job with its status
    Message message;
    message.put(stop);
    message.put(static_cast<std::uint64_t>(status));
    for (int r = 1; r < mpi.count; ++r) send(message, r);
    return status;
  };
  try {
    return dismiss(lead([&](const RecoveryClaim& claim, const Execution& with) {
      return score_with_all(mpi, claim, with);
    }));
  } catch (...) {
    dismiss(Status::unusable);
    throw;
  }
}

}  // namespace qkcert::cli
