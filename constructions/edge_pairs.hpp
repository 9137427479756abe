#pragma once
/// `edge-pairs`: a head of width one for every two edges, on embeddings with many good pairs.
///
/// Two edges (u,v), (u',v') with u ≠ u', v ≠ v' are *compatible* when {u,u'} and {v,v'} are good
/// pairs (constructions/good_pairs.hpp). Their head has W_Q = ±z of {u,u'} and W_K = ±z' of {v,v'},
/// signs such that u and v have +n and +n'.
///
///   Claim  Both edges score n·n' in it, (u,v') and (u',v) score -n·n', and every other pair at most
///          max(n·g', g·n') < n·n', with g and g' the largest |⟨z,x_w⟩| of the other rows.
///   Proof  In verify/universal.hpp, Claim A.
///
/// An edge that no other is paired with has W_Q = z of the good single u and W_K = z of the good
/// single v. The queries are multiplied by the factors of constructions/common_threshold.hpp, so the
/// channel always recovers the graph.
///
/// The edges are paired greedily, then by exchanging partners (two unpaired edges and one pair make
/// two pairs), which leaves at most one edge wherever verify/universal.hpp promises that; if two or
/// more are left of at most 1024 edges, by a largest matching (Edmonds; Boost.Graph).

#include <qkcert/constructions/method.hpp>

namespace qkcert {

/// Parameters  none; not seeded.
/// Require     at least one edge; each edge is paired, or both its ends are good singles.
/// Ensure      head_dim = 1 and heads = m' - (pairs) >= ⌈m'/2⌉; every edge scores above some τ in
///             its head, no non-edge in any. For permutations ⌈m/2⌉ unit heads are the least there
///             can be (theory.md, B5).
/// Cost        that of the good pairs asked for (constructions/good_pairs.hpp): about m' of them when
///             most pairs are good, all of them when the largest matching is needed. Proposing
///             plans anew.
/// Errors      MethodError that names the first edge that cannot be served; SizeError beyond the
///             limits of constructions/storage.hpp.
/// Source      theory.md, section 3, `edge-pairs`.
Method edge_pairs_method();

}  // namespace qkcert
