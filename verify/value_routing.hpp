#pragma once
/// What attention makes of values: whether the outputs of the heads, cut at a level, name exactly
/// the neighbours. A verdict, not a claim: no certificate states it.

#include <qkcert/core/claim.hpp>
#include <qkcert/verify/check.hpp>
#include <qkcert/verify/contexts.hpp>

namespace qkcert {

/// Row v is the value that the keys of vertex v carry; the null key carries zeros. The *code* of v has
/// the bit j set iff value_vj > level.
struct ValueCode {
  Matrix values;
  Rational level;
};

/// In a context C, head k gives o^k_uj = Σ_{v∈C} α^k_uv(C)·value_vj, with the weights of
/// core/claim.hpp (SoftmaxRecovery), and the bit j is read as set iff o^k_uj > level for some k. The
/// bits are right when they are those of the codes of N(u) ∩ C together. Right bits name the
/// neighbours: when no vertex has more than one out-edge, as the vertex of C whose code equals the
/// bits, or none when no bit is set; else as those of C whose code is covered by the bits.
///
/// decide_values() holds iff
///   (1) right bits name exactly the neighbours: with out-degrees up to 1, the code of a target has a
///       bit and is no other vertex's; else no code but those of N(u) is covered by the codes of N(u)
///       together, for any u;
///   (2) a bit that no neighbour in C has is read as not set, in every context C of u;
///   (3) a bit of a neighbour v is read as set, by one head in all contexts of u and v;
/// all for contexts of up to ℓ = min(context_size, m) vertices. (2) and, with one head, (3) are necessary
/// for bits to be right in all of them; for (1), ℓ is not looked at.
///
/// Reason   o^k_uj > level iff f = -level·e^(βτ) + Σ_{v∈C} g_v > 0 with
///          g_v = (value_vj - level)·e^(βS^k_uv): a sum over C. So f is greatest, over contexts of u
///          without neighbours of that bit, with the ℓ - 1 greatest positive g_v, and least, over
///          those of u and v, with the ℓ - |{u,v}| least negative ones. Two g are compared, and f
///          with 0, by sign_of_sum(): exact, ties included.
///
/// decide_values_in_contexts() holds iff in each context of the list the bits are right and name
/// exactly the neighbours.
///
/// Shapes   values: m × p. claim.recovering_heads is not looked at, and claim.context_size only
///          by the first.
/// Cost     m·p·h sums of m terms (and of ℓ for each edge), or |C|·p·h of |C| terms for each C.
/// Errors   ShapeError; SizeError (verify/exponentials.hpp).
Verdict decide_values(const SoftmaxRecovery& claim, const ValueCode& code, unsigned threads,
                      const Progress& progress = {});
Verdict decide_values_in_contexts(const SoftmaxRecovery& claim, const ValueCode& code,
                                  const Contexts& contexts, unsigned threads,
                                  const Progress& progress = {});

}  // namespace qkcert
