#pragma once
/// Bisection.

#include <qkcert/core/integer.hpp>

namespace qkcert {

/// The least x in [low, high] with reaches(x), which is monotone.
/// Require: low <= high and reaches(high), which is not asked.
template <class Reaches>
Integer least(Integer low, Integer high, Reaches reaches) {
  while (low < high) {
    const Integer middle = floor_quotient(low + high, 2);
    if (reaches(middle))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

}  // namespace qkcert
