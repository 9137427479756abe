#include <qkcert/core/counts.hpp>
#include <qkcert/verify/columns.hpp>
#include <qkcert/verify/text.hpp>

namespace qkcert {

ColumnsBound read_columns(ClaimReader& in) {
  Family family = in.family();
  Integer d_model = in.integer_line("d_model", 1);
  Integer weight_max = in.integer_line("weight-max", 1);
  Integer failure_bits = in.integer_line("failure-bits", 0);
  Integer key_dimension = in.integer_line("key-dimension", 0);
  return {std::move(family), std::move(d_model), std::move(weight_max), std::move(failure_bits),
          std::move(key_dimension)};
}

void write_body(ClaimWriter& out, const ColumnsBound& claim) {
  out.family(claim.family);
  out.integer_line("d_model", claim.d_model);
  out.integer_line("weight-max", claim.weight_max);
  out.integer_line("failure-bits", claim.failure_bits);
  out.integer_line("key-dimension", claim.key_dimension);
}

Verdict decide(const ColumnsBound& claim, unsigned, const Progress&) {
  if (claim.d_model < 1 || claim.weight_max < 1 || claim.failure_bits < 0)
    return {false, "d_model >= 1, weight-max >= 1 and failure-bits >= 0 are required"};
  const Integer least = least_columns(claim.d_model, claim.weight_max,
                                      over_power_of_two(claim.family.size(), claim.failure_bits));
  if (claim.key_dimension != least)
    return {false, not_least_text(claim.key_dimension, claim.key_dimension < least,
                                  "the number of multisets of heads")};
  return {
      true,
      "bound counting-columns: on any fixed embedding of d_model " + to_decimal(claim.d_model) +
          ", channels with weights up to " + to_decimal(claim.weight_max) + " " +
          need_text(claim.family, claim.failure_bits, "D_K >= " + to_decimal(claim.key_dimension))};
}

}  // namespace qkcert
