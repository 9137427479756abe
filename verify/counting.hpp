#pragma once
/// The claims `bound counting` and `bound counting-random`: the counting bound at finite precision
/// (theory.md, B1).

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

/// The same for one random graph of the family.
RandomCountingBound read_counting_random(ClaimReader& in);
void write_body(ClaimWriter& out, const RandomCountingBound& claim);
/// True iff key_dimension reaches the target |family| / 2^failure_bits and one less does not.
Verdict decide(const RandomCountingBound& claim, unsigned threads, const Progress& progress);

}  // namespace qkcert
