#pragma once
/// Construction methods: code that proposes channels. None is trusted; verify/ decides.
///
///   const Method& method = find_method("onehot-code");
///   const Request request{graph, embedding};
///   const Channel channel = propose(method, request);
///   const bool served = score_extremes(graph, embedding.rows, channel).separated();

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <qkcert/core/channel.hpp>
#include <qkcert/core/embedding.hpp>
#include <qkcert/core/graph.hpp>
#include <span>
#include <string>
#include <string_view>

namespace qkcert {

/// What a method is asked for. Absent parameters are the method's to choose.
struct Request {
  const Graph& graph;
  const Embedding& embedding;
  std::optional<std::size_t> heads = {};     ///< h
  std::optional<std::size_t> head_dim = {};  ///< d_k of every head
  /// D_K, for methods that choose their split of it (fit); others ignore it.
  std::optional<std::size_t> key_dimension = {};
  Integer weight_max = 127;  ///< A; methods whose weights follow from the input ignore it
  std::uint64_t seed = 1;
  unsigned threads = 0;  ///< 0: one per processor
  /// When to give up early and return the best proposal so far.
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  const std::atomic<bool>* stop = nullptr;
  /// The same, from a search that needs this proposal no more.
  const std::atomic<bool>* cancelled = nullptr;
  /// How slowly to search, from 1 on: proportionally more time for a smaller D_K. Only fit heeds it.
  unsigned patience = 1;
  /// Told now and then, in one line, how far a long search has come; from one thread at a time.
  std::function<void(const std::string&)> on_progress = {};
  /// Given, at the boundaries of its stages, a state from which the same request continues.
  std::function<void(const std::string&)> on_checkpoint = {};
  /// Such a state, to continue from, or nothing. The proposal is the same, however often it was
  /// interrupted. FormatError when it is damaged or another request's; UsageError from a method
  /// that makes no checkpoints.
  std::string resume = {};

  bool out_of_time() const {
    const auto set = [](const std::atomic<bool>* flag) {
      return flag != nullptr && flag->load(std::memory_order_relaxed);
    };
    return set(stop) || set(cancelled) || std::chrono::steady_clock::now() >= deadline;
  }
};

/// The architecture of a proposal: heads of width head_dim, but for the first `wider` ones, which
/// are one wider, so that any D_K can be split evenly.
struct Architecture {
  std::size_t heads;
  std::size_t head_dim;
  std::size_t wider = 0;

  std::size_t key_dimension() const { return heads * head_dim + wider; }
  std::size_t width(std::size_t head) const { return head_dim + (head < wider ? 1 : 0); }
  friend bool operator==(const Architecture&, const Architecture&) = default;
};

struct Method {
  std::string_view name;
  std::string_view summary;  ///< one line: what it needs and its D_K
  /// Whether heads and head_dim may be given.
  bool takes_heads;
  bool takes_head_dim;
  /// Whether it splits key_dimension evenly among the heads itself, so that any D_K can be had.
  bool takes_key_dimension = false;
  /// Whether another seed gives another proposal.
  bool seeded;
  /// The architecture it will use for a request that plan() below has checked.
  /// Errors: MethodError when the graph or embedding is not what the method needs.
  std::function<Architecture(const Request&)> plan;
  /// A proposal of that architecture. Errors: those of plan; SizeError.
  std::function<Channel(const Request&)> propose;
  /// Whether it makes checkpoints and can resume.
  bool resumes = false;
  /// For a method whose plan is as long as its work: a D_K that no plan of it is below. Such a method
  /// ends with a MethodError when its time is up.
  std::function<std::size_t(const Request&)> least = {};
};

/// All methods, sorted by name.
std::span<const Method> methods();

/// The method of that name. Errors: UsageError that lists the known ones.
const Method& find_method(std::string_view name);

/// The architecture that propose() would use, after every check that it makes.
///
/// Require  one embedding row per vertex.
/// Ensure   heads >= 1 and head_dim >= 1, equal to those of the request where it has any, and
///          wider < heads; the weights of such a channel fit in memory as machine integers
///          (constructions/storage.hpp).
/// Errors   ShapeError; UsageError for a parameter that the method does not take or that is 0;
///          SizeError; MethodError when the method cannot serve this graph or embedding.
Architecture plan(const Method& method, const Request& request);

/// Checks the request as plan() does, and proposes.
///
/// Ensure   a channel of the planned architecture, valid for the embedding's d_model; the same for
///          the same request. Whether it recovers anything is open: only verify/ can tell.
/// Errors   those of plan(); SizeError when the weights outgrow the memory; those of
///          Request::resume.
Channel propose(const Method& method, const Request& request);

}  // namespace qkcert
