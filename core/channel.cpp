#include <algorithm>
#include <qkcert/core/channel.hpp>
#include <qkcert/core/errors.hpp>

namespace qkcert {

std::size_t Channel::key_dimension() const {
  std::size_t sum = 0;
  for (const Head& head : heads)
    if (__builtin_add_overflow(sum, head.width(), &sum))
      throw SizeError("Channel: the widths add up to 2^64 or more");
  return sum;
}

Integer Channel::weight_max() const {
  Integer largest = 0;
  for (const Head& head : heads)
    largest = std::max({largest, head.query.max_abs(), head.key.max_abs()});
  return largest;
}

void require_valid(const Channel& channel, std::size_t d_model) {
  require(!channel.heads.empty(), "Channel: at least one head is required");
  for (const Head& head : channel.heads) {
    require(head.width() >= 1, "Channel: every head needs a width of at least 1");
    require(head.key.cols() == head.width(), "Channel: query and key widths differ");
    require(head.query.rows() == d_model && head.key.rows() == d_model,
            "Channel: the weights need d_model rows");
  }
}

}  // namespace qkcert
