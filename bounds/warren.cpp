#include <qkcert/bounds/least.hpp>
#include <qkcert/bounds/warren.hpp>
#include <qkcert/core/counts.hpp>

namespace qkcert {

namespace {

void require_parameters(const Integer& d_model, const Integer& failure_bits) {
  if (d_model < 1 || failure_bits < 0)
    throw UsageError("Warren's bound needs d_model >= 1 and failure-bits >= 0");
}

}  // namespace

WarrenBound warren_bound(const Family& family, const Integer& d_model,
                         const Integer& failure_bits) {
  require_parameters(d_model, failure_bits);
  const std::uint64_t m = family.vertices();
  const std::uint64_t rank = largest_rank(m, d_model);
  if (!warren_applies(m, rank))
    throw UsageError(
        "there is no Warren bound: m² >= 2·min(m, d_model) + 1 does not hold for m = " +
        std::to_string(m));
  const Integer target = over_power_of_two(family.size(), failure_bits);
  return {family, d_model, failure_bits,
          least(0, bit_length(target), [&](const Integer& key_dimension) {
            return warren_reaches(m, rank, key_dimension, target);
          })};
}

WarrenRanksBound warren_ranks_bound(const Family& family, const Integer& d_model,
                                    const Integer& failure_bits) {
  require_parameters(d_model, failure_bits);
  const std::uint64_t m = family.vertices();
  return {family, d_model, failure_bits,
          least_rank_columns(m, largest_rank(m, d_model),
                             over_power_of_two(family.size(), failure_bits))};
}

}  // namespace qkcert
