#pragma once
/// Claims that one embedding serves a whole class, with their witnesses. verify/ decides them.

#include <qkcert/core/claim.hpp>
#include <qkcert/core/parallel.hpp>

namespace qkcert {

/// All good pairs of the embedding that are found (constructions/good_pairs.hpp), as the witness that
/// ⌈e/2⌉ unit heads serve every graph of the family.
///
/// Require  one row per vertex.
/// Ensure   every listed pair is good; the same list for any thread count. Whether they are enough
///          is for check() to say.
/// Cost     C(m, 2) good pairs, on `threads` threads.
/// Errors   ShapeError; MethodError, before any work, when the class has no edges, or degrees so
///          large that even all pairs would not be enough.
UniversalEdgePairs universal_edge_pairs(const Family& family, const Matrix& rows,
                                        unsigned threads = 0, const Progress& progress = {});

/// The claim that a unit head for each edge serves every graph of the family.
///
/// Errors   ShapeError; MethodError when the class has no edges.
UniversalEdgePerHead universal_edge_per_head(const Family& family, const Matrix& rows);

}  // namespace qkcert
