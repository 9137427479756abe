#pragma once
/// The claim `bound counting`: the counting bound at finite precision (theory.md, B1).

#include <qkcert/core/claim.hpp>
#include <qkcert/verify/check.hpp>
#include <qkcert/verify/claim_reader.hpp>
#include <qkcert/verify/claim_writer.hpp>

namespace qkcert {

/// Reads the lines between `claim …` and `end`.
CountingBound read_counting(ClaimReader& in);

/// Writes them. Errors: ShapeError when shapes disagree.
void write_body(ClaimWriter& out, const CountingBound& claim);

/// True iff key_dimension reaches the family's size and one less does not.
Verdict decide(const CountingBound& claim, unsigned threads, const Progress& progress);

}  // namespace qkcert
