#pragma once
/// The claim `softmax-recovery`: a channel recovers every context's neighbours when it is read out by
/// softmax with a null key (theory.md, Theorem 2).

#include <optional>
#include <qkcert/core/claim.hpp>
#include <qkcert/verify/check.hpp>
#include <qkcert/verify/claim_reader.hpp>
#include <qkcert/verify/claim_writer.hpp>
#include <qkcert/verify/softmax_decoder.hpp>

namespace qkcert {

/// Reads the lines between `claim …` and `end`.
SoftmaxRecovery read_softmax(ClaimReader& in);

/// Writes them. Errors: ShapeError when shapes disagree.
void write_body(ClaimWriter& out, const SoftmaxRecovery& claim);

/// True iff, with ℓ = min(context_size, m) and α^k_uv(C) as in core/claim.hpp,
///
///   (1) α^k_uv({u,v}) <= θ for every non-edge (u,v) and every head k;
///   (2) α^k_uv(C) > θ for every edge (u,v), k its named head, and C its worst context in k: u, v and
///       the ℓ - |{u,v}| other vertices with the largest S^k_u·.
///
/// Why it suffices. A context of u and v contains {u,v}, and each further key makes the denominator
/// of α^k_uv larger and leaves the numerator; so (1) keeps every non-edge at or below θ in all heads
/// and contexts, and the denominator of an edge is largest with ℓ - |{u,v}| further keys, those of
/// the largest scores. (1) is necessary, {u,v} being a context; (2) is for one head, and for several
/// it asks for more than Theorem 2 needs: one head for all contexts of an edge.
///
/// What is compared (softmax_outcome). For v ≠ u, (1) reads
/// (1-θ)·e^(βS_uv) <= θ·(e^(βτ) + e^(βS_uu)): when it holds for the largest such S_uv it holds for
/// all. In (2), let v, v' ≠ u with S_uv >= S_uv' be edges with the same head. The ℓ - 2 largest
/// others without v are, one by one, at most those without v'; so what stands beside e^(βS_uv) in
/// the denominator is at most what stands beside e^(βS_uv'), and v is recovered if v' is.
///
/// Cost  m²·D_K multiply-adds and O(m) operations more per row and head; O(m·D_K) memory.
Verdict decide(const SoftmaxRecovery& claim, unsigned threads, const Progress& progress);

/// A pair and the head that fails it.
struct SoftmaxFault {
  Edge pair;
  std::size_t head;
};

struct SoftmaxOutcome {
  std::optional<SoftmaxFault> unsafe;  ///< the first non-edge that (1) fails for, if any
  /// For each edge a head for which (2) holds; absent when there is none.
  std::vector<std::optional<std::size_t>> recovering_heads;

  bool holds() const;
};

/// Decides (1) and, for each edge, (2) in its named head, or in every head when none are named; then
/// the first one counts.
///
/// Require  one embedding row per vertex, a valid channel, context_size >= 2, one head per edge.
/// Errors   ShapeError; SizeError (verify/exponentials.hpp).
SoftmaxOutcome softmax_outcome(const Graph& graph, const ProjectedHeads& projected,
                               const Softmax& softmax, const Integer& context_size,
                               const std::vector<std::size_t>* named_heads, unsigned threads,
                               const Progress& progress = {});

}  // namespace qkcert
