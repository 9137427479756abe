#include <qkcert/core/errors.hpp>
#include <qkcert/verify/advantage.hpp>
#include <qkcert/verify/check.hpp>
#include <qkcert/verify/columns.hpp>
#include <qkcert/verify/counting.hpp>
#include <qkcert/verify/dichotomies.hpp>
#include <qkcert/verify/float_safe.hpp>
#include <qkcert/verify/heads_clique.hpp>
#include <qkcert/verify/impossibility.hpp>
#include <qkcert/verify/margin.hpp>
#include <qkcert/verify/narrow_head.hpp>
#include <qkcert/verify/recovery.hpp>
#include <qkcert/verify/softmax.hpp>
#include <qkcert/verify/unit_heads.hpp>
#include <qkcert/verify/universal.hpp>
#include <qkcert/verify/warren.hpp>

namespace qkcert {

Verdict check(const Claim& claim, unsigned threads, const Progress& progress) {
  return check(claim, {.threads = threads, .progress = progress});
}

Verdict check(const Claim& claim, const Execution& execution, const Scorer& scores) {
  try {
    if (const auto* recovery = std::get_if<RecoveryClaim>(&claim))
      return scores ? decide(*recovery, scores(*recovery, execution))
                    : decide(*recovery, execution);
    return std::visit(
        [&](const auto& each) { return decide(each, execution.threads, execution.progress); },
        claim);
  } catch (const SizeError& error) {
    return {false, std::string("too large to be decided: ") + error.what()};
  } catch (const ShapeError& error) {
    return {false, error.what()};
  }
}

}  // namespace qkcert
