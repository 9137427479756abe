#pragma once
/// The claim `bound margin`: the rank that a two-sided margin costs (theory.md, B4).

#include <qkcert/core/claim.hpp>
#include <qkcert/verify/check.hpp>
#include <qkcert/verify/claim_reader.hpp>
#include <qkcert/verify/claim_writer.hpp>

namespace qkcert {

/// Reads the lines between `claim …` and `end`.
MarginBound read_margin(ClaimReader& in);

/// Writes them.
void write_body(ClaimWriter& out, const MarginBound& claim);

/// True iff m, t, R >= 1, ρ >= 1, ε >= 0 and C(R-1+t-1, t)·(ρ^2t + (m-1)ε^2t) < m, which is decided
/// by integers: with ρ = p/q and ε = r/s both sides are multiplied by (q·s)^2t.
Verdict decide(const MarginBound& claim, unsigned threads, const Progress& progress);

}  // namespace qkcert
