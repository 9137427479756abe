#include <qkcert/core/decimal.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/verify/multipliers.hpp>
#include <qkcert/verify/text.hpp>

namespace qkcert {

Moment::Moment(const std::vector<Multiplier>& multipliers, const Matrix& x)
    : x_(x), sums_(x.rows()) {
  for (const auto& [pair, weight] : multipliers) {
    std::vector<Integer>& sums = sums_[pair.source];
    sums.resize(x.cols());
    for (std::size_t j = 0; j < x.cols(); ++j) sums[j] += weight * x.at(pair.target, j);
  }
}

std::vector<Integer> Moment::row(std::size_t row) const {
  std::vector<Integer> result(size());
  for (std::size_t u = 0; u < sums_.size(); ++u) {
    const Integer factor = x_.at(u, row);
    if (factor == 0 || sums_[u].empty()) continue;
    for (std::size_t j = 0; j < size(); ++j) result[j] += factor * sums_[u][j];
  }
  return result;
}

Integer total(const std::vector<Multiplier>& multipliers) {
  Integer sum = 0;
  for (const auto& multiplier : multipliers) sum += multiplier.weight;
  return sum;
}

std::optional<std::string> fault_of(const Multipliers& multipliers, const Graph& graph,
                                    const Matrix& embedding) {
  require(graph.vertices() == embedding.rows(), "one row per vertex is required");
  for (const auto* list : {&multipliers.edges, &multipliers.nonedges})
    for (const auto& [pair, weight] : *list) {
      require(pair.source < graph.vertices() && pair.target < graph.vertices(),
              "multipliers must be on pairs of vertices");
      if (weight <= 0 || graph.contains(pair) != (list == &multipliers.edges))
        return "the multiplier at the pair " + show(pair) + " is not positive or on the wrong side";
    }
  const Integer on_edges = total(multipliers.edges), on_nonedges = total(multipliers.nonedges);
  if (on_edges == on_nonedges && on_edges > 0) return std::nullopt;
  return "the multipliers' totals are " + to_decimal(on_edges) + " on edges and " +
         to_decimal(on_nonedges) + " on non-edges; equal and positive is required";
}

std::optional<std::string> moment_fault(const Multipliers& multipliers, const Matrix& embedding) {
  const Moment edges(multipliers.edges, embedding), nonedges(multipliers.nonedges, embedding);
  for (std::size_t i = 0; i < embedding.cols(); ++i) {
    const std::vector<Integer> left = edges.row(i), right = nonedges.row(i);
    for (std::size_t j = 0; j < left.size(); ++j)
      if (left[j] != right[j])
        return "the weighted sums differ at row " + std::to_string(i) + ", column " +
               std::to_string(j) + ": " + to_decimal(left[j]) + " over edges, " +
               to_decimal(right[j]) + " over non-edges";
  }
  return std::nullopt;
}

}  // namespace qkcert
