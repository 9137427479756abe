#include <qkcert/core/decimal.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/verify/impossibility.hpp>
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

namespace {

Integer total(const std::vector<Multiplier>& multipliers) {
  Integer sum = 0;
  for (const auto& multiplier : multipliers) sum += multiplier.weight;
  return sum;
}

/// Row `row` of Σ weight·x_uᵀx_v. One row at a time: memory O(d_model) whatever the file says.
std::vector<Integer> moment_row(const std::vector<Multiplier>& multipliers, const Matrix& x,
                                std::size_t row) {
  std::vector<Integer> sums(x.cols());
  for (const auto& [pair, weight] : multipliers) {
    const Integer left = weight * x.at(pair.source, row);
    if (left == 0) continue;
    for (std::size_t j = 0; j < x.cols(); ++j) sums[j] += left * x.at(pair.target, j);
  }
  return sums;
}

}  // namespace

Verdict decide(const SingleHeadImpossibility& claim, unsigned, const Progress&) {
  require(claim.graph.vertices() == claim.embedding.rows(), "one row per vertex is required");
  for (const auto* list : {&claim.edge_multipliers, &claim.nonedge_multipliers})
    for (const auto& [pair, weight] : *list)
      if (weight <= 0 || claim.graph.contains(pair) != (list == &claim.edge_multipliers))
        return {false, "the multiplier at the pair " + show(pair) +
                           " is not positive or on the wrong side"};
  const Integer on_edges = total(claim.edge_multipliers);
  const Integer on_nonedges = total(claim.nonedge_multipliers);
  if (on_edges != on_nonedges || on_edges <= 0)
    return {false, "the multipliers' totals are " + to_decimal(on_edges) + " on edges and " +
                       to_decimal(on_nonedges) + " on non-edges; equal and positive is required"};
  for (std::size_t i = 0; i < claim.embedding.cols(); ++i) {
    const auto edges = moment_row(claim.edge_multipliers, claim.embedding, i);
    const auto nonedges = moment_row(claim.nonedge_multipliers, claim.embedding, i);
    for (std::size_t j = 0; j < edges.size(); ++j)
      if (edges[j] != nonedges[j])
        return {false, "the weighted sums differ at row " + std::to_string(i) + ", column " +
                           std::to_string(j) + ": " + to_decimal(edges[j]) + " over edges, " +
                           to_decimal(nonedges[j]) + " over non-edges"};
  }
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
