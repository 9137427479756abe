#pragma once
/// The claims `universal edge-per-head` and `universal edge-pairs`: one embedding on which so many
/// unit heads serve every graph of a class (theory.md, section 3).

#include <qkcert/core/claim.hpp>
#include <qkcert/verify/check.hpp>
#include <qkcert/verify/claim_reader.hpp>
#include <qkcert/verify/claim_writer.hpp>

namespace qkcert {

/// Read the lines between `claim …` and `end`.
UniversalEdgePerHead read_universal_edge_per_head(ClaimReader& in);
UniversalEdgePairs read_universal_edge_pairs(ClaimReader& in);

/// Write them. Errors: ShapeError when there is not one row per vertex, or one vector per pair.
void write_body(ClaimWriter& out, const UniversalEdgePerHead& claim);
void write_body(ClaimWriter& out, const UniversalEdgePairs& claim);

/// True iff heads is the class's number of edges, at least 1, and every row dominates. Why it
/// suffices: constructions/edge_per_head.hpp. Cost: m²·d multiply-adds.
Verdict decide(const UniversalEdgePerHead& claim, unsigned threads, const Progress& progress);

/// True iff, with e the class's number of edges, O and I its largest out-degree and in-degree, and B
/// the most vertices that a vertex forms no listed pair with (B = m-1 when it is in none),
///
///   (1) every listed pair {i, j} is good: its z has n = ⟨z,x_i⟩ > 0, ⟨z,x_j⟩ = -n, and
///       |⟨z,x_v⟩| < n for all other v;
///   (2) e >= 1 and (B+1)·(O+I) - 2 <= ⌈e/2⌉ - 1;
///   (3) e is even, or every vertex is in two listed pairs: m-1-B >= 2;
///   (4) heads = ⌈e/2⌉.
///
/// Why it suffices. Take any graph of the class. Call two of its edges (u,v), (u',v') compatible
/// when {u,u'} and {v,v'} are both listed; so u ≠ u' and v ≠ v', while loops and u = v' do no harm.
///
///   Claim A  One unit head holds two compatible edges: both score the same G > 0 in it and every
///            other pair, edge or not, less.
///   Proof    Let W_Q be ±z of {u,u'}, W_K be ±z' of {v,v'}, with signs such that p_u = n = -p_u'
///            and r_v = n' = -r_v' for p = X·W_Q and r = X·W_K. Then S_uv = S_u'v' = n·n' = G and
///            S_uv' = S_u'v = -G. For any other pair (a,b), a is not u or u', and |p_a| < n while
///            |r_b| <= n'; or b is not v or v', and |r_b| < n' while |p_a| <= n. As n, n' > 0,
///            |S_ab| < G.                                                                    (end)
///   Claim B  An edge is incompatible with at most (B+1)·(O+I) - 2 others.
///   Proof    Those are the edges whose source is u or not listed with u: B+1 sources at most with
///            O edges each at most, (u,v) itself among them, so (B+1)·O - 1 others; and likewise
///            (B+1)·I - 1 others by their targets.                                          (end)
///   Claim C  A graph on e vertices, each with at least (e-1)/2 neighbours, has a matching that
///            leaves out at most one vertex.
///   Proof    Suppose a largest matching leaves out a and b. They are not adjacent, and have no
///            neighbour outside the matching, else it would grow. Of any matched {c,d} at most two
///            of ac, ad, bc, bd are there: with three, a is joined to one end and b to the other,
///            and the matching grows. So a and b have together at most 2·(e-2)/2 = e-2
///            neighbours, but they should have at least e-1.                                (end)
///
/// By B and (2) each edge has at least e-1 - (⌈e/2⌉-1) = ⌊e/2⌋ >= (e-1)/2 compatible ones; so by C
/// the edges are paired off but for at most one, exactly one when e is odd, and by A each two share
/// a unit head. The last edge (u,v) has a head of its own, by (3):
///
///   Claim D  A vertex i in two listed pairs has a real z* with ⟨z*,x_i⟩ > |⟨z*,x_v⟩| for all v ≠ i.
///   Proof    Were x_j = x_k = -x_i for listed {i,j}, {i,k}, the z of {i,j} would have
///            ⟨z,x_k⟩ = -n, which (1) excludes. Say x_i + x_j ≠ 0, and let z* = z + ε(x_i + x_j),
///            ε > 0. Then ⟨z*,x_i⟩ + ⟨z*,x_j⟩ = ε|x_i + x_j|² > 0, and for small ε the rest of (1)
///            stays strict and ⟨z*,x_i⟩ exceeds ⟨z*,x_j⟩ < 0 too.                          (end)
///
/// With z* of u as W_Q and z* of v as W_K the pair (u,v) scores strictly most, and positively.
/// Rational ε are enough, so all weights are rational; multiplied by positive numbers they are
/// integers and all heads have one G, which every edge scores in its head and no non-edge in any.
///
/// The condition is sufficient: a class that fails it may be served all the same.
///
/// Cost     N·m·d multiply-adds, in 128 bits where they suffice.
Verdict decide(const UniversalEdgePairs& claim, unsigned threads, const Progress& progress);

/// B: the most other vertices that some vertex has no listed pair with.
/// Require: at least one vertex; pairs of vertices below it. Errors: ShapeError.
std::size_t most_unlisted(const UniversalEdgePairs& claim);

}  // namespace qkcert
