#include <qkcert/bounds/counting.hpp>
#include <qkcert/bounds/least.hpp>
#include <qkcert/core/errors.hpp>

namespace qkcert {

namespace {

Integer least_power(const Integer& d_model, const Integer& weight_max, const Integer& target) {
  // levels >= 2 makes the target's bits large enough.
  return least(0, bit_length(target), [&](const Integer& key_dimension) {
    return power_at_least(2 * weight_max + 1, 2 * d_model * key_dimension, target);
  });
}

void require_parameters(const Integer& d_model, const Integer& weight_max) {
  if (d_model < 1) throw UsageError("the counting bound needs d_model >= 1");
  if (weight_max < 1) throw UsageError("the counting bound needs weight-max >= 1");
}

}  // namespace

CountingBound counting_bound(const Family& family, const Integer& d_model,
                             const Integer& weight_max) {
  require_parameters(d_model, weight_max);
  return {family, d_model, weight_max, least_power(d_model, weight_max, family.size())};
}

RandomCountingBound counting_random_bound(const Family& family, const Integer& d_model,
                                          const Integer& weight_max, const Integer& failure_bits) {
  require_parameters(d_model, weight_max);
  if (failure_bits < 1) throw UsageError("the bound for one random graph needs failure-bits >= 1");
  return {family, d_model, weight_max, failure_bits,
          least_power(d_model, weight_max, over_power_of_two(family.size(), failure_bits))};
}

}  // namespace qkcert
