#include <qkcert/core/decimal.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/verify/margin.hpp>

namespace qkcert {

namespace {

std::string show(const Rational& ratio) {
  return to_decimal(numerator(ratio)) + "/" + to_decimal(denominator(ratio));
}

}  // namespace

MarginBound read_margin(ClaimReader& in) {
  MarginBound claim;
  claim.vertices = in.integer_line("vertices", 1);
  claim.edge_ratio = in.ratio_line("edge-ratio", 1);
  claim.nonedge_ratio = in.ratio_line("nonedge-ratio", 0);
  claim.power = in.integer_line("power", 1);
  claim.rank = in.integer_line("rank", 1);
  return claim;
}

void write_body(ClaimWriter& out, const MarginBound& claim) {
  out.integer_line("vertices", claim.vertices);
  out.ratio_line("edge-ratio", claim.edge_ratio);
  out.ratio_line("nonedge-ratio", claim.nonedge_ratio);
  out.integer_line("power", claim.power);
  out.integer_line("rank", claim.rank);
}

Verdict decide(const MarginBound& claim, unsigned, const Progress&) {
  if (claim.vertices < 1 || claim.edge_ratio < 1 || claim.nonedge_ratio < 0 || claim.power < 1 ||
      claim.rank < 1)
    return {false,
            "vertices, power and rank >= 1, edge-ratio >= 1 and nonedge-ratio >= 0 are required"};
  const auto twice_t = to_uint64(2 * claim.power);
  if (!twice_t) throw SizeError("the power");
  const auto raised = [&](const Integer& base) { return power(base, *twice_t); };
  const Integer p = raised(numerator(claim.edge_ratio)), q = raised(denominator(claim.edge_ratio));
  const Integer r = raised(numerator(claim.nonedge_ratio));
  const Integer s = raised(denominator(claim.nonedge_ratio));
  const Integer rank_of_power = binomial(claim.rank + claim.power - 2, claim.power);
  if (rank_of_power * (p * s + (claim.vertices - 1) * r * q) >= claim.vertices * q * s)
    return {false, "rank " + to_decimal(claim.rank) + " does not follow from power " +
                       to_decimal(claim.power) + ": C(R-1+T-1, T)·(rho^2T + (M-1)·epsilon^2T) is " +
                       "not below M"};
  return {true, "bound margin: one head that scores the edges of a permutation of " +
                    to_decimal(claim.vertices) + " vertices in [1, " + show(claim.edge_ratio) +
                    "] and all other pairs in [-" + show(claim.nonedge_ratio) + ", " +
                    show(claim.nonedge_ratio) +
                    "] needs min(d_k, rank X) >= " + to_decimal(claim.rank) +
                    "; it bounds heads with this two-sided margin and not threshold decoders"};
}

}  // namespace qkcert
