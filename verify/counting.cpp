#include <qkcert/core/decimal.hpp>
#include <qkcert/verify/counting.hpp>
#include <qkcert/verify/text.hpp>

namespace qkcert {

CountingBound read_counting(ClaimReader& in) {
  Family family = in.family();
  Integer d_model = in.integer_line("d_model", 1);
  Integer weight_max = in.integer_line("weight-max", 1);
  Integer key_dimension = in.integer_line("key-dimension", 0);
  return {std::move(family), std::move(d_model), std::move(weight_max), std::move(key_dimension)};
}

void write_body(ClaimWriter& out, const CountingBound& claim) {
  out.family(claim.family);
  out.integer_line("d_model", claim.d_model);
  out.integer_line("weight-max", claim.weight_max);
  out.integer_line("key-dimension", claim.key_dimension);
}

Verdict decide(const CountingBound& claim, unsigned, const Progress&) {
  if (claim.d_model < 1 || claim.weight_max < 1 || claim.key_dimension < 0)
    return {false, "d_model >= 1, weight-max >= 1 and key-dimension >= 0 are required"};
  const Integer levels = 2 * claim.weight_max + 1;
  const Integer exponent = 2 * claim.d_model;
  const Integer size = claim.family.size();
  const std::string subject =
      "(2·" + to_decimal(claim.weight_max) + "+1)^(2·" + to_decimal(claim.d_model) + "·D)";
  if (!power_at_least(levels, exponent * claim.key_dimension, size))
    return {false, "key-dimension " + to_decimal(claim.key_dimension) + " is too low: " + subject +
                       " is below the family's size there"};
  if (claim.key_dimension > 0 && power_at_least(levels, exponent * (claim.key_dimension - 1), size))
    return {false, "key-dimension " + to_decimal(claim.key_dimension) + " is too high: " + subject +
                       " reaches the family's size one below"};
  return {true, "bound counting: on any fixed embedding of d_model " + to_decimal(claim.d_model) +
                    ", channels with weights up to " + to_decimal(claim.weight_max) +
                    " that can serve every graph of the class " + claim.family.to_string() +
                    " need D_K >= " + to_decimal(claim.key_dimension) +
                    "; it bounds the class and not one chosen graph"};
}

RandomCountingBound read_counting_random(ClaimReader& in) {
  Family family = in.family();
  Integer d_model = in.integer_line("d_model", 1);
  Integer weight_max = in.integer_line("weight-max", 1);
  Integer failure_bits = in.integer_line("failure-bits", 1);
  Integer key_dimension = in.integer_line("key-dimension", 0);
  return {std::move(family), std::move(d_model), std::move(weight_max), std::move(failure_bits),
          std::move(key_dimension)};
}

void write_body(ClaimWriter& out, const RandomCountingBound& claim) {
  out.family(claim.family);
  out.integer_line("d_model", claim.d_model);
  out.integer_line("weight-max", claim.weight_max);
  out.integer_line("failure-bits", claim.failure_bits);
  out.integer_line("key-dimension", claim.key_dimension);
}

Verdict decide(const RandomCountingBound& claim, unsigned, const Progress&) {
  if (claim.d_model < 1 || claim.weight_max < 1 || claim.failure_bits < 1 ||
      claim.key_dimension < 0)
    return {false, "d_model, weight-max, failure-bits >= 1 and key-dimension >= 0 are required"};
  const Integer levels = 2 * claim.weight_max + 1;
  const Integer exponent = 2 * claim.d_model;
  const Integer target = over_power_of_two(claim.family.size(), claim.failure_bits);
  const std::string count = "the number of channels times 2^failure-bits";
  if (!power_at_least(levels, exponent * claim.key_dimension, target))
    return {false, not_least_text(claim.key_dimension, true, count)};
  if (claim.key_dimension > 0 &&
      power_at_least(levels, exponent * (claim.key_dimension - 1), target))
    return {false, not_least_text(claim.key_dimension, false, count)};
  return {
      true,
      "bound counting-random: on any fixed embedding of d_model " + to_decimal(claim.d_model) +
          ", channels with weights up to " + to_decimal(claim.weight_max) + " " +
          need_text(claim.family, claim.failure_bits, "D_K >= " + to_decimal(claim.key_dimension))};
}

}  // namespace qkcert
