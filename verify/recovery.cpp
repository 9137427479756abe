#include <qkcert/core/decimal.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/verify/extremes.hpp>
#include <qkcert/verify/recovery.hpp>
#include <qkcert/verify/text.hpp>

namespace qkcert {

RecoveryClaim read_recovery(ClaimReader& in) {
  RecoveryClaim claim;
  claim.graph = in.graph();
  claim.embedding = in.embedding(claim.graph.vertices());
  in.text().expect("decoder threshold-max ");
  claim.threshold = in.integer();
  in.text().expect("\n");
  claim.channel = in.channel(claim.embedding.cols());
  in.text().expect("extremes ");
  claim.least_edge = in.optional_integer();
  in.text().expect(" ");
  claim.greatest_nonedge = in.optional_integer();
  in.text().expect("\n");
  return claim;
}

void write_body(ClaimWriter& out, const RecoveryClaim& claim) {
  require(claim.graph.vertices() == claim.embedding.rows(), "one row per vertex is required");
  require_valid(claim.channel, claim.embedding.cols());
  out.graph(claim.graph);
  out.embedding(claim.embedding);
  out.integer_line("decoder threshold-max", claim.threshold);
  out.channel(claim.channel);
  out.line("extremes ", ClaimWriter::optional_integer(claim.least_edge), " ",
           ClaimWriter::optional_integer(claim.greatest_nonedge));
}

namespace {

/// Empty when the stated extreme is the exact one, else the reason.
std::string compare(const char* name, const std::optional<Integer>& stated,
                    const std::optional<Extreme>& exact) {
  if (!exact)
    return stated ? std::string(name) + " is stated as " + ClaimWriter::optional_integer(stated) +
                        ", but there is none"
                  : "";
  if (stated == exact->score) return "";
  return std::string(name) + " is stated as " + ClaimWriter::optional_integer(stated) +
         ", but is " + to_decimal(exact->score) + " at the pair " + show(exact->pair);
}

}  // namespace

Verdict decide(const RecoveryClaim& claim, const Execution& execution) {
  return decide(claim, score_extremes(claim.graph, claim.embedding, claim.channel, execution));
}

Verdict decide(const RecoveryClaim& claim, const Extremes& exact) {
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
  const std::size_t heads = claim.channel.heads.size();
  return {true, "recovery: " + instance_text(claim.graph, claim.embedding) + ": " +
                    std::to_string(heads) + (heads == 1 ? " head" : " heads") + ", D_K " +
                    std::to_string(claim.channel.key_dimension()) + ", weights up to " +
                    to_decimal(claim.channel.weight_max()) +
                    ": recovers every context's neighbours under threshold-max " + threshold +
                    " (least edge " + ClaimWriter::optional_integer(claim.least_edge) +
                    ", greatest non-edge " + ClaimWriter::optional_integer(claim.greatest_nonedge) +
                    ")"};
}

}  // namespace qkcert
