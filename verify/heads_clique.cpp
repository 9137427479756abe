#include <qkcert/core/errors.hpp>
#include <qkcert/verify/heads_clique.hpp>
#include <qkcert/verify/multipliers.hpp>
#include <qkcert/verify/text.hpp>

namespace qkcert {

HeadsCliqueBound read_heads_clique(ClaimReader& in) {
  HeadsCliqueBound claim;
  claim.graph = in.graph();
  claim.embedding = in.embedding(claim.graph.vertices());
  const std::uint64_t size = in.count_line("clique", 2);
  in.text().expect_room(size, 4, "edges");
  for (std::uint64_t i = 0; i < size; ++i) {
    const std::size_t at = in.text().offset();
    const Edge edge = in.pair(claim.graph.vertices());
    if (!claim.graph.contains(edge)) in.text().fail_at(at, "an edge");
    if (i > 0 && !(claim.clique.back() < edge))
      in.text().fail_at(at, "an edge after the one before it");
    claim.clique.push_back(edge);
    in.text().expect("\n");
  }
  for (std::uint64_t i = 0; i < size; ++i)
    for (std::uint64_t j = i + 1; j < size; ++j) {
      Multipliers& each = claim.clashes.emplace_back();
      each.edges = in.multipliers("edge-multipliers", claim.graph, true);
      each.nonedges = in.multipliers("nonedge-multipliers", claim.graph, false);
    }
  return claim;
}

void write_body(ClaimWriter& out, const HeadsCliqueBound& claim) {
  require(claim.graph.vertices() == claim.embedding.rows(), "one row per vertex is required");
  out.graph(claim.graph);
  out.embedding(claim.embedding);
  out.line("clique ", std::to_string(claim.clique.size()));
  for (const Edge& edge : claim.clique) out.line(ClaimWriter::pair(edge));
  for (const Multipliers& each : claim.clashes) {
    out.multipliers("edge-multipliers", each.edges);
    out.multipliers("nonedge-multipliers", each.nonedges);
  }
}

namespace {

/// Why `multipliers` do not prove that no single head holds `a` and `b`.
std::optional<std::string> clash_fault(const HeadsCliqueBound& claim, Edge a, Edge b,
                                       const Multipliers& multipliers) {
  for (const auto& [pair, weight] : multipliers.edges)
    if (pair != a && pair != b) return "the multiplier at " + show(pair) + " is on a third edge";
  if (auto fault = fault_of(multipliers, claim.graph, claim.embedding)) return fault;
  return moment_fault(multipliers, claim.embedding);
}

}  // namespace

Verdict decide(const HeadsCliqueBound& claim, unsigned, const Progress&) {
  const std::size_t size = claim.clique.size();
  require(claim.graph.vertices() == claim.embedding.rows(), "one row per vertex is required");
  if (size < 2 || claim.clashes.size() != size * (size - 1) / 2)
    return {false, "a clique of at least two edges, each two with multipliers, is required"};
  for (std::size_t i = 1; i < size; ++i)
    if (!(claim.clique[i - 1] < claim.clique[i]))
      return {false, "the clique's edges must increase"};
  auto multipliers = claim.clashes.begin();
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = i + 1; j < size; ++j)
      if (auto fault = clash_fault(claim, claim.clique[i], claim.clique[j], *multipliers++))
        return {false, "the edges " + show(claim.clique[i]) + " and " + show(claim.clique[j]) +
                           ": " + *fault};
  return {true, "bound: " + instance_text(claim.graph, claim.embedding) +
                    ": every channel that recognises this graph with the decoder threshold-max has "
                    "at least " +
                    std::to_string(size) +
                    " heads, of whatever key dimensions and real weights (a lower bound only)"};
}

}  // namespace qkcert
