#include <limits>
#include <qkcert/core/channel.hpp>
#include <qkcert/core/errors.hpp>

#include "support.hpp"

namespace qkcert {
namespace {

Head head(std::size_t rows, std::size_t width) {
  return {Matrix(rows, width), Matrix(rows, width)};
}

TEST_CASE("D_K adds the widths and never wraps") {
  CHECK(Channel{}.key_dimension() == 0);
  CHECK(Channel{{head(2, 3), head(2, 1), head(2, 7)}}.key_dimension() == 11);
  constexpr std::size_t half = std::size_t{1} << 63;
  CHECK(Channel{{head(0, half), head(0, half - 1)}}.key_dimension() ==
        std::numeric_limits<std::size_t>::max());
  CHECK_THROWS_AS((Channel{{head(0, half), head(0, half)}}.key_dimension()), SizeError);
}

TEST_CASE("A is the largest |weight| of any head, query or key") {
  CHECK(Channel{}.weight_max() == 0);
  for (const std::size_t k : {0, 2})
    for (const bool in_key : {false, true})
      for (const Integer& value : {Integer(-9), Integer(-power_of_two(70))}) {
        Channel channel{{head(2, 2), head(2, 1), head(2, 3)}};
        channel.heads[1].query.set(0, 0, std::int64_t{8});
        Head& last = channel.heads[k];
        (in_key ? last.key : last.query).set(1, last.width() - 1, value);
        CHECK(channel.weight_max() == -value);
      }
}

TEST_CASE("require_valid names what is wrong with any head") {
  CHECK_NOTHROW(require_valid({{head(2, 1), head(2, 5)}}, 2));
  CHECK_NOTHROW(require_valid({{head(0, 1)}}, 0));
  CHECK_THROWS_WITH(require_valid({}, 2), "Channel: at least one head is required");
  const auto refused = [](const Head& last, const char* why) {
    CHECK_THROWS_WITH(require_valid({{head(2, 1), last}}, 2), why);
    CHECK_THROWS_AS(require_valid({{head(2, 1), last}}, 2), ShapeError);
  };
  refused(head(2, 0), "Channel: every head needs a width of at least 1");
  refused({Matrix(2, 1), Matrix(2, 2)}, "Channel: query and key widths differ");
  refused({Matrix(2, 1), Matrix(3, 1)}, "Channel: the weights need d_model rows");
  refused({Matrix(1, 1), Matrix(2, 1)}, "Channel: the weights need d_model rows");
  refused(head(3, 1), "Channel: the weights need d_model rows");
}

}  // namespace
}  // namespace qkcert
