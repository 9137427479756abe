#pragma once
/// The kind of theory claims that speaks of tables: `table` (docs/claims.md).

#include <qkcert/reports/claim_kinds.hpp>
#include <vector>

namespace qkcert {

std::vector<ClaimKind> table_claim_kinds();

}  // namespace qkcert
