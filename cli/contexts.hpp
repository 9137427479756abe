#pragma once
/// `--contexts FILE`, for the verbs that decide channels.

#include <qkcert/reports/report.hpp>
#include <qkcert/verify/check.hpp>
#include <string>

namespace qkcert::cli {

/// Decides the channel of `claim` in the contexts that `bytes` lists, and notes in the report how much
/// they cover. `source` names the file in errors.
/// Errors: UsageError for a claim of no channel and for a malformed list.
Verdict check_in_contexts(const Claim& claim, const std::string& bytes, const std::string& source,
                          Report& report, unsigned threads, const Progress& progress);

}  // namespace qkcert::cli
