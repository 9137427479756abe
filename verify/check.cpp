#include <qkcert/core/decimal.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/verify/check.hpp>
#include <qkcert/verify/extremes.hpp>

namespace qkcert {

namespace {

std::string show(Edge pair) {
  return "(" + std::to_string(pair.source) + ", " + std::to_string(pair.target) + ")";
}

std::string show(const std::optional<Integer>& value) { return value ? to_decimal(*value) : "-"; }

std::string graph_text(const Graph& graph, const Matrix& embedding) {
  return std::to_string(graph.vertices()) + " vertices, " + std::to_string(graph.edges().size()) +
         " edges, d_model " + std::to_string(embedding.cols());
}

/// Empty when the stated extreme is the exact one, else the reason.
std::string compare(const char* name, const std::optional<Integer>& stated,
                    const std::optional<Extreme>& exact) {
  if (!exact)
    return stated ? std::string(name) + " is stated as " + show(stated) + ", but there is none"
                  : "";
  if (stated == exact->score) return "";
  return std::string(name) + " is stated as " + show(stated) + ", but is " +
         to_decimal(exact->score) + " at the pair " + show(exact->pair);
}

Verdict check_recovery(const RecoveryClaim& claim, unsigned threads, const Progress& progress) {
  const Extremes exact =
      score_extremes(claim.graph, claim.embedding, claim.channel, threads, progress);
  const std::string threshold = to_decimal(claim.threshold);
  if (exact.least_edge && exact.least_edge->score <= claim.threshold)
    return {false, "the edge " + show(exact.least_edge->pair) + " scores " +
                       to_decimal(exact.least_edge->score) + ", which is not above the threshold " +
                       threshold};
  if (exact.greatest_nonedge && exact.greatest_nonedge->score > claim.threshold)
    return {false, "the non-edge " + show(exact.greatest_nonedge->pair) + " scores " +
                       to_decimal(exact.greatest_nonedge->score) +
                       ", which is above the threshold " + threshold};
  for (const std::string& reason :
       {compare("the least edge score", claim.least_edge, exact.least_edge),
        compare("the greatest non-edge score", claim.greatest_nonedge, exact.greatest_nonedge)})
    if (!reason.empty()) return {false, reason};
  return {true, "recovery: " + graph_text(claim.graph, claim.embedding) + ": " +
                    std::to_string(claim.channel.heads.size()) + " heads of D_K " +
                    std::to_string(claim.channel.key_dimension()) + ", weights up to " +
                    to_decimal(claim.channel.weight_max()) +
                    ", recover every context's neighbours under threshold-max " + threshold +
                    " (least edge " + show(claim.least_edge) + ", greatest non-edge " +
                    show(claim.greatest_nonedge) + ")"};
}

Integer total(const std::vector<SingleHeadImpossibility::Multiplier>& multipliers) {
  Integer sum = 0;
  for (const auto& multiplier : multipliers) sum += multiplier.weight;
  return sum;
}

/// Row `row` of Σ weight·x_uᵀx_v. One row at a time: memory O(d_model) whatever the file says.
std::vector<Integer> moment_row(const std::vector<SingleHeadImpossibility::Multiplier>& multipliers,
                                const Matrix& x, std::size_t row) {
  std::vector<Integer> sums(x.cols());
  for (const auto& [pair, weight] : multipliers) {
    const Integer left = weight * x.at(pair.source, row);
    if (left == 0) continue;
    for (std::size_t j = 0; j < x.cols(); ++j) sums[j] += left * x.at(pair.target, j);
  }
  return sums;
}

Verdict check_impossibility(const SingleHeadImpossibility& claim) {
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
          "impossibility: " + graph_text(claim.graph, claim.embedding) + ": " +
              (any_heads ? "no channel with any number of heads, of any key dimension and any "
                           "real weights, recognises this graph with the decoder threshold-max"
                         : "no single head, of any key dimension and any real weights, "
                           "recognises this graph with a threshold decoder (threshold-max with "
                           "one head, threshold-sum with any number)")};
}

Verdict check_counting(const CountingBound& claim) {
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

}  // namespace

Verdict check(const Claim& claim, unsigned threads, const Progress& progress) {
  try {
    if (const auto* recovery = std::get_if<RecoveryClaim>(&claim))
      return check_recovery(*recovery, threads, progress);
    if (const auto* impossibility = std::get_if<SingleHeadImpossibility>(&claim))
      return check_impossibility(*impossibility);
    return check_counting(std::get<CountingBound>(claim));
  } catch (const SizeError& error) {
    return {false, std::string("too large to be decided: ") + error.what()};
  } catch (const ShapeError& error) {
    return {false, error.what()};
  }
}

}  // namespace qkcert
