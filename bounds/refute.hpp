#pragma once
/// Can one head recognise this graph on this embedding? Decided by one of two exact proofs.

#include <chrono>
#include <cstdint>
#include <optional>
#include <qkcert/core/claim.hpp>
#include <string>
#include <variant>
#include <vector>

namespace qkcert {

struct RefuteOptions {
  /// Only these edges have to be held, the others may score anything (theory.md, B3 on one edge,
  /// B3′ on two). Absent: all edges.
  std::optional<std::vector<Edge>> kept = {};
  /// Prefer at most d²+2 multipliers of many bits over up to m² multipliers of few bits.
  bool sparse = false;
  std::uint64_t seed = 1;
  /// No step is started after it; a step, a lattice reduction and an exact solve run to their end.
  std::chrono::milliseconds budget{1'200'000};
};

/// One head whose score is above `threshold` on every kept edge and at most that on every non-edge.
struct SeparatingForm {
  Head head;  ///< width = rank X, at least 1
  Integer threshold;
};

struct Undecided {
  std::string tried;
};

/// Multipliers: Σλ = Σμ > 0 and Σλ·x_uᵀx_v = Σμ·x_uᵀx_v, all positive, λ on kept edges.
using Refutation = std::variant<Multipliers, SeparatingForm, Undecided>;

/// Decides whether the hulls of {x_uᵀx_v} over kept edges and over non-edges meet (theory.md, B3).
///
/// Floats propose (an interior-point method on all m² pairs); what is returned has been checked in
/// integers. Equal points on both sides are found first. If the hulls meet in a full face, the
/// interior solution is moved to the lattice {Y : XᵀYX = 0, ΣY = 0}; else, or when `sparse`, a
/// vertex of the meeting set is found by a second run with random costs and solved exactly.
///
/// Require  one embedding row per vertex; kept ⊆ edges, strictly increasing.
/// Cost     about 10–40 steps of HullSolver; memory 10·d⁴ + 100·m² bytes.
/// Errors   ShapeError.
Refutation refute(const Graph& graph, const Matrix& embedding, const RefuteOptions& options = {});

/// Whether some edge is beyond every head: its multipliers prove that no channel of any number of
/// heads recognises the graph with threshold-max. An edge that some head of real weights holds by a
/// clear margin in floating point counts as held; nothing is claimed of it.
struct AnyHeads {
  std::optional<Multipliers> multipliers;  ///< of the first edge that no head holds
  std::size_t held = 0, undecided = 0, untried = 0;
};
AnyHeads refute_any_heads(const Graph& graph, const Matrix& embedding,
                          const RefuteOptions& options = {});

/// Two edges (by index) that no single head holds together.
struct Clash {
  std::size_t first, second;
  Multipliers multipliers;
};
/// All that were found, by first, then second; the other pairs are counted as above.
struct Clashes {
  std::vector<Clash> found;
  std::size_t held = 0, undecided = 0, untried = 0;
};
Clashes clashes(const Graph& graph, const Matrix& embedding, const RefuteOptions& options = {});

}  // namespace qkcert
