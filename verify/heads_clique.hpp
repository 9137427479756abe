#pragma once
/// The claim `bound heads-clique`: edges that need a head each (theory.md, B3′).

#include <qkcert/core/claim.hpp>
#include <qkcert/verify/check.hpp>
#include <qkcert/verify/claim_reader.hpp>
#include <qkcert/verify/claim_writer.hpp>

namespace qkcert {

/// Reads the lines between `claim …` and `end`.
HeadsCliqueBound read_heads_clique(ClaimReader& in);

/// Writes them. Errors: ShapeError when shapes disagree.
void write_body(ClaimWriter& out, const HeadsCliqueBound& claim);

/// True iff the clique has at least two different edges and each two of them have multipliers: λ on
/// these two alone, both totals equal and positive, both sums of weight·x_uᵀx_v equal.
Verdict decide(const HeadsCliqueBound& claim, unsigned threads, const Progress& progress);

}  // namespace qkcert
