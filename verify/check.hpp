#pragma once
/// The judge: whether a claim is true. Nothing else in this project accepts anything.

#include <qkcert/core/claim.hpp>
#include <qkcert/core/parallel.hpp>
#include <qkcert/verify/extremes.hpp>
#include <string>

namespace qkcert {

struct Verdict {
  bool holds;
  /// One line: the claim restated when it holds; else the reason, with the pair or the numbers.
  std::string text;
};

/// Decides `claim` by integer arithmetic alone.
///
/// Ensure   holds == true only if the claim is true; what that means for each claim stands in its own
///          header (recovery.hpp, impossibility.hpp, counting.hpp, …). A claim too large to be decided
///          within max_bits does not hold.
/// Cost     that of the claim's decide()
/// Errors   UsageError for an execution that makes no sense here (verify/extremes.hpp).
///
/// `scores`, where given, computes the extremes of a recovery claim instead of score_extremes, in
/// several processes say; they must be exact, as they are believed.
using Scorer = std::function<Extremes(const RecoveryClaim& claim, const Execution& execution)>;
Verdict check(const Claim& claim, const Execution& execution, const Scorer& scores = {});
Verdict check(const Claim& claim, unsigned threads = 0, const Progress& progress = {});

}  // namespace qkcert
