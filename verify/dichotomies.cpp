#include <qkcert/core/counts.hpp>
#include <qkcert/verify/dichotomies.hpp>
#include <qkcert/verify/text.hpp>

namespace qkcert {

SingleHeadClassImpossibility read_single_head_class(ClaimReader& in) {
  Family family = in.family();
  return {std::move(family), in.integer_line("d_model", 1)};
}

void write_body(ClaimWriter& out, const SingleHeadClassImpossibility& claim) {
  out.family(claim.family);
  out.integer_line("d_model", claim.d_model);
}

Verdict decide(const SingleHeadClassImpossibility& claim, unsigned, const Progress&) {
  if (claim.d_model < 1) return {false, "d_model >= 1 is required"};
  const std::uint64_t m = claim.family.vertices();
  if (dichotomies_reach(m, largest_rank(m, claim.d_model), 1, claim.family.size()))
    return {false, "there are at least as many dichotomies as graphs: nothing follows"};
  return {true, "impossibility single-head-class: on every embedding of d_model " +
                    to_decimal(claim.d_model) + ", some graph of the class " +
                    claim.family.to_string() +
                    " is out of reach of one head of any key dimension and any real weights with "
                    "a threshold decoder; it bounds the class and not one chosen graph"};
}

HeadsBound read_heads(ClaimReader& in) {
  Family family = in.family();
  Integer d_model = in.integer_line("d_model", 1);
  Integer heads = in.integer_line("heads", 0);
  return {std::move(family), std::move(d_model), std::move(heads)};
}

void write_body(ClaimWriter& out, const HeadsBound& claim) {
  out.family(claim.family);
  out.integer_line("d_model", claim.d_model);
  out.integer_line("heads", claim.heads);
}

Verdict decide(const HeadsBound& claim, unsigned, const Progress&) {
  if (claim.d_model < 1 || claim.heads < 0)
    return {false, "d_model >= 1 and heads >= 0 are required"};
  const std::uint64_t m = claim.family.vertices();
  const std::uint64_t rank = largest_rank(m, claim.d_model);
  const Integer size = claim.family.size();
  const std::string stated = to_decimal(claim.heads) + " heads: ";
  if (!dichotomies_reach(m, rank, claim.heads, size))
    return {false, stated + "too low, their dichotomies are fewer than the family's size"};
  if (claim.heads > 0 && dichotomies_reach(m, rank, claim.heads - 1, size))
    return {false, stated + "too high, the dichotomies of one less reach the family's size"};
  return {true, "bound heads: on every embedding of d_model " + to_decimal(claim.d_model) +
                    ", channels of any key dimension and any real weights that can serve every "
                    "graph of the class " +
                    claim.family.to_string() + " need at least " + to_decimal(claim.heads) +
                    " heads; it bounds the class and not one chosen graph"};
}

}  // namespace qkcert
