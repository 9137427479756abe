#pragma once
/// Results of claims for programs and for people.

#include <qkcert/reports/claims.hpp>
#include <string>

namespace qkcert {

/// One JSON object on one line, no newline, with the keys `file`, `status` (`passed`, `failed` or
/// `error`, the worst of all), `passed`, `failed`, `errors` (how many) and `claims`: objects with
/// `id`, `statement`, `source`, `kind` (null where a mistake came first), `line`, `column`,
/// `result`, `mismatches` (objects with `name`, `expected`, `found`) and `detail`.
std::string to_json(const ClaimResults& results);

/// A line for each claim: `passed ID`, or `failed ID` or `error ID` with place and message; then
/// how many there are of each.
std::string to_text(const ClaimResults& results);

}  // namespace qkcert
