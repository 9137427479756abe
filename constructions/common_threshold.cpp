#include <algorithm>
#include <qkcert/constructions/common_threshold.hpp>
#include <qkcert/core/errors.hpp>

namespace qkcert {

std::vector<Integer> common_threshold_factors(const std::vector<HeadScores>& heads) {
  Integer threshold = 0;
  for (const auto& [least, greatest] : heads) {
    require(least > 0 && least > greatest, "common_threshold_factors: heads that separate");
    if (greatest <= 0) continue;
    const Integer gap = least - greatest;
    threshold = std::max<Integer>(threshold, (least * greatest + gap - 1) / gap);
  }
  std::vector<Integer> factors;
  factors.reserve(heads.size());
  for (const HeadScores& head : heads) factors.push_back(threshold / head.least + 1);
  return factors;
}

}  // namespace qkcert
