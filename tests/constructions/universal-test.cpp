#include <qkcert/constructions/good_pairs.hpp>
#include <qkcert/constructions/universal.hpp>
#include <qkcert/verify/check.hpp>

#include "constructions/proposals.hpp"

namespace qkcert {
namespace {

TEST_CASE("universal_edge_pairs lists exactly the good pairs, whatever the threads") {
  const Matrix rows = gaussian_embedding(12, 6, 8, 3).rows;
  const Family family("permutation", {12});
  const UniversalEdgePairs claim = universal_edge_pairs(family, rows, 1);
  const GoodVectors vectors(rows);
  std::size_t k = 0;
  for (std::size_t i = 0; i < 12; ++i)
    for (std::size_t j = i + 1; j < 12; ++j) {
      const auto vector = vectors.pair(i, j);
      if (!vector) continue;
      REQUIRE(k < claim.pairs.size());
      CHECK(claim.pairs[k] == Edge{i, j});
      for (std::size_t c = 0; c < 6; ++c) CHECK(claim.vectors.at(k, c) == vector->z[c]);
      ++k;
    }
  CHECK(k == claim.pairs.size());
  CHECK(claim.vectors.rows() == k);
  CHECK(claim.heads == 6);
  CHECK(claim.embedding == rows);
  const std::string bytes = write_certificate(claim);
  for (const unsigned threads : {0U, 2U, 5U})
    CHECK(write_certificate(universal_edge_pairs(family, rows, threads)) == bytes);
}

TEST_CASE("the good pairs of 64 Gaussian rows in 16 dimensions serve all 64! permutations") {
  const Matrix rows = gaussian_embedding(64, 16, 20, 1).rows;
  for (const char* name : {"permutation", "derangement"}) {
    const UniversalEdgePairs claim = universal_edge_pairs(Family(name, {64}), rows);
    CHECK(claim.heads == 32);
    CHECK(check(claim).holds);
  }
  CHECK(check(universal_edge_pairs(Family("out-regular", {64, 8}), rows)).holds);
}

TEST_CASE("classes that no pairs can serve are refused before any work") {
  const auto refusal = [](const Family& family) {
    return test::message_of<MethodError>(
        [&] { universal_edge_pairs(family, identity(family.vertices())); });
  };
  CHECK(refusal(Family("digraph", {4, 0})) == "the graphs of the class digraph 4 0 have no edges");
  CHECK(refusal(Family("functional", {6})) ==
        "edge-pairs: the class functional 6 has out-degrees up to 1 and in-degrees up to 5: too "
        "large for its 6 edges to be paired off, were all pairs good");
  CHECK(refusal(Family("digraph", {4, 8})) != "no error");
  CHECK(refusal(Family("digraph", {4, 9})) == "no error");
  CHECK(check(universal_edge_pairs(Family("digraph", {4, 9}), identity(4))).holds);
  CHECK_THROWS_AS(universal_edge_per_head(Family("digraph", {4, 0}), identity(4)), MethodError);
  CHECK_THROWS_AS(universal_edge_per_head(Family("permutation", {5}), identity(4)), ShapeError);
  CHECK_THROWS_AS(universal_edge_pairs(Family("permutation", {5}), identity(4)), ShapeError);
}

}  // namespace
}  // namespace qkcert
