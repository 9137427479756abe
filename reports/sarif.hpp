#pragma once
/// Results of claims as SARIF 2.1.0, which code hosts show beside the lines of the file.

#include <qkcert/reports/claims.hpp>
#include <string>

namespace qkcert {

/// One run with a result for each claim that failed (rule `claim-failed`) or is an error (rule
/// `claim-error`), at its line and column; passed claims have none. Ends in a newline.
///
/// Source  OASIS, Static Analysis Results Interchange Format 2.1.0.
std::string to_sarif(const ClaimResults& results);

}  // namespace qkcert
