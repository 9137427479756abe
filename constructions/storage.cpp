#include <algorithm>
#include <qkcert/constructions/storage.hpp>
#include <qkcert/core/decimal.hpp>
#include <qkcert/core/errors.hpp>

namespace qkcert {

void require_storable(std::string_view method, const Integer& weights, const Integer& bits) {
  if (bits <= max_bits && weights * std::max<Integer>(bits, 64) <= max_weight_bits) return;
  throw SizeError(std::string(method) + ": " + to_decimal(weights) + " weights of up to " +
                  to_decimal(bits) + " bits are too large");
}

}  // namespace qkcert
