#include <qkcert/core/errors.hpp>
#include <qkcert/verify/text.hpp>
#include <qkcert/verify/unit_heads.hpp>

namespace qkcert {

UnitHeadsBound read_unit_heads(ClaimReader& in) {
  UnitHeadsBound claim;
  claim.graph = in.graph();
  const std::uint64_t size = in.count_line("matching", 0);
  for (std::uint64_t i = 0; i < size; ++i) {
    const std::size_t at = in.text().offset();
    claim.matching.push_back(in.pair(claim.graph.vertices()));
    in.text().expect("\n");
    if (i > 0 && !(claim.matching[i - 1] < claim.matching[i]))
      in.text().fail_at(at, "an edge after the one before it");
  }
  return claim;
}

void write_body(ClaimWriter& out, const UnitHeadsBound& claim) {
  out.graph(claim.graph);
  out.line("matching ", std::to_string(claim.matching.size()));
  for (const Edge& edge : claim.matching) out.line(ClaimWriter::pair(edge));
}

Verdict decide(const UnitHeadsBound& claim, unsigned, const Progress&) {
  std::vector<bool> matched(claim.graph.vertices(), false);  // as a target
  for (const Edge& edge : claim.matching) {
    if (!claim.graph.contains(edge))
      return {false, "the pair " + show(edge) + " of the matching is not an edge"};
    if (matched[edge.target])
      return {false, "the target of " + show(edge) + " is that of another edge of the matching"};
    matched[edge.target] = true;
  }
  for (const auto& [source, target] : claim.matching)
    for (const Edge& edge : claim.graph.edges_from(source))
      if (edge.target != target && matched[edge.target])
        return {false, "the matching is not induced: the cross pair " + show(edge) + " is an edge"};
  return {true, "bound unit-heads: " + std::to_string(claim.graph.vertices()) + " vertices, " +
                    std::to_string(claim.graph.edges().size()) +
                    " edges: a channel of heads of width one, on any embedding and with any real "
                    "weights, needs at least " +
                    std::to_string(claim.heads()) +
                    " heads to recognise this graph under threshold-max (an induced matching of " +
                    std::to_string(claim.matching.size()) + " edges)"};
}

}  // namespace qkcert
