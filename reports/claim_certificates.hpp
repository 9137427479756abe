#pragma once
/// The kinds of theory claims that speak of certificates: `certificate`, `advantage`, `float-safe`
/// (docs/claims.md).

#include <qkcert/reports/claim_kinds.hpp>
#include <vector>

namespace qkcert {

std::vector<ClaimKind> certificate_claim_kinds();

}  // namespace qkcert
