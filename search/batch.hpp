#pragma once
/// Questions put to construction methods side by side, as if one after the other.

#include <functional>
#include <qkcert/search/attempt.hpp>
#include <string>
#include <vector>

namespace qkcert {

/// What became of one question that a search put to a method.
struct Tried {
  enum class Outcome { verified, not_separated, weights_too_large, refused, cut_off };

  std::string method;
  std::optional<Architecture> architecture;  ///< absent: refused, and not asked for one
  std::uint64_t seed = 1;
  Outcome outcome = Outcome::refused;
  std::string reason = {};  ///< why the method refused
  unsigned patience = 1;
};

struct Answer {
  Tried tried;
  std::optional<Attempt> attempt = {};  ///< absent: refused

  bool verified() const { return tried.outcome == Tried::Outcome::verified; }
};

/// Asks `method` once. A proposal that fails after its time was up counts as cut off.
///
/// Ensure   verified() only if the attempt has a claim: score_extremes separates it and no |weight|
///          exceeds request.weight_max. A MethodError or SizeError becomes `refused`.
/// Errors   those of propose(), but for these two.
Answer ask(const Method& method, const Request& request);

/// The requests in order, up to and including the first whose answer is verified; whether there is
/// one. With `side_by_side` they run at the same time, each on one thread, and those after one that
/// verified are cancelled and forgotten; else one after the other, each on `threads`.
///
/// Ensure   `judge` may run on any thread, on several at once; `finish` gets the answers that count
///          in the order of the requests, one at a time: the same for any thread count, unless a
///          request's deadline or stop ended it. Nothing is started after that.
bool first_verified(const std::vector<Request>& requests, unsigned threads, bool side_by_side,
                    const std::function<Answer(const Request&)>& judge,
                    const std::function<void(Answer)>& finish);

}  // namespace qkcert
