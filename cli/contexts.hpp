#pragma once
/// `--contexts FILE`, for the verbs that decide channels.

#include <qkcert/reports/report.hpp>
#include <qkcert/verify/check.hpp>
#include <qkcert/verify/contexts.hpp>
#include <string>

namespace qkcert::cli {

/// The list that `bytes` holds. Errors: UsageError, as it is an option's file.
Contexts contexts_from(const std::string& bytes, const std::string& source, std::size_t vertices);

/// Decides the channel of `claim` in the contexts that `bytes` lists, and notes in the report how much
/// they cover. `source` names the file in errors.
/// Errors: UsageError for a claim of no channel and for a malformed list.
Verdict check_in_contexts(const Claim& claim, const std::string& bytes, const std::string& source,
                          Report& report, unsigned threads, const Progress& progress);

}  // namespace qkcert::cli
