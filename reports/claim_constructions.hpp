#pragma once
/// The kinds of theory claims that speak of constructions: `construction`, `channel`, `universal`
/// (docs/claims.md).

#include <qkcert/reports/claim_kinds.hpp>
#include <vector>

namespace qkcert {

std::vector<ClaimKind> construction_claim_kinds();

}  // namespace qkcert
