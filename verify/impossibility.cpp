#include <qkcert/core/errors.hpp>
#include <qkcert/verify/impossibility.hpp>
#include <qkcert/verify/multipliers.hpp>
#include <qkcert/verify/text.hpp>

namespace qkcert {

SingleHeadImpossibility read_impossibility(ClaimReader& in) {
  SingleHeadImpossibility claim;
  claim.graph = in.graph();
  claim.embedding = in.embedding(claim.graph.vertices());
  claim.edge_multipliers = in.multipliers("edge-multipliers", claim.graph, true);
  claim.nonedge_multipliers = in.multipliers("nonedge-multipliers", claim.graph, false);
  return claim;
}

void write_body(ClaimWriter& out, const SingleHeadImpossibility& claim) {
  require(claim.graph.vertices() == claim.embedding.rows(), "one row per vertex is required");
  out.graph(claim.graph);
  out.embedding(claim.embedding);
  out.multipliers("edge-multipliers", claim.edge_multipliers);
  out.multipliers("nonedge-multipliers", claim.nonedge_multipliers);
}

Verdict decide(const SingleHeadImpossibility& claim, unsigned, const Progress&) {
  const Multipliers multipliers{claim.edge_multipliers, claim.nonedge_multipliers};
  if (auto fault = fault_of(multipliers, claim.graph, claim.embedding)) return {false, *fault};
  if (auto fault = moment_fault(multipliers, claim.embedding)) return {false, *fault};
  const bool any_heads = claim.edge_multipliers.size() == 1;
  return {true,
          "impossibility: " + instance_text(claim.graph, claim.embedding) + ": " +
              (any_heads ? "no channel with any number of heads, of any key dimension and any "
                           "real weights, recognises this graph with the decoder threshold-max"
                         : "no single head, of any key dimension and any real weights, "
                           "recognises this graph with a threshold decoder (threshold-max with "
                           "one head, threshold-sum with any number)")};
}

}  // namespace qkcert
