#pragma once
/// Claims decided: side by side, each in a process and within a time of its own, or taken from a
/// cache.

#include <atomic>
#include <qkcert/reports/claims.hpp>

namespace qkcert {

struct CheckOptions {
  unsigned jobs = 0;                             ///< processes at a time; 0: one per processor
  std::chrono::milliseconds time_limit{60'000};  ///< of claims that state none
  std::size_t memory = 0;                        ///< bytes that a process may have; 0: no limit
  std::optional<std::string> cache = {};         ///< a folder, made if it is missing
  std::string program = {};                      ///< what the cache knows this program by
  const std::atomic<bool>* stop = nullptr;       ///< set from outside: end now
};

/// Decides the claim here: observes and compares.
/// Errors: those of its kind.
ClaimResult decide(const TheoryClaim& claim);

/// Decides every claim.
///
/// Require  this process has one thread.
/// Ensure   the results stand in the order of the file, and are the same for any number of jobs and
///          with any cache, but for claims that end at their limit. A claim that has a mistake,
///          throws, crashes or does not end is an error, and the others are decided all the same.
///          Of claims that passed or failed the cache gets an entry each, whole or not at all; an
///          entry is used when program, content of the claim and bytes of its files are those it
///          was made for, and a damaged one is not.
///          Where none can be written, cache_failure says why.
/// Errors   FileError when the cache's folder cannot be used, before any work, or no process can be
///          had.
ClaimResults check_claims(const ClaimsFile& file, const CheckOptions& options);

}  // namespace qkcert
