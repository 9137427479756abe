#include <algorithm>
#include <qkcert/core/decimal.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/row_products.hpp>
#include <qkcert/verify/advantage.hpp>
#include <qkcert/verify/text.hpp>
#include <qkcert/verify/universal.hpp>

namespace qkcert {

UniversalEdgePerHead read_universal_edge_per_head(ClaimReader& in) {
  Family family = in.family();
  Matrix embedding = in.embedding(family.vertices());
  Integer heads = in.integer_line("heads", 1);
  return {std::move(family), std::move(embedding), std::move(heads)};
}

UniversalEdgePairs read_universal_edge_pairs(ClaimReader& in) {
  Family family = in.family();
  Matrix embedding = in.embedding(family.vertices());
  const std::uint64_t size = in.count_line("pairs", 0);
  std::vector<Edge> pairs;
  for (std::uint64_t k = 0; k < size; ++k) {
    const std::size_t at = in.text().offset();
    const Edge pair = in.pair(family.vertices());
    in.text().expect("\n");
    if (pair.source >= pair.target) in.text().fail_at(at, "a pair i j with i < j");
    if (k > 0 && !(pairs.back() < pair)) in.text().fail_at(at, "a pair after the one before it");
    pairs.push_back(pair);
  }
  in.text().expect("vectors\n");
  Matrix vectors = in.matrix(size, embedding.cols());
  Integer heads = in.integer_line("heads", 1);
  return {std::move(family), std::move(embedding), std::move(pairs), std::move(vectors),
          std::move(heads)};
}

void write_body(ClaimWriter& out, const UniversalEdgePerHead& claim) {
  require(claim.family.vertices() == claim.embedding.rows(), "one row per vertex is required");
  out.family(claim.family);
  out.embedding(claim.embedding);
  out.integer_line("heads", claim.heads);
}

namespace {

void require_shapes(const UniversalEdgePairs& claim) {
  require(claim.family.vertices() == claim.embedding.rows(), "one row per vertex is required");
  require(
      claim.pairs.size() == claim.vectors.rows() && claim.embedding.cols() == claim.vectors.cols(),
      "one vector of d_model integers per pair is required");
}

}  // namespace

void write_body(ClaimWriter& out, const UniversalEdgePairs& claim) {
  require_shapes(claim);
  out.family(claim.family);
  out.embedding(claim.embedding);
  out.line("pairs ", std::to_string(claim.pairs.size()));
  for (const Edge& pair : claim.pairs) out.line(ClaimWriter::pair(pair));
  out.line("vectors");
  out.matrix(claim.vectors);
  out.integer_line("heads", claim.heads);
}

namespace {

std::string wrong_heads(const Integer& stated, const Integer& heads) {
  return "heads is stated as " + to_decimal(stated) + ", but is " + to_decimal(heads);
}

std::string served_text(std::string_view method, const Family& family, const Matrix& embedding,
                        const Integer& heads) {
  return "universal " + std::string(method) + ": class " + family.to_string() + ", d_model " +
         std::to_string(embedding.cols()) + ": on this embedding every graph of the class is " +
         "recognised by " + to_decimal(heads) +
         " heads of width one with weights of its own, under threshold-max";
}

/// Why the pair with these products ⟨z,x_v⟩ is not good; empty when it is.
std::string not_good(const Edge& pair, const std::vector<Integer>& products) {
  const Integer& n = products[pair.source];
  const std::string subject = "the pair " + show(pair) + " is not good: its vector ";
  if (n <= 0) return subject + "gives " + to_decimal(n) + " at " + std::to_string(pair.source);
  if (products[pair.target] != -n)
    return subject + "gives " + to_decimal(n) + " and " + to_decimal(products[pair.target]);
  for (std::size_t v = 0; v < products.size(); ++v)
    if (v != pair.source && v != pair.target && abs(products[v]) >= n)
      return subject + "gives " + to_decimal(products[v]) + " at " + std::to_string(v) +
             ", which is not within " + to_decimal(n);
  return "";
}

}  // namespace

std::size_t most_unlisted(const UniversalEdgePairs& claim) {
  std::vector<std::size_t> listed(claim.embedding.rows(), 0);
  for (const auto& [i, j] : claim.pairs) {
    require(i < listed.size() && j < listed.size(), "pairs of vertices are required");
    ++listed[i], ++listed[j];
  }
  require(!listed.empty(), "a vertex is required");
  return listed.size() - 1 - *std::min_element(listed.begin(), listed.end());
}

Verdict decide(const UniversalEdgePerHead& claim, unsigned, const Progress&) {
  require(claim.family.vertices() == claim.embedding.rows(), "one row per vertex is required");
  const Integer edges = claim.family.edges();
  if (edges == 0) return {false, "the graphs of the class have no edges"};
  if (claim.heads != edges) return {false, wrong_heads(claim.heads, edges)};
  if (const std::string reason = not_dominated(claim.embedding); !reason.empty())
    return {false, reason};
  return {true, served_text("edge-per-head", claim.family, claim.embedding, edges)};
}

Verdict decide(const UniversalEdgePairs& claim, unsigned threads, const Progress& progress) {
  require_shapes(claim);
  const std::size_t m = claim.embedding.rows();
  for (std::size_t k = 0; k < claim.pairs.size(); ++k)
    require(claim.pairs[k].source < claim.pairs[k].target && claim.pairs[k].target < m &&
                (k == 0 || claim.pairs[k - 1] < claim.pairs[k]),
            "pairs i < j in increasing order are required");
  const Integer edges = claim.family.edges();
  if (edges == 0) return {false, "the graphs of the class have no edges"};
  const Integer heads = (edges + 1) / 2;
  if (claim.heads != heads) return {false, wrong_heads(claim.heads, heads)};
  const std::size_t unlisted = most_unlisted(claim);
  const Integer degrees = Integer(claim.family.max_out_degree()) + claim.family.max_in_degree();
  const Integer clashes = (Integer(unlisted) + 1) * degrees - 2;
  if (clashes > heads - 1)
    return {false, "some vertex is in no listed pair with " + std::to_string(unlisted) +
                       " others: an edge may clash with " + to_decimal(clashes) +
                       " others, and only " + to_decimal(heads - 1) + " are allowed for"};
  if (edges % 2 == 1 && m - 1 - unlisted < 2)
    return {false, "the number of edges is odd, and some vertex is in fewer than two listed pairs"};
  const RowProducts products(claim.embedding);
  std::vector<std::string> reasons(claim.pairs.size());
  parallel_for(
      claim.pairs.size(), threads,
      [&](std::size_t k, unsigned) {
        std::vector<Integer> z;
        for (std::size_t j = 0; j < claim.vectors.cols(); ++j) z.push_back(claim.vectors.at(k, j));
        reasons[k] = not_good(claim.pairs[k], products.with(z));
      },
      progress);
  for (const std::string& reason : reasons)
    if (!reason.empty()) return {false, reason};
  return {true, served_text("edge-pairs", claim.family, claim.embedding, heads) + " (" +
                    std::to_string(claim.pairs.size()) + " good pairs, all but at most " +
                    std::to_string(unlisted) + " at each vertex)"};
}

}  // namespace qkcert
