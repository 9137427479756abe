#pragma once
/// The kind of theory claims that speaks of read-outs by softmax: `softmax` (docs/claims.md).

#include <qkcert/reports/claim_kinds.hpp>
#include <vector>

namespace qkcert {

std::vector<ClaimKind> softmax_claim_kinds();

}  // namespace qkcert
