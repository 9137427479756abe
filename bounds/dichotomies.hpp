#pragma once
/// B2' and B2'', heads of any widths and any real weights on every embedding (theory.md, section
/// 2).

#include <qkcert/core/claim.hpp>

namespace qkcert {

/// That one head serves too few graphs: core/counts.hpp, dichotomies_reach, is below |F|.
///
/// Require  d_model >= 1.
/// Errors   UsageError, also when the dichotomies are not fewer than the graphs; SizeError when |F|
///          has more than max_bits bits or the sum more than max_subset_size terms.
/// Source   theory.md, B2': L. Schläfli; T. Cover, IEEE Trans. Electronic Computers 14 (1965).
SingleHeadClassImpossibility single_head_class(const Family& family, const Integer& d_model);

/// The least number of heads whose dichotomies reach |F|. Require, errors (but the second) as
/// above.
HeadsBound heads_bound(const Family& family, const Integer& d_model);

}  // namespace qkcert
