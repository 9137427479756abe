#pragma once
/// The advantage theorem: classes that no single head serves and a unit head per edge does
/// (theory.md, section 2).

#include <qkcert/core/claim.hpp>

namespace qkcert {

/// `count` integer points of one norm on distinct lines through 0: equal norms make every row
/// dominate (Cauchy–Schwarz), as edge-per-head needs.
///
///   d_model = 2: up to 4 lines through norm 5, 6 through 25, 8 through 65, 12 through 325, …
///
/// Require  count >= 1, d_model >= 1.
/// Ensure   the least such squared norm; rows in lexicographic order, their first non-zero entry
///          positive.
/// Errors   UsageError when there are none (d_model = 1) or none within 2^26 steps.
Matrix points_of_one_norm(std::size_t count, std::size_t d_model);

/// The theorem for this class and dimension, on points_of_one_norm.
///
/// Require  d_model >= 1.
/// Errors   UsageError when the count does not exclude that single heads reach the whole
///          class; those of points_of_one_norm; SizeError.
ClassAdvantage class_advantage(const Family& family, std::size_t d_model);

}  // namespace qkcert
