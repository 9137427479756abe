#pragma once
/// The claim `impossibility narrow-head`: two hulls so near that heads of small integer weights
/// cannot tell them apart (theory.md, B3″).

#include <qkcert/core/claim.hpp>
#include <qkcert/verify/check.hpp>
#include <qkcert/verify/claim_reader.hpp>
#include <qkcert/verify/claim_writer.hpp>

namespace qkcert {

/// Reads the lines between `claim …` and `end`.
NarrowHeadImpossibility read_narrow_head(ClaimReader& in);

/// Writes them. Errors: ShapeError when shapes disagree.
void write_body(ClaimWriter& out, const NarrowHeadImpossibility& claim);

/// True iff width, weight_max >= 1, both totals are one s > 0 and width·weight_max²·Σ|M_ij| < s.
///
/// Such a head's W_Q·W_Kᵀ has entries up to width·weight_max², so ⟨W_Q·W_Kᵀ, M⟩ < s. If it told
/// edges from non-edges, whose scores are integers, each edge would score at least 1 more than each
/// non-edge, and the same product would be at least s.
Verdict decide(const NarrowHeadImpossibility& claim, unsigned threads, const Progress& progress);

}  // namespace qkcert
