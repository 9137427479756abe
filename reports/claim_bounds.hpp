#pragma once
/// The kinds of theory claims that speak of bounds and of sizes: `bound`, `family-size`,
/// `advantage-class` (docs/claims.md).
#include <qkcert/reports/claim_kinds.hpp>
#include <vector>

namespace qkcert {

std::vector<ClaimKind> bound_claim_kinds();

}  // namespace qkcert
