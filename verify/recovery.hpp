#pragma once
/// The claim `recovery`: a channel recovers every context's neighbours (theory.md, Theorem 1).

#include <qkcert/core/claim.hpp>
#include <qkcert/verify/check.hpp>
#include <qkcert/verify/claim_reader.hpp>
#include <qkcert/verify/claim_writer.hpp>

namespace qkcert {

/// Reads the lines between `claim …` and `end`.
RecoveryClaim read_recovery(ClaimReader& in);

/// Writes them. Errors: ShapeError when shapes disagree.
void write_body(ClaimWriter& out, const RecoveryClaim& claim);

/// True iff the stated extremes are the exact ones and the threshold separates them.
Verdict decide(const RecoveryClaim& claim, const Execution& execution);
/// The same; `exact` are the exact extremes of the claim's channel, computed elsewhere.
Verdict decide(const RecoveryClaim& claim, const Extremes& exact);
inline Verdict decide(const RecoveryClaim& claim, unsigned threads, const Progress& progress) {
  return decide(claim, {.threads = threads, .progress = progress});
}

}  // namespace qkcert
