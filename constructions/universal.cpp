#include <qkcert/constructions/good_pairs.hpp>
#include <qkcert/constructions/universal.hpp>
#include <qkcert/core/decimal.hpp>
#include <qkcert/core/errors.hpp>

namespace qkcert {

namespace {

void check_class(const Family& family, const Matrix& rows) {
  require(family.vertices() == rows.rows(), "one row per vertex is required");
  if (family.edges() == 0)
    throw MethodError("the graphs of the class " + family.to_string() + " have no edges");
}

}  // namespace

UniversalEdgePerHead universal_edge_per_head(const Family& family, const Matrix& rows) {
  check_class(family, rows);
  return {family, rows, family.edges()};
}

UniversalEdgePairs universal_edge_pairs(const Family& family, const Matrix& rows, unsigned threads,
                                        const Progress& progress) {
  check_class(family, rows);
  const Integer heads = (family.edges() + 1) / 2;
  const std::uint64_t out = family.max_out_degree(), in = family.max_in_degree();
  if (Integer(out) + in - 2 > heads - 1)
    throw MethodError("edge-pairs: the class " + family.to_string() + " has out-degrees up to " +
                      std::to_string(out) + " and in-degrees up to " + std::to_string(in) +
                      ": too large for its " + to_decimal(family.edges()) +
                      " edges to be paired off, were all pairs good");
  const GoodVectors vectors(rows);
  std::vector<std::vector<std::pair<std::size_t, GoodVector>>> found(rows.rows());
  parallel_for(
      rows.rows(), threads,
      [&](std::size_t i, unsigned) {
        for (std::size_t j = i + 1; j < rows.rows(); ++j)
          if (auto vector = vectors.pair(i, j)) found[i].emplace_back(j, *std::move(vector));
      },
      progress);
  std::size_t size = 0;
  for (const auto& list : found) size += list.size();
  UniversalEdgePairs claim{family, rows, {}, Matrix(size, rows.cols()), heads};
  for (std::size_t i = 0; i < found.size(); ++i)
    for (const auto& [j, vector] : found[i]) {
      for (std::size_t k = 0; k < rows.cols(); ++k)
        claim.vectors.set(claim.pairs.size(), k, vector.z[k]);
      claim.pairs.push_back({i, j});
    }
  return claim;
}

}  // namespace qkcert
