#include <qkcert/bounds/heads_clique.hpp>
#include <qkcert/core/embedding.hpp>
#include <qkcert/core/random_graph.hpp>
#include <qkcert/verify/certificate.hpp>
#include <qkcert/verify/check.hpp>

#include "bounds/instances.hpp"

namespace qkcert {
namespace {

using namespace test;

TEST_CASE("large_clique: against all subsets") {
  repeat(100, [](Random& random) {
    const std::size_t size = 1 + random.below(9);
    std::vector<std::pair<std::size_t, std::size_t>> edges;
    std::vector<std::vector<bool>> adjacent(size, std::vector<bool>(size));
    for (std::size_t a = 0; a < size; ++a)
      for (std::size_t b = a + 1; b < size; ++b)
        if (random.below(2) == 0) {
          edges.emplace_back(a, b);
          adjacent[a][b] = true;
        }
    std::size_t best = 0;
    for (std::size_t set = 0; set < std::size_t{1} << size; ++set) {
      std::size_t count = 0;
      bool clique = true;
      for (std::size_t a = 0; a < size; ++a) {
        if (!(set >> a & 1)) continue;
        ++count;
        for (std::size_t b = a + 1; b < size; ++b)
          if (set >> b & 1) clique = clique && adjacent[a][b];
      }
      if (clique) best = std::max(best, count);
    }
    const auto found = large_clique(size, edges);
    CHECK(found.size() == best);
    for (std::size_t i = 0; i < found.size(); ++i)
      for (std::size_t j = i + 1; j < found.size(); ++j) CHECK(adjacent[found[i]][found[j]]);
  });
}

TEST_CASE("heads_clique: every bound holds, every mutation is refused") {
  const Graph graph = random_graph(Family("permutation", {12}), 1);
  const Matrix x = gaussian_embedding(12, 2, 10, 1).rows;
  const HeadsClique found = heads_clique(graph, x);
  REQUIRE(found.bound);
  CHECK(found.clashing + found.held + found.undecided + found.untried == 66);
  CHECK(found.undecided == 0);
  const HeadsCliqueBound& claim = *found.bound;
  REQUIRE(claim.clique.size() >= 3);
  CHECK(check(claim, 1).holds);
  const std::string bytes = write_certificate(claim);
  CHECK(write_certificate(read_certificate(bytes, "test")) == bytes);
  for (std::size_t k = 0; k < claim.clashes.size(); ++k) {
    HeadsCliqueBound changed = claim;
    changed.clashes[k].nonedges.back().weight += 1;
    CHECK_FALSE(check(changed, 1).holds);
    changed = claim;
    changed.clashes[k] = claim.clashes[(k + 1) % claim.clashes.size()];
    if (changed.clashes[k].edges.size() == 2) CHECK_FALSE(check(changed, 1).holds);
  }
  HeadsCliqueBound changed = claim;
  changed.clique.pop_back();
  CHECK_FALSE(check(changed, 1).holds);
  changed = claim;
  changed.clique[1] = changed.clique[0];
  CHECK_FALSE(check(changed, 1).holds);
  changed = claim;
  changed.clique.resize(1);
  changed.clashes.clear();
  CHECK_FALSE(check(changed, 1).holds);
  changed = claim;
  changed.embedding.set(claim.clique[0].source, 0, std::int64_t{1});
  CHECK_FALSE(check(changed, 1).holds);
}

TEST_CASE("heads_clique: nothing clashes on one-hot rows") {
  const HeadsClique found = heads_clique(random_graph(Family("permutation", {6}), 1), identity(6));
  CHECK_FALSE(found.bound);
  CHECK(found.held == 15);
}

}  // namespace
}  // namespace qkcert
