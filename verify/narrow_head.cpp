#include <qkcert/core/decimal.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/verify/multipliers.hpp>
#include <qkcert/verify/narrow_head.hpp>
#include <qkcert/verify/text.hpp>

namespace qkcert {

NarrowHeadImpossibility read_narrow_head(ClaimReader& in) {
  NarrowHeadImpossibility claim;
  claim.graph = in.graph();
  claim.embedding = in.embedding(claim.graph.vertices());
  claim.width = in.integer_line("width", 1);
  claim.weight_max = in.integer_line("weight-max", 1);
  claim.multipliers.edges = in.multipliers("edge-multipliers", claim.graph, true);
  claim.multipliers.nonedges = in.multipliers("nonedge-multipliers", claim.graph, false);
  return claim;
}

void write_body(ClaimWriter& out, const NarrowHeadImpossibility& claim) {
  require(claim.graph.vertices() == claim.embedding.rows(), "one row per vertex is required");
  out.graph(claim.graph);
  out.embedding(claim.embedding);
  out.integer_line("width", claim.width);
  out.integer_line("weight-max", claim.weight_max);
  out.multipliers("edge-multipliers", claim.multipliers.edges);
  out.multipliers("nonedge-multipliers", claim.multipliers.nonedges);
}

Verdict decide(const NarrowHeadImpossibility& claim, unsigned, const Progress&) {
  if (claim.width < 1 || claim.weight_max < 1)
    return {false, "the width and the largest weight must be at least 1"};
  if (auto fault = fault_of(claim.multipliers, claim.graph, claim.embedding))
    return {false, *fault};
  const Moment edges(claim.multipliers.edges, claim.embedding);
  const Moment nonedges(claim.multipliers.nonedges, claim.embedding);
  Integer spread = 0;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const std::vector<Integer> left = edges.row(i), right = nonedges.row(i);
    for (std::size_t j = 0; j < left.size(); ++j) spread += abs(left[j] - right[j]);
  }
  const Integer reach = claim.width * claim.weight_max * claim.weight_max * spread;
  const Integer sum = total(claim.multipliers.edges);
  if (reach >= sum)
    return {false, "width·weight-max²·Σ|M_ij| is " + to_decimal(reach) +
                       ", which is not below the total " + to_decimal(sum)};
  const std::string heads = " of width up to " + to_decimal(claim.width) +
                            " with integer weights up to " + to_decimal(claim.weight_max);
  return {true, "impossibility: " + instance_text(claim.graph, claim.embedding) + ": " +
                    (claim.multipliers.edges.size() == 1
                         ? "no channel with any number of heads, each" + heads +
                               ", recognises this graph with the decoder threshold-max"
                         : "no single head" + heads +
                               " recognises this graph with the decoder threshold-max")};
}

}  // namespace qkcert
