#include <mpfi.h>

#include <algorithm>
#include <optional>
#include <qkcert/core/errors.hpp>
#include <qkcert/verify/exponentials.hpp>

namespace qkcert {

namespace {

/// What MPFR keeps for a thread is freed when the thread ends.
struct ThreadCache {
  ~ThreadCache() { mpfr_free_cache(); }
};

class Interval {
 public:
  explicit Interval(std::size_t bits) {
    thread_local const ThreadCache cache;
    mpfi_init2(value_, static_cast<mpfr_prec_t>(bits));
  }
  ~Interval() { mpfi_clear(value_); }
  Interval(const Interval&) = delete;
  Interval& operator=(const Interval&) = delete;

  operator mpfi_ptr() { return value_; }

  /// floor(2^shift·x) of both ends, when it is the same integer.
  std::optional<Integer> floor_at(std::size_t shift = 0) {
    mpfi_mul_2ui(value_, value_, shift);
    Integer low, high;
    mpfr_get_z(low.backend().data(), &value_->left, MPFR_RNDD);
    mpfr_get_z(high.backend().data(), &value_->right, MPFR_RNDD);
    return low == high ? std::optional(low) : std::nullopt;
  }

 private:
  mpfi_t value_;
};

/// What `evaluate(bits)` answers at the first precision where it has an answer.
template <class Evaluate>
auto with_growing_precision(Evaluate evaluate) {
  for (std::size_t bits = 64; bits <= max_interval_bits; bits *= 2)
    if (const auto answer = evaluate(bits)) return *answer;
  throw SizeError("a comparison of exponentials needs more than 2^20 bits");
}

/// The terms by decreasing exponent, each exponent once, no coefficient zero.
std::vector<ExponentialTerm> collected(std::vector<ExponentialTerm> terms) {
  std::sort(terms.begin(), terms.end(),
            [](const auto& a, const auto& b) { return a.exponent > b.exponent; });
  std::vector<ExponentialTerm> result;
  for (ExponentialTerm& term : terms) {
    if (!result.empty() && result.back().exponent == term.exponent)
      result.back().coefficient += term.coefficient;
    else
      result.push_back(std::move(term));
  }
  std::erase_if(result, [](const auto& term) { return term.coefficient.is_zero(); });
  return result;
}

/// exponential = e^-x for x = beta·distance >= 0.
void enclose(Interval& exponential, const Rational& beta, const Integer& distance,
             std::size_t bits) {
  const Integer top = numerator(beta) * distance, bottom = denominator(beta);
  if (top >= bottom * bits) {  // e^-x <= 2^-x <= 2^-bits
    mpfi_interv_si(exponential, 0, 1);
    mpfi_div_2ui(exponential, exponential, bits);
    return;
  }
  mpfi_set_z(exponential, Integer(-top).backend().data());
  mpfi_div_z(exponential, exponential, bottom.backend().data());
  mpfi_exp(exponential, exponential);
}

}  // namespace

int sign_of_sum(std::vector<ExponentialTerm> unsorted, const Rational& beta) {
  require(beta > 0, "sign_of_sum: beta > 0 is required");
  const std::vector<ExponentialTerm> terms = collected(std::move(unsorted));
  if (terms.empty()) return 0;
  const int first = terms[0].coefficient.sign();
  if (std::all_of(terms.begin(), terms.end(),
                  [&](const auto& term) { return term.coefficient.sign() == first; }))
    return first;
  return with_growing_precision([&](std::size_t bits) -> std::optional<int> {
    Interval sum(bits), term(bits);
    mpfi_set_si(sum, 0);
    for (const auto& [coefficient, exponent] : terms) {
      enclose(term, beta, terms[0].exponent - exponent, bits);
      mpfi_mul_z(term, term, coefficient.backend().data());
      mpfi_add(sum, sum, term);
    }
    if (mpfi_is_strictly_pos(sum) > 0) return 1;
    if (mpfi_is_strictly_neg(sum) > 0) return -1;
    return std::nullopt;
  });
}

Integer floor_log(const Rational& ratio, const Rational& beta) {
  require(ratio > 0 && beta > 0, "floor_log: ratio > 0 and beta > 0 are required");
  if (ratio == 1) return 0;
  return with_growing_precision([&](std::size_t bits) {
    Interval log(bits);
    mpfi_set_q(log, ratio.backend().data());
    mpfi_log(log, log);
    mpfi_div_q(log, log, beta.backend().data());
    return log.floor_at();
  });
}

ExponentialTable::ExponentialTable(const Rational& beta) {
  require(beta > 0, "ExponentialTable: beta > 0 is required");
  for (std::size_t f = 0; f < 64; ++f) {
    // 2^40·2^(-f/64) is an integer for f = 0 and irrational otherwise.
    const Integer floor = f == 0 ? power_of_two(40) : with_growing_precision([f](std::size_t bits) {
      Interval x(bits);
      mpfi_set_si(x, -static_cast<long>(f));
      mpfi_div_2ui(x, x, 6);
      mpfi_exp2(x, x);
      return x.floor_at(40);
    });
    low_[f] = to_uint64(floor).value();
    high_[f] = low_[f] + (f == 0 ? 0 : 1);
  }
  const Integer limit = power_of_two(62);
  capped_ = beta >= Rational(power_of_two(62));  // beyond any use, and beyond the limit below
  if (!capped_) {
    const Integer rate = with_growing_precision([&](std::size_t bits) {
      Interval x(bits), log2(bits);
      mpfi_set_q(x, beta.backend().data());
      mpfi_const_log2(log2);
      mpfi_div(x, x, log2);
      return x.floor_at(54);  // 2^48·64
    });
    capped_ = rate > limit;
    if (!capped_) rate_ = to_uint64(rate).value();
  }
  if (capped_) rate_ = to_uint64(limit).value();
}

void ExponentialTable::add(std::uint64_t d, ExponentialSum& sum) const {
  if (d == 0) {
    sum.low += std::uint64_t{1} << 40;
    sum.high += std::uint64_t{1} << 40;
    return;
  }
  __extension__ using Wide = unsigned __int128;
  constexpr std::uint64_t far = std::uint64_t{1} << 48;
  const bool near = d <= far && !capped_;
  const Wide step = Wide{std::min(d, far)} * rate_ >> 48;  // < 2^62
  const auto i = static_cast<std::uint64_t>(step);
  sum.high += (i >> 6 < 64 ? high_[i & 63] >> (i >> 6) : 0) + 1;
  const std::uint64_t j = i + 2;
  if (near && j >> 6 < 64) sum.low += low_[j & 63] >> (j >> 6);
}

}  // namespace qkcert
