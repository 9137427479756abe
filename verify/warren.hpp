#pragma once
/// The claims `bound warren` and `bound warren-ranks`: real weights (theory.md, B2 and B2+).
/// read_… reads the lines between `claim …` and `end`, write_body writes them.

#include <qkcert/core/claim.hpp>
#include <qkcert/verify/check.hpp>
#include <qkcert/verify/claim_reader.hpp>
#include <qkcert/verify/claim_writer.hpp>

namespace qkcert {

WarrenBound read_warren(ClaimReader& in);
void write_body(ClaimWriter& out, const WarrenBound& claim);
/// True iff Warren's hypothesis m² >= 2·min(m, d_model) + 1 holds, key_dimension reaches the target
/// and one less does not.
Verdict decide(const WarrenBound& claim, unsigned threads, const Progress& progress);

WarrenRanksBound read_warren_ranks(ClaimReader& in);
void write_body(ClaimWriter& out, const WarrenRanksBound& claim);
/// True iff key_dimension is the least whose count reaches the target.
Verdict decide(const WarrenRanksBound& claim, unsigned threads, const Progress& progress);

}  // namespace qkcert
