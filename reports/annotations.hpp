#pragma once
/// Results of claims as GitHub's workflow commands, which annotate the lines of the file.

#include <qkcert/reports/claims.hpp>
#include <string>

namespace qkcert {

/// A line `::error file=…,line=…,col=…,title=…::…` for each claim that failed or is an error.
std::string to_annotations(const ClaimResults& results);

}  // namespace qkcert
