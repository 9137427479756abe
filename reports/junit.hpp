#pragma once
/// Results of claims as JUnit XML, in the form that Jenkins, GitLab and GitHub's actions read.

#include <qkcert/reports/claims.hpp>
#include <string>

namespace qkcert {

/// One `testsuite`, the file, and a `testcase` a claim, in their order, with `failure` or `error`.
/// No times and dates: the same results give the same bytes. What XML cannot hold becomes U+FFFD.
std::string to_junit(const ClaimResults& results);

}  // namespace qkcert
