#include <qkcert/bounds/refute_coincidence.hpp>

#include <map>
#include <tuple>

namespace qkcert::refutation {

namespace {

/// x_u = factor·direction number `number`; the direction is primitive, its first non-zero entry
/// positive. Both are 0 for a zero row.
struct Direction {
  std::size_t number = 0;
  Integer factor = 0;
};

std::vector<Direction> directions_of(const Matrix& x) {
  std::map<std::vector<Integer>, std::size_t> numbers;
  std::vector<Direction> result(x.rows());
  for (std::size_t u = 0; u < x.rows(); ++u) {
    std::vector<Integer> row(x.cols());
    Integer factor = 0, first = 0;
    for (std::size_t j = 0; j < x.cols(); ++j) {
      row[j] = x.at(u, j);
      factor = gcd(factor, row[j]);
      if (first == 0) first = row[j];
    }
    if (factor == 0) continue;
    if (first < 0) factor = -factor;
    for (Integer& entry : row) entry /= factor;
    const std::size_t next = numbers.size() + 1;
    result[u] = {numbers.try_emplace(std::move(row), next).first->second, factor};
  }
  return result;
}

}  // namespace

std::optional<std::pair<Edge, Edge>> coincidence(const Graph& graph, const Matrix& embedding,
                                                 const std::vector<Edge>& kept) {
  const std::vector<Direction> directions = directions_of(embedding);
  using Key = std::tuple<std::size_t, std::size_t, Integer>;
  const auto key = [&](Edge pair) -> Key {
    const Direction& a = directions[pair.source];
    const Direction& b = directions[pair.target];
    if (a.number == 0 || b.number == 0) return {0, 0, 0};
    return {a.number, b.number, a.factor * b.factor};
  };
  std::map<Key, Edge> points;
  for (const Edge& edge : kept) points.try_emplace(key(edge), edge);
  for (std::size_t u = 0; u < graph.vertices(); ++u)
    for (std::size_t v = 0; v < graph.vertices(); ++v) {
      if (graph.contains({u, v})) continue;
      const auto found = points.find(key({u, v}));
      if (found != points.end()) return std::pair{found->second, Edge{u, v}};
    }
  return std::nullopt;
}

}  // namespace qkcert::refutation
