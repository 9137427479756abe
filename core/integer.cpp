#include <qkcert/core/errors.hpp>
#include <qkcert/core/integer.hpp>
#include <qkcert/core/magnitude.hpp>

namespace qkcert {

std::size_t bit_length(const Integer& x) {
  return x.is_zero() ? 0 : mpz_sizeinbase(x.backend().data(), 2);
}

std::optional<std::int64_t> to_int64(const Integer& x) {
  if (bit_length(x) > 63) return std::nullopt;
  return mpz_get_si(x.backend().data());
}

std::optional<std::uint64_t> to_uint64(const Integer& x) {
  if (x < 0 || bit_length(x) > 64) return std::nullopt;
  return mpz_get_ui(x.backend().data());
}

Integer power_of_two(std::size_t exponent) {
  if (exponent >= max_bits) throw SizeError("power_of_two: the exponent is too large");
  Integer result;
  mpz_setbit(result.backend().data(), exponent);
  return result;
}

Integer power(const Integer& base, std::uint64_t exponent) {
  if (exponent > 0 && (base == 0 || base == 1)) return base;
  if (exponent > 0 && bit_length(base) > max_bits / exponent)
    throw SizeError("power: the result is too large");
  Integer result;
  mpz_pow_ui(result.backend().data(), base.backend().data(), exponent);
  return result;
}

bool power_at_least(const Integer& base, const Integer& exponent, const Integer& target) {
  require(base >= 2 && exponent >= 0, "power_at_least: base >= 2 and exponent >= 0 are required");
  if (target <= 1) return true;
  const Integer base_bits = bit_length(base);
  const Integer target_bits = bit_length(target);
  if ((base_bits - 1) * exponent >= target_bits) return true;
  if (base_bits * exponent < target_bits) return false;
  const std::uint64_t factors = to_uint64(exponent).value();
  return decide_by_enclosures([&](std::size_t bits) {
    return at_least(power(Magnitude(base, bits), factors), Magnitude(target, bits));
  });
}

namespace {

Integer product_tree(const Integer& first, std::uint64_t count) {
  if (count == 0) return 1;
  if (count <= 16) {
    Integer product = first;
    for (std::uint64_t i = 1; i < count; ++i) product *= first + i;
    return product;
  }
  const std::uint64_t half = count / 2;
  return product_tree(first, half) * product_tree(first + half, count - half);
}

}  // namespace

Integer rising_product(const Integer& first, std::uint64_t count) {
  if (count > 0 && bit_length(first + count) > max_bits / count)
    throw SizeError("rising_product: the result is too large");
  return product_tree(first, count);
}

Integer binomial(const Integer& n, const Integer& k) {
  require(n >= 0 && k >= 0, "binomial: n >= 0 and k >= 0 are required");
  if (k > n) return 0;
  const auto least = to_uint64(k < n - k ? k : n - k);
  if (!least || (*least > 0 && bit_length(n) > max_bits / *least))
    throw SizeError("binomial: the result is too large");
  return rising_product(n - *least + 1, *least) / rising_product(1, *least);
}

Integer binomial_sum(const Integer& n, const Integer& k, const Integer& limit) {
  require(n >= 0 && k >= 0, "binomial_sum: n >= 0 and k >= 0 are required");
  Integer sum = 1, term = 1;
  for (Integer i = 1; i <= k && i <= n && sum < limit; ++i) {
    if (bit_length(term) + bit_length(n) > max_bits)
      throw SizeError("binomial_sum: the result is too large");
    term = term * (n - i + 1) / i;
    sum += term;
  }
  return sum;
}

Integer over_power_of_two(const Integer& x, const Integer& exponent) {
  require(x >= 0 && exponent >= 0, "over_power_of_two: x >= 0 and exponent >= 0 are required");
  if (exponent >= bit_length(x)) return x.is_zero() ? 0 : 1;
  Integer result;
  mpz_cdiv_q_2exp(result.backend().data(), x.backend().data(), to_uint64(exponent).value());
  return result;
}

Integer floor_quotient(const Integer& a, const Integer& b) {
  require(b > 0, "floor_quotient: a positive divisor is required");
  Integer result;
  mpz_fdiv_q(result.backend().data(), a.backend().data(), b.backend().data());
  return result;
}

}  // namespace qkcert
