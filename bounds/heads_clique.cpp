#include <algorithm>
#include <map>
#include <qkcert/bounds/heads_clique.hpp>

namespace qkcert {

namespace {

class CliqueSearch {
 public:
  explicit CliqueSearch(std::vector<std::vector<bool>> adjacent) : adjacent_(std::move(adjacent)) {}

  std::vector<std::size_t> run() {
    std::vector<std::size_t> all(adjacent_.size());
    for (std::size_t v = 0; v < all.size(); ++v) all[v] = v;
    const auto degree = [&](std::size_t v) {
      return std::count(adjacent_[v].begin(), adjacent_[v].end(), true);
    };
    std::stable_sort(all.begin(), all.end(),
                     [&](std::size_t a, std::size_t b) { return degree(a) > degree(b); });
    extend(all);
    std::sort(best_.begin(), best_.end());
    return best_;
  }

 private:
  /// `open` are the vertices adjacent to all of current_ that are still to be tried.
  void extend(const std::vector<std::size_t>& open) {
    if (current_.size() > best_.size()) best_ = current_;
    for (std::size_t i = 0; i < open.size() && nodes_ < 1'000'000; ++i) {
      if (current_.size() + open.size() - i <= best_.size()) return;
      ++nodes_;
      std::vector<std::size_t> next;
      for (std::size_t j = i + 1; j < open.size(); ++j)
        if (adjacent_[open[i]][open[j]]) next.push_back(open[j]);
      current_.push_back(open[i]);
      extend(next);
      current_.pop_back();
    }
  }

  std::vector<std::vector<bool>> adjacent_;
  std::vector<std::size_t> current_, best_;
  std::size_t nodes_ = 0;
};

}  // namespace

std::vector<std::size_t> large_clique(
    std::size_t size, const std::vector<std::pair<std::size_t, std::size_t>>& edges) {
  std::vector<std::vector<bool>> adjacent(size, std::vector<bool>(size));
  for (const auto& [a, b] : edges) adjacent[a][b] = adjacent[b][a] = true;
  return CliqueSearch(std::move(adjacent)).run();
}

HeadsClique heads_clique(const Graph& graph, const Matrix& embedding,
                         const RefuteOptions& options) {
  Clashes pairs = clashes(graph, embedding, options);
  HeadsClique result{{}, pairs.found.size(), pairs.held, pairs.undecided, pairs.untried};
  if (pairs.found.empty()) return result;
  std::vector<std::pair<std::size_t, std::size_t>> edges;
  std::map<std::pair<std::size_t, std::size_t>, Multipliers*> multipliers;
  for (Clash& clash : pairs.found) {
    edges.emplace_back(clash.first, clash.second);
    multipliers[edges.back()] = &clash.multipliers;
  }
  const std::vector<std::size_t> clique = large_clique(graph.edges().size(), edges);
  HeadsCliqueBound& bound = result.bound.emplace(HeadsCliqueBound{graph, embedding, {}, {}});
  for (std::size_t i = 0; i < clique.size(); ++i) {
    bound.clique.push_back(graph.edges()[clique[i]]);
    for (std::size_t j = i + 1; j < clique.size(); ++j)
      bound.clashes.push_back(std::move(*multipliers.at({clique[i], clique[j]})));
  }
  return result;
}

}  // namespace qkcert
