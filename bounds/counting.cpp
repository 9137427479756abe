#include <qkcert/bounds/counting.hpp>
#include <qkcert/core/errors.hpp>

namespace qkcert {

CountingBound counting_bound(const Family& family, const Integer& d_model,
                             const Integer& weight_max) {
  if (d_model < 1) throw UsageError("the counting bound needs d_model >= 1");
  if (weight_max < 1) throw UsageError("the counting bound needs weight-max >= 1");
  const Integer levels = 2 * weight_max + 1;
  const Integer size = family.size();
  const auto reaches = [&](const Integer& key_dimension) {
    return power_at_least(levels, 2 * d_model * key_dimension, size);
  };
  // Invariant of the bisection: the least D is in [low, high]. levels >= 2 makes `high` large
  // enough.
  Integer low = 0;
  Integer high = bit_length(size);
  while (low < high) {
    const Integer middle = (low + high) / 2;
    if (reaches(middle))
      high = middle;
    else
      low = middle + 1;
  }
  return {family, d_model, weight_max, low};
}

}  // namespace qkcert
