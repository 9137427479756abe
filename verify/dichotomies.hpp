#pragma once
/// The claims `impossibility single-head-class` and `bound heads`: heads of any widths and any real
/// weights on every embedding (theory.md, B2' and B2'').
/// read_… reads the lines between `claim …` and `end`, write_body writes them.

#include <qkcert/core/claim.hpp>
#include <qkcert/verify/check.hpp>
#include <qkcert/verify/claim_reader.hpp>
#include <qkcert/verify/claim_writer.hpp>

namespace qkcert {

SingleHeadClassImpossibility read_single_head_class(ClaimReader& in);
void write_body(ClaimWriter& out, const SingleHeadClassImpossibility& claim);
/// True iff there are fewer dichotomies than graphs.
Verdict decide(const SingleHeadClassImpossibility& claim, unsigned threads,
               const Progress& progress);

HeadsBound read_heads(ClaimReader& in);
void write_body(ClaimWriter& out, const HeadsBound& claim);
/// True iff `heads` dichotomies reach the family's size and one less do not.
Verdict decide(const HeadsBound& claim, unsigned threads, const Progress& progress);

}  // namespace qkcert
