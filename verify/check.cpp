#include <qkcert/core/errors.hpp>
#include <qkcert/verify/advantage.hpp>
#include <qkcert/verify/check.hpp>
#include <qkcert/verify/columns.hpp>
#include <qkcert/verify/counting.hpp>
#include <qkcert/verify/dichotomies.hpp>
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
  try {
    return std::visit([&](const auto& each) { return decide(each, threads, progress); }, claim);
  } catch (const SizeError& error) {
    return {false, std::string("too large to be decided: ") + error.what()};
  } catch (const ShapeError& error) {
    return {false, error.what()};
  }
}

}  // namespace qkcert
