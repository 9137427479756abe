#pragma once
/// The kinds of theory claims that speak of the heads that one graph needs: `single-head`,
/// `any-heads`, `min-heads` (docs/claims.md).

#include <qkcert/reports/claim_kinds.hpp>
#include <vector>

namespace qkcert {

std::vector<ClaimKind> heads_claim_kinds();

}  // namespace qkcert
