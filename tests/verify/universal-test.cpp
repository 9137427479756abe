#include <algorithm>
#include <numeric>
#include <qkcert/constructions/method.hpp>
#include <qkcert/constructions/universal.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/random_graph.hpp>
#include <qkcert/verify/certificate.hpp>
#include <qkcert/verify/check.hpp>
#include <qkcert/verify/extremes.hpp>
#include <qkcert/verify/universal.hpp>

#include "support.hpp"
#include "verify/slow_checker.hpp"

namespace qkcert {
namespace {

using namespace test;

std::string reason(const Claim& claim) {
  const Verdict verdict = check(claim, 1);
  CHECK_FALSE(verdict.holds);
  CHECK(check(claim, 3).text == verdict.text);
  return verdict.text;
}

UniversalEdgePairs good_claim() {
  return universal_edge_pairs(Family("permutation", {9}), gaussian_embedding(9, 7, 6, 2).rows, 1);
}

TEST_CASE("a true universal claim is restated with class, dimension, heads and pairs") {
  const UniversalEdgePairs pairs = good_claim();
  for (const unsigned threads : {0U, 1U, 3U}) {
    const Verdict verdict = check(pairs, threads);
    CHECK(verdict.holds);
    CHECK(verdict.text ==
          "universal edge-pairs: class permutation 9, d_model 7: on this embedding every graph of "
          "the class is recognised by 5 heads of width one with weights of its own, under "
          "threshold-max (" +
              std::to_string(pairs.pairs.size()) + " good pairs, all but at most " +
              std::to_string(most_unlisted(pairs)) + " at each vertex)");
  }
  const Verdict verdict = check(universal_edge_per_head(Family("functional", {4}), identity(4)));
  CHECK(verdict.holds);
  CHECK(verdict.text ==
        "universal edge-per-head: class functional 4, d_model 4: on this embedding every graph of "
        "the class is recognised by 4 heads of width one with weights of its own, under "
        "threshold-max");
}

/// Every permutation of `m`, served by construct with ⌈m/2⌉ heads on this embedding.
void check_every_permutation(const Matrix& rows) {
  const std::size_t m = rows.rows();
  const Embedding embedding{rows, 0};
  const Method& method = find_method("edge-pairs");
  std::vector<std::size_t> image(m);
  std::iota(image.begin(), image.end(), 0);
  do {
    std::vector<Edge> edges;
    for (std::size_t u = 0; u < m; ++u) edges.push_back({u, image[u]});
    const Graph graph(m, std::move(edges));
    const Channel channel = propose(method, {graph, embedding});
    CHECK(channel.heads.size() == (m + 1) / 2);
    CHECK(score_extremes(graph, rows, channel, 1).separated());
  } while (std::next_permutation(image.begin(), image.end()));
}

TEST_CASE("where the claim holds every permutation is served by as many heads") {
  std::size_t holding = 0, failing = 0;
  repeat(30, [&](Random& random) {
    const std::size_t m = 3 + random.below(3);
    const Matrix rows = random_matrix(random, m, 2 + random.below(4), 5);
    const UniversalEdgePairs claim = universal_edge_pairs(Family("permutation", {m}), rows, 1);
    const bool holds = check(claim, 1).holds;
    CHECK(holds == SlowChecker::accepts(write_certificate(claim)));
    ++(holds ? holding : failing);
    if (holds) check_every_permutation(rows);
  });
  CHECK(holding > 5);
  CHECK(failing > 5);
}

TEST_CASE("where the claim holds random graphs of every class are served by as many heads") {
  repeat(4, [](Random& random) {
    const std::uint64_t m = 9 + random.below(4), seed = random.below(1U << 30);
    const Embedding embedding = gaussian_embedding(m, 10, 10, seed);
    std::vector<std::uint64_t> degrees(m + 1, 5);
    degrees[0] = m;
    for (const Family& family :
         {Family("permutation", {m}), Family("derangement", {m}), Family("matching", {m, m / 2}),
          Family("out-regular", {m, 7}), Family("digraph", {m, m * (m - 2)}),
          Family("digraph-loops", {m, m * (m - 1)}), Family("out-degrees", degrees)}) {
      INFO(family.to_string());
      const UniversalEdgePairs claim = universal_edge_pairs(family, embedding.rows, 1);
      if (!check(claim, 1).holds) continue;
      for (std::uint64_t draw = 0; draw < 3; ++draw) {
        const Graph graph = random_graph(family, seed + draw);
        const Channel channel = propose(find_method("edge-pairs"), {graph, embedding});
        CHECK(channel.heads.size() == claim.heads);
        CHECK(score_extremes(graph, embedding.rows, channel, 1).separated());
      }
    }
  });
}

TEST_CASE("every listed pair must be good, the first and the last too") {
  const UniversalEdgePairs claim = good_claim();
  REQUIRE(check(claim).holds);
  for (std::size_t k = 0; k < claim.pairs.size(); ++k) {
    UniversalEdgePairs changed = claim;
    changed.vectors.set(k, k % 7, claim.vectors.at(k, k % 7) + 1);
    CHECK_THAT(reason(changed),
               Catch::StartsWith("the pair (" + std::to_string(claim.pairs[k].source) + ", " +
                                 std::to_string(claim.pairs[k].target) + ") is not good"));
    changed = claim;
    for (std::size_t j = 0; j < 7; ++j) changed.vectors.set(k, j, Integer(-claim.vectors.at(k, j)));
    CHECK_THAT(reason(changed), Catch::Contains("is not good: its vector gives -"));
    for (std::size_t j = 0; j < 7; ++j) changed.vectors.set(k, j, std::int64_t{0});
    CHECK_THAT(reason(changed), Catch::Contains("is not good: its vector gives 0 at"));
    // Any positive multiple does as well, of any size.
    changed = claim;
    for (std::size_t j = 0; j < 7; ++j)
      changed.vectors.set(k, j, Integer(power(10, 30) * claim.vectors.at(k, j)));
    CHECK(check(changed).holds);
  }
}

TEST_CASE("an outsider at the very bound is refused") {
  // Of z = (1, -1, c): x_2 has c, x_3 has -c.
  UniversalEdgePairs claim{Family("matching", {4, 1}), identity(4), {{0, 1}}, Matrix(1, 4), 1};
  claim.embedding.set(3, 2, std::int64_t{-1});
  claim.vectors.set(0, 0, std::int64_t{3});
  claim.vectors.set(0, 1, std::int64_t{-3});
  const auto with = [&](std::int64_t c) {
    claim.vectors.set(0, 2, c);
    return reason(claim);
  };
  // The class needs more pairs in any case: let every vertex have its share.
  CHECK_THAT(with(0), Catch::StartsWith("some vertex is in no listed pair"));
  claim.family = Family("digraph", {4, 12});
  claim.heads = 6;
  UniversalEdgePairs all = universal_edge_pairs(claim.family, identity(4), 1);
  REQUIRE(check(all).holds);
  all.vectors.set(0, 2, std::int64_t{1});
  CHECK_THAT(reason(all), Catch::Contains("gives 1 at 2, which is not within 1"));
  all.vectors.set(0, 2, std::int64_t{-1});
  CHECK_THAT(reason(all), Catch::Contains("gives -1 at 2, which is not within 1"));
  all.vectors.set(0, 2, std::int64_t{0});
  all.vectors.set(0, 3, std::int64_t{1});
  CHECK_THAT(reason(all), Catch::Contains("gives 1 at 3, which is not within 1"));
}

/// One-hot rows, all pairs listed but those at vertex 0 with 1, …, missing.
UniversalEdgePairs without(const Family& family, std::size_t missing) {
  const std::size_t m = family.vertices();
  const UniversalEdgePairs all{family, identity(m), {}, {}, (family.edges() + 1) / 2};
  UniversalEdgePairs claim = all;
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = i + 1; j < m; ++j)
      if (i > 0 || j > missing) claim.pairs.push_back({i, j});
  claim.vectors = Matrix(claim.pairs.size(), m);
  for (std::size_t k = 0; k < claim.pairs.size(); ++k) {
    claim.vectors.set(k, claim.pairs[k].source, std::int64_t{1});
    claim.vectors.set(k, claim.pairs[k].target, std::int64_t{-1});
  }
  return claim;
}

TEST_CASE("as many pairs may be missing as the inequality says, and not one more") {
  for (std::uint64_t m = 2; m <= 14; ++m)
    for (const Family& family :
         {Family("permutation", {m}), Family("matching", {m, m / 2}),
          Family("out-regular", {m, m - 1}), Family("digraph-loops", {m, m * m})})
      for (std::size_t missing = 0; missing < m; ++missing) {
        const Integer degrees = Integer(family.max_out_degree()) + family.max_in_degree();
        const Integer heads = (family.edges() + 1) / 2;
        const UniversalEdgePairs claim = without(family, missing);
        REQUIRE(most_unlisted(claim) == missing);
        const bool enough = Integer(missing + 1) * degrees - 2 <= heads - 1 &&
                            (family.edges() % 2 == 0 || m - 1 - missing >= 2);
        INFO(family.to_string() << ", missing " << missing);
        CHECK(check(claim, 1).holds == enough);
        CHECK(SlowChecker::accepts(write_certificate(claim)) == enough);
      }
}

TEST_CASE("a lone edge needs a row that can be singled out") {
  UniversalEdgePairs claim{Family("permutation", {1}), Matrix(1, 1), {}, Matrix(0, 1), 1};
  CHECK(reason(claim) ==
        "the number of edges is odd, and some vertex is in fewer than two listed pairs");
  claim.family = Family("digraph", {2, 1});
  claim.embedding = identity(2);
  claim.vectors = Matrix(0, 2);
  CHECK_THAT(reason(claim), Catch::StartsWith("some vertex is in no listed pair with 1 others"));
}

TEST_CASE("universal claims built by hand with shapes that disagree do not hold") {
  const UniversalEdgePairs good = good_claim();
  UniversalEdgePairs claim = good;
  claim.pairs.pop_back();
  CHECK(reason(claim) == "one vector of d_model integers per pair is required");
  CHECK_THROWS_AS(write_certificate(claim), ShapeError);
  claim = good;
  claim.family = Family("permutation", {8});
  CHECK(reason(claim) == "one row per vertex is required");
  CHECK_THROWS_AS(write_certificate(claim), ShapeError);
  for (const Edge& pair : {Edge{1, 0}, {1, 1}, {0, 9}, {8, 9}}) {
    claim = good;
    claim.pairs.front() = pair;
    CHECK(reason(claim) == "pairs i < j in increasing order are required");
  }
  claim = good;
  claim.pairs[1] = claim.pairs[0];
  CHECK(reason(claim) == "pairs i < j in increasing order are required");
  claim = good;
  claim.heads = 4;
  CHECK(reason(claim) == "heads is stated as 4, but is 5");
  UniversalEdgePerHead edges{Family("permutation", {3}), identity(3), 2};
  CHECK(reason(edges) == "heads is stated as 2, but is 3");
  edges = {Family("permutation", {4}), identity(3), 4};
  CHECK(reason(edges) == "one row per vertex is required");
  CHECK_THROWS_AS(write_certificate(edges), ShapeError);
  edges = {Family("permutation", {2}), identity(2), 2};
  edges.embedding.set(1, 0, std::int64_t{1});
  CHECK_THAT(reason(edges), Catch::Contains("row 0 has the norm 1"));
}

}  // namespace
}  // namespace qkcert
