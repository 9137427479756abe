#include <qkcert/constructions/storage.hpp>

#include "constructions/proposals.hpp"

namespace qkcert {
namespace {

TEST_CASE("require_storable's limits are exact") {
  const Integer words = max_weight_bits / 64;
  CHECK_NOTHROW(require_storable("x", words, 0));
  CHECK_NOTHROW(require_storable("x", words, 64));
  CHECK_THROWS_AS(require_storable("x", words, 65), SizeError);
  CHECK_THROWS_AS(require_storable("x", words + 1, 1), SizeError);
  CHECK_NOTHROW(require_storable("x", 1, max_bits));
  const Integer most = max_weight_bits / max_bits;
  CHECK_NOTHROW(require_storable("x", most, max_bits));
  CHECK_THROWS_AS(require_storable("x", most + 1, max_bits), SizeError);
  CHECK(test::message_of<SizeError>([] { require_storable("x", 1, Integer(max_bits) + 1); }) ==
        "x: 1 weights of up to 268435457 bits are too large");
}

}  // namespace
}  // namespace qkcert
