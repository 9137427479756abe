#pragma once
/// The claim `bound unit-heads`: an induced matching needs many heads of width one (theory.md, B5).

#include <qkcert/core/claim.hpp>
#include <qkcert/verify/check.hpp>
#include <qkcert/verify/claim_reader.hpp>
#include <qkcert/verify/claim_writer.hpp>

namespace qkcert {

/// Reads the lines between `claim …` and `end`.
UnitHeadsBound read_unit_heads(ClaimReader& in);

/// Writes them.
void write_body(ClaimWriter& out, const UnitHeadsBound& claim);

/// True iff the matching consists of edges and all its cross pairs are non-edges.
///
/// Why it suffices: a unit head scores S_uv = p_u·r_v. Say it holds the matching's edges (a, b) and
/// (c, d), among others. Then p_a·r_b > τ >= p_a·r_d, as (a, d) is a non-edge, so p_a ≠ 0; r_b is
/// the strict maximum of r over the targets of all matching edges when p_a > 0, the strict minimum
/// when p_a < 0. Each is one edge's alone: a unit head holds at most two, whatever τ and the size
/// of the matching. (Of one edge alone nothing is claimed but that it needs a head.)
///
/// Cost  O(m + m'), as only the edges that leave the matching's sources are looked at.
Verdict decide(const UnitHeadsBound& claim, unsigned threads, const Progress& progress);

}  // namespace qkcert
