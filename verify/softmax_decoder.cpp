#include <algorithm>
#include <bit>
#include <qkcert/verify/softmax_decoder.hpp>

namespace qkcert {

namespace {

constexpr std::uint64_t far = (std::uint64_t{1} << 63) - 1;

/// greatest - score >= 0, or `far` when it is more.
template <class Score>
std::uint64_t distance(const Score& greatest, const Score& score) {
  if constexpr (std::is_same_v<Score, Integer>) {
    return std::min(to_uint64(greatest - score).value_or(far), far);
  } else if constexpr (std::is_same_v<Score, Int128>) {
    // Both are below 2^127 in absolute value: their difference fits in 128 bits without a sign.
    __extension__ using Unsigned = unsigned __int128;
    const Unsigned difference = static_cast<Unsigned>(greatest) - static_cast<Unsigned>(score);
    return difference > far ? far : static_cast<std::uint64_t>(difference);
  } else {
    // Both are below 2^63 in absolute value: likewise in 64 bits.
    return std::min(static_cast<std::uint64_t>(greatest) - static_cast<std::uint64_t>(score), far);
  }
}

}  // namespace

SoftmaxDecoder::SoftmaxDecoder(const Softmax& softmax)
    : beta_(softmax.beta),
      top_(numerator(softmax.theta)),
      bottom_(denominator(softmax.theta)),
      table_(softmax.beta) {
  require(softmax.theta > 0 && softmax.theta < 1, "0 < theta < 1 is required");
  const Rational odds = softmax.theta / (1 - softmax.theta);
  for (std::size_t i = 0; i < 64; ++i)
    limits_.push_back(floor_log(odds * power_of_two(i), softmax.beta));
}

std::optional<bool> SoftmaxDecoder::exceeds_by_bounds(const Integer& score, const Integer& greatest,
                                                      std::size_t terms) const {
  const Integer lead = score - greatest;
  if (lead <= limits_[0]) return false;
  const auto c = static_cast<std::size_t>(std::bit_width(terms - 1));  // 2^c >= terms >= 1
  if (c < limits_.size() && lead > limits_[c]) return true;
  return std::nullopt;
}

template <class Score>
std::optional<bool> SoftmaxDecoder::exceeds_by_table(const Integer& score, const Integer& threshold,
                                                     std::span<const Score> others) const {
  Integer greatest = threshold;
  Score most = 0;
  if (!others.empty()) {
    most = *std::max_element(others.begin(), others.end());
    greatest = std::max(greatest, to_integer(most));
  }
  if (const auto answer = exceeds_by_bounds(score, greatest, others.size() + 1)) return answer;
  if (others.size() >= ExponentialTable::max_terms) return std::nullopt;
  // All terms over that of the greatest, M. A distance cut to 2^63 is one that the table takes for
  // far.
  greatest = std::max(greatest, score);
  const auto short_of = [&](const Integer& r) {
    return std::min(to_uint64(greatest - r).value_or(far), far);
  };
  ExponentialSum own, sum;
  table_.add(short_of(score), own);
  table_.add(short_of(threshold), sum);
  const std::uint64_t base = others.empty() ? 0 : short_of(to_integer(most));
  for (const Score& other : others)
    table_.add(std::min(base + distance(most, other), far), sum);  // both <= 2^63 - 1: no wrap
  const Integer rest = bottom_ - top_;
  if (rest * own.low > top_ * sum.high) return true;
  if (rest * own.high <= top_ * sum.low) return false;
  return std::nullopt;
}

template <class Score>
bool SoftmaxDecoder::exceeds(const Integer& score, const Integer& threshold,
                             std::span<const Score> others) const {
  if (const auto answer = exceeds_by_table(score, threshold, others)) return *answer;
  std::vector<ExponentialTerm> terms{{bottom_ - top_, score}, {-top_, threshold}};
  for (const Score& other : others) terms.push_back({-top_, to_integer(other)});
  return sign_of_sum(std::move(terms), beta_) > 0;
}

template std::optional<bool> SoftmaxDecoder::exceeds_by_table(const Integer&, const Integer&,
                                                              std::span<const std::int64_t>) const;
template bool SoftmaxDecoder::exceeds(const Integer&, const Integer&,
                                      std::span<const std::int64_t>) const;
template bool SoftmaxDecoder::exceeds(const Integer&, const Integer&,
                                      std::span<const Int128>) const;
template bool SoftmaxDecoder::exceeds(const Integer&, const Integer&,
                                      std::span<const Integer>) const;

}  // namespace qkcert
