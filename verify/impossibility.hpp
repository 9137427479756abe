#pragma once
/// The claim `impossibility single-head`: multipliers on which two hulls meet (theory.md, B3).

#include <qkcert/core/claim.hpp>
#include <qkcert/verify/check.hpp>
#include <qkcert/verify/claim_reader.hpp>
#include <qkcert/verify/claim_writer.hpp>

namespace qkcert {

/// Reads the lines between `claim …` and `end`.
SingleHeadImpossibility read_impossibility(ClaimReader& in);

/// Writes them. Errors: ShapeError when shapes disagree.
void write_body(ClaimWriter& out, const SingleHeadImpossibility& claim);

/// True iff the totals are equal and positive and both sums of weight·x_uᵀx_v are equal.
Verdict decide(const SingleHeadImpossibility& claim, unsigned threads, const Progress& progress);

}  // namespace qkcert
