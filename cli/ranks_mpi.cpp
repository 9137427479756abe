#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <new>
#include <qkcert/core/errors.hpp>
#include <qkcert/verify/sha256.hpp>
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
Message broadcast(Message message, int root) {
  std::vector<char> bytes = std::move(message).bytes();
  std::uint64_t size = bytes.size();
  MPI_Bcast(&size, 1, MPI_UINT64_T, root, MPI_COMM_WORLD);
  bytes.resize(size);
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

int as_int(std::size_t rank) { return static_cast<int>(rank); }

/// Where this process stands among the ranks.
struct Place {
  std::size_t count, rank;

  /// The rows of rank r.
  VertexRange share(std::size_t vertices, std::size_t r) const {
    return {vertices * r / count, vertices * (r + 1) / count};
  }
};

/// What a rank other than 0 scores: its rows of the embedding and the edges that leave them.
struct Share {
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
  return {{begin, end}, std::move(rows), std::move(graph), message.get_channel()};
}

/// What a rank has found, or why it is too large to be decided. SizeError is one process's verdict:
/// the ranks tell it to each other and go on together.
struct Found {
  Extremes extremes;
  std::string too_large;

  template <class Work>
  void unless_too_large(const Work& work) {
    if (!too_large.empty()) return;
    try {
      work();
    } catch (const SizeError& error) {
      too_large = error.what();
    }
  }
  void merge(Found other) {
    extremes.merge(other.extremes);
    if (too_large.empty()) too_large = std::move(other.too_large);
  }
  void put_into(Message& message) const {
    message.put(extremes);
    message.put(too_large);
  }
  static Found out_of(Message& message) {
    Extremes extremes = message.get_extremes();
    return {std::move(extremes), message.get_text()};
  }
};

/// The extremes of this rank's rows against all keys, which go round. Every rank calls it.
/// `project_side` projects this rank's rows; they are not needed afterwards.
template <class ProjectSide, class Forget>
Found score_share(const Place& place, const Graph& graph, const ProjectSide& project_side,
                  const Forget& forget, Execution execution) {
  Found found;
  Projections queries;
  Message mine;
  found.unless_too_large([&] {
    queries = project_side(Side::query);
    mine.put(project_side(Side::key));
  });
  forget();
  const Progress progress = execution.progress;
  for (std::size_t r = 0; r < place.count; ++r) {
    const bool owner = r == place.rank;
    Message known;
    if (owner) found.put_into(known);
    known = broadcast(std::move(known), as_int(r));
    found.merge(Found::out_of(known));
    Message bytes = broadcast(owner ? std::move(mine) : Message(), as_int(r));
    if (!found.too_large.empty()) continue;
    const Projections keys = std::move(bytes).get_projections();
    bytes = {};
    if (progress)
      execution.progress = [&](std::size_t done, std::size_t total) {
        progress(r * total + done, place.count * total);
      };
    execution.known = found.extremes;
    found.unless_too_large(
        [&] { found.extremes = score_extremes(graph, queries, keys, execution); });
  }
  return found;
}

/// On rank 0.
Extremes score_with_all(const Place& place, const RecoveryClaim& claim,
                        const Execution& execution) {
  require(claim.graph.vertices() == claim.embedding.rows(), "one row per vertex is required");
  require_valid(claim.channel, claim.embedding.cols());
  const Found found = or_fail([&] {
    const std::size_t vertices = claim.graph.vertices();
    for (std::size_t r = 1; r < place.count; ++r)
      send(share_message(claim, place.share(vertices, r)), as_int(r));
    const Kernels simd = kernels(execution.simd);
    const auto project_side = [&](Side side) {
      return project(claim.embedding, claim.channel, side, place.share(vertices, 0), simd,
                     execution.threads);
    };
    Found all = score_share(
        place, claim.graph, project_side, [] {}, execution);
    for (std::size_t r = 1; r < place.count; ++r) {
      Message message = receive(as_int(r));
      all.merge(Found::out_of(message));
    }
    return all;
  });
  if (!found.too_large.empty()) throw SizeError(found.too_large);
  return found.extremes;
}

/// Waits for a message from rank 0 without using the processor.
Message wait_for_order() {
  int there = 0;
  while (MPI_Iprobe(0, 0, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE), there == 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return receive(0);
}

/// On the other ranks: does what rank 0 says; the status it gives at the end.
Status serve(const Place& place, Execution execution) {
  execution.progress = {};
  const Kernels simd = kernels(execution.simd);
  for (;;) {
    Message message = wait_for_order();
    if (message.get_number() == stop) return static_cast<Status>(message.get_number());
    Share share = read_share(std::move(message));
    const auto project_side = [&](Side side) {
      Projections result =
          project(share.rows, share.channel, side, {0, share.rows.rows()}, simd, execution.threads);
      result.range = share.range;
      return result;
    };
    Message result;
    score_share(
        place, share.graph, project_side, [&] { share.rows = {}; }, execution)
        .put_into(result);
    send(result, 0);
  }
}

bool joined() {
  int initialized = 0;
  MPI_Initialized(&initialized);
  return initialized != 0;
}

}  // namespace

Ranks::Ranks() {
  if (processes_started() < 2) return;
  int level = 0, count = 1, rank = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_size(MPI_COMM_WORLD, &count);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  count_ = static_cast<std::size_t>(count);
  rank_ = static_cast<std::size_t>(rank);
}

/// mpirun ends the job at the first status that is not 0: not before all have said what they have to.
Ranks::~Ranks() {
  if (!joined()) return;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}

void Ranks::require_same(const std::string& text) const {
  if (!several()) return;
  const std::string mine = or_fail([&] { return sha256(text); });
  const std::size_t size = mine.size();
  std::string all(size * count_, ' ');
  MPI_Allgather(mine.data(), as_int(size), MPI_CHAR, all.data(), as_int(size), MPI_CHAR,
                MPI_COMM_WORLD);
  for (std::size_t r = 1; r < count_; ++r)
    if (all.compare(0, size, all, r * size, size) != 0)
      throw UsageError("mpirun has started rank " + std::to_string(r) +
                       " with other arguments, another QKCERT_SIMD or another version than rank 0");
}

bool Ranks::agree(bool ready) {
  if (several() && !asked_) {
    asked_ = true;
    const int mine = as_int(ready ? count_ : rank_);
    int first = 0;
    MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (first < as_int(count_)) first_unready_ = static_cast<std::size_t>(first);
  }
  return ready && !first_unready_;
}

Status Ranks::together(const Execution& execution,
                       const std::function<Status(const Scorer&)>& lead) {
  if (!agree(true)) return Status::unusable;
  const Place place{count_, rank_};
  if (rank_ != 0) return or_fail([&] { return serve(place, execution); });
  const auto dismiss = [&](Status status) {
    Message message;
    message.put(stop);
    message.put(static_cast<std::uint64_t>(status));
    for (std::size_t r = 1; r < count_; ++r) send(message, as_int(r));
    return status;
  };
  try {
    return dismiss(lead([&](const RecoveryClaim& claim, const Execution& with) {
      return score_with_all(place, claim, with);
    }));
  } catch (...) {
    dismiss(Status::unusable);
    throw;
  }
}

}  // namespace qkcert::cli
