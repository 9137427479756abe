#include <qkcert/core/decimal.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/verify/advantage.hpp>
#include <qkcert/verify/text.hpp>

namespace qkcert {

ClassAdvantage read_advantage(ClaimReader& in) {
  Family family = in.family();
  Matrix embedding = in.embedding(family.vertices());
  Integer count = in.integer_line("single-head-graphs", 1);
  return {std::move(family), std::move(embedding), std::move(count)};
}

void write_body(ClaimWriter& out, const ClassAdvantage& claim) {
  require(claim.family.vertices() == claim.embedding.rows(), "one row per vertex is required");
  out.family(claim.family);
  out.embedding(claim.embedding);
  out.integer_line("single-head-graphs", claim.single_head_graphs);
}

namespace {

Integer product(const Matrix& rows, std::size_t u, std::size_t w) {
  Integer sum = 0;
  for (std::size_t j = 0; j < rows.cols(); ++j) sum += rows.at(u, j) * rows.at(w, j);
  return sum;
}

}  // namespace

std::string not_dominated(const Matrix& rows) {
  for (std::size_t u = 0; u < rows.rows(); ++u) {
    const Integer norm = product(rows, u, u);
    if (norm.is_zero()) return "row " + std::to_string(u) + " of the embedding is zero";
    for (std::size_t w = 0; w < rows.rows(); ++w)
      if (const Integer other = abs(product(rows, u, w)); w != u && norm <= other)
        return "row " + std::to_string(u) + " has the norm " + to_decimal(norm) +
               ", which is not above " + to_decimal(other) + " at the pair " + show(Edge{u, w});
  }
  return "";
}

Verdict decide(const ClassAdvantage& claim, unsigned, const Progress&) {
  require(claim.family.vertices() == claim.embedding.rows(), "one row per vertex is required");
  const Integer pairs = Integer(claim.embedding.rows()) * claim.embedding.rows();
  const Integer d_model = claim.embedding.cols();
  const Integer edges = claim.family.edges();
  const Integer size = claim.family.size();
  const Integer factor = 2 * edges == pairs ? 2 : 1;
  const Integer count = factor * binomial_sum(pairs - 1, d_model * d_model, size);
  if (count >= size)
    return {false, "single heads may reach all " + count_text(size) + " graphs of the class"};
  if (count != claim.single_head_graphs)
    return {false, "single-head-graphs is stated as " + count_text(claim.single_head_graphs) +
                       ", but is " + count_text(count)};
  if (const std::string reason = not_dominated(claim.embedding); !reason.empty())
    return {false, reason};
  return {true,
          "advantage class: class " + claim.family.to_string() + ", d_model " +
              to_decimal(d_model) + ": on every embedding single heads, of any key dimension and " +
              "any real weights, with a threshold decoder, recognise at most " + count_text(count) +
              " of its " + count_text(size) + " graphs; on this embedding " + to_decimal(edges) +
              " heads of width one recognise each of them under threshold-max"};
}

}  // namespace qkcert
