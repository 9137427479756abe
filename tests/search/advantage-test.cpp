#include <qkcert/core/errors.hpp>
#include <qkcert/core/random_graph.hpp>
#include <qkcert/search/advantage.hpp>
#include <qkcert/verify/certificate.hpp>

#include "support.hpp"

namespace qkcert {
namespace {

using namespace test;

CertifyOptions quick() {
  return {
      .method = "fit", .heads = 4, .head_dim = 2, .threads = 1, .budget = std::chrono::seconds(60)};
}

std::string reason(const Claim& single, const Claim& heads) {
  const Verdict verdict =
      check_advantage(write_certificate(single), "single", write_certificate(heads), "heads");
  CHECK_FALSE(verdict.holds);
  return verdict.text;
}

TEST_CASE("one run yields both halves, and they go together") {
  const Graph graph = random_graph(Family("permutation", {24}), 1);
  const Embedding embedding = gaussian_embedding(24, 6, 20, 1);
  const Advantage result = find_advantage(graph, embedding, quick());
  REQUIRE((result.single && result.heads.best));
  CHECK_FALSE(result.one_head);
  const SingleHeadImpossibility single = *result.single;
  const RecoveryClaim heads = result.heads.best->claim.value();
  CHECK((single.graph == graph && heads.graph == graph));
  CHECK((single.embedding == embedding.rows && heads.embedding == embedding.rows));
  const Verdict verdict =
      check_advantage(write_certificate(single), "a.qkc", write_certificate(heads), "b.qkc");
  CHECK(verdict.holds);
  CHECK_THAT(verdict.text, Catch::StartsWith("a.qkc: impossibility: 24 vertices"));
  CHECK_THAT(verdict.text, Catch::Contains("\nb.qkc: recovery: 24 vertices"));

  CHECK(reason(heads, single) == "single: not an impossibility of a single head");
  CHECK(reason(single, single) == "heads: not a recovery");
  RecoveryClaim other = heads;
  other.embedding.set(23, 5, other.embedding.at(23, 5) + 1);
  CHECK(reason(single, other) == "the two embeddings differ");
  other = heads;
  other.graph = random_graph(Family("permutation", {24}), 2);
  CHECK(reason(single, other) == "the two graphs differ");
  other = heads;
  other.channel.heads.resize(1);
  CHECK(reason(single, other) == "heads: a single head");
  other = heads;
  other.threshold = *heads.least_edge;
  CHECK_THAT(reason(single, other), Catch::StartsWith("heads: the edge ("));
  SingleHeadImpossibility changed = single;
  changed.edge_multipliers[0].weight += 1;
  CHECK_THAT(reason(changed, heads), Catch::StartsWith("single: the multipliers' totals are"));
  CHECK_THROWS_AS(check_advantage("qkcert 1\n", "single", write_certificate(heads), "heads"),
                  FormatError);
}

TEST_CASE("a single head that does is a verified claim") {
  const Graph graph = random_graph(Family("permutation", {8}), 1);
  const Advantage result = find_advantage(graph, one_hot(8), quick());
  CHECK_FALSE(result.single);
  CHECK_FALSE(result.heads.best);
  REQUIRE(result.one_head);
  CHECK(result.one_head->channel.heads.size() == 1);
  CHECK(check(*result.one_head).holds);
}

TEST_CASE("several heads that are not found leave the first half alone") {
  // Rows 0 and 1 are equal, so no channel tells their neighbours apart.
  Embedding embedding = gaussian_embedding(24, 6, 20, 1);
  for (std::size_t j = 0; j < 6; ++j) embedding.rows.set(1, j, embedding.rows.at(0, j));
  const Advantage result = find_advantage(random_graph(Family("permutation", {24}), 1), embedding,
                                          {.method = "fit",
                                           .heads = 2,
                                           .head_dim = 1,
                                           .threads = 1,
                                           .budget = std::chrono::milliseconds(200)});
  REQUIRE(result.single);
  CHECK(check(*result.single).holds);
  CHECK_FALSE(result.heads.best);
}

TEST_CASE("the advantage of one head is no advantage") {
  CertifyOptions options = quick();
  options.heads = 1;
  CHECK_THROWS_AS(find_advantage(Graph(2, {{0, 1}}), one_hot(2), options), UsageError);
}

}  // namespace
}  // namespace qkcert
