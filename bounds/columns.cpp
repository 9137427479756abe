#include <qkcert/bounds/columns.hpp>
#include <qkcert/core/counts.hpp>

namespace qkcert {

ColumnsBound columns_bound(const Family& family, const Integer& d_model, const Integer& weight_max,
                           const Integer& failure_bits) {
  if (d_model < 1 || weight_max < 1 || failure_bits < 0)
    throw UsageError("the columns bound needs d_model >= 1, weight-max >= 1, failure-bits >= 0");
  return {family, d_model, weight_max, failure_bits,
          least_columns(d_model, weight_max, over_power_of_two(family.size(), failure_bits))};
}

}  // namespace qkcert
