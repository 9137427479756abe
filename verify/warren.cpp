#include <qkcert/core/counts.hpp>
#include <qkcert/verify/text.hpp>
#include <qkcert/verify/warren.hpp>

namespace qkcert {

namespace {

template <class Bound>
Bound read(ClaimReader& in) {
  Family family = in.family();
  Integer d_model = in.integer_line("d_model", 1);
  Integer failure_bits = in.integer_line("failure-bits", 0);
  Integer key_dimension = in.integer_line("key-dimension", 0);
  return {std::move(family), std::move(d_model), std::move(failure_bits), std::move(key_dimension)};
}

template <class Bound>
void write(ClaimWriter& out, const Bound& claim) {
  out.family(claim.family);
  out.integer_line("d_model", claim.d_model);
  out.integer_line("failure-bits", claim.failure_bits);
  out.integer_line("key-dimension", claim.key_dimension);
}

template <class Bound>
bool in_range(const Bound& claim) {
  return claim.d_model >= 1 && claim.failure_bits >= 0 && claim.key_dimension >= 0;
}

const Verdict out_of_range = {
    false, "d_model >= 1, failure-bits >= 0 and key-dimension >= 0 are required"};

template <class Bound>
std::string holds(const Bound& claim) {
  return ": on any fixed embedding of d_model " + to_decimal(claim.d_model) +
         ", channels with real weights of any precision " +
         need_text(claim.family, claim.failure_bits, "D_K >= " + to_decimal(claim.key_dimension));
}

}  // namespace

WarrenBound read_warren(ClaimReader& in) { return read<WarrenBound>(in); }
void write_body(ClaimWriter& out, const WarrenBound& claim) { write(out, claim); }

Verdict decide(const WarrenBound& claim, unsigned, const Progress&) {
  if (!in_range(claim)) return out_of_range;
  const std::uint64_t m = claim.family.vertices();
  const std::uint64_t rank = largest_rank(m, claim.d_model);
  if (!warren_applies(m, rank))
    return {false, "there is no such bound: m² >= 2·min(m, d_model) + 1 does not hold for m = " +
                       std::to_string(m)};
  const Integer target = over_power_of_two(claim.family.size(), claim.failure_bits);
  const std::string count = "the number of sign vectors";
  if (!warren_reaches(m, rank, claim.key_dimension, target))
    return {false, not_least_text(claim.key_dimension, true, count)};
  if (claim.key_dimension > 0 && warren_reaches(m, rank, claim.key_dimension - 1, target))
    return {false, not_least_text(claim.key_dimension, false, count)};
  return {true, "bound warren" + holds(claim)};
}

WarrenRanksBound read_warren_ranks(ClaimReader& in) { return read<WarrenRanksBound>(in); }
void write_body(ClaimWriter& out, const WarrenRanksBound& claim) { write(out, claim); }

Verdict decide(const WarrenRanksBound& claim, unsigned, const Progress&) {
  if (!in_range(claim)) return out_of_range;
  const std::uint64_t m = claim.family.vertices();
  const Integer least =
      least_rank_columns(m, largest_rank(m, claim.d_model),
                         over_power_of_two(claim.family.size(), claim.failure_bits));
  if (claim.key_dimension != least)
    return {false, not_least_text(claim.key_dimension, claim.key_dimension < least,
                                  "the number of sign vectors")};
  return {true, "bound warren-ranks" + holds(claim)};
}

}  // namespace qkcert
