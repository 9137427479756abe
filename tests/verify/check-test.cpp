#include <limits>
#include <qkcert/core/errors.hpp>
#include <qkcert/verify/check.hpp>
#include <qkcert/verify/extremes.hpp>

#include "support.hpp"

namespace qkcert {
namespace {

using namespace test;

Matrix matrix_of(const std::vector<std::vector<std::int64_t>>& rows) {
  Matrix matrix(rows.size(), rows[0].size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows[i].size(); ++j) matrix.set(i, j, rows[i][j]);
  return matrix;
}

std::string refusal(const Claim& claim) {
  const Verdict verdict = check(claim, 1);
  CHECK_FALSE(verdict.holds);
  return verdict.text;
}

// ---- recovery

/// One-hot, so that S = W_Q·W_Kᵀ: edges 0→1 and 1→0 score 6 and 8, the loops 2 and 1.
RecoveryClaim two_vertices() {
  return {Graph(2, {{0, 1}, {1, 0}}),
          identity(2),
          5,
          {{{matrix_of({{2}, {0}}), matrix_of({{1}, {3}})},
            {matrix_of({{0}, {4}}), matrix_of({{2}, {-9}})},
            {matrix_of({{1}, {1}}), matrix_of({{1}, {1}})}}},
          Integer(6),
          Integer(2)};
}

TEST_CASE("a true recovery claim is restated with all its numbers") {
  for (const unsigned threads : {0U, 1U, 3U}) {
    const Verdict verdict = check(two_vertices(), threads);
    CHECK(verdict.holds);
    CHECK(verdict.text ==
          "recovery: 2 vertices, 2 edges, d_model 2: 3 heads, D_K 3, weights up to 9: recovers "
          "every context's neighbours under threshold-max 5 (least edge 6, greatest non-edge 2)");
  }
}

TEST_CASE("the threshold holds from the greatest non-edge to just below the least edge") {
  RecoveryClaim claim = two_vertices();
  for (int threshold = -3; threshold <= 12; ++threshold) {
    claim.threshold = threshold;
    CHECK(check(claim).holds == (threshold >= 2 && threshold < 6));
  }
  claim.threshold = 6;
  CHECK(refusal(claim) == "the edge (0, 1) scores 6, which is not above the threshold 6");
  claim.threshold = 1;
  CHECK(refusal(claim) == "the non-edge (0, 0) scores 2, which is above the threshold 1");
  claim.threshold = power(10, 40);
  CHECK(refusal(claim) ==
        "the edge (0, 1) scores 6, which is not above the threshold 1" + std::string(40, '0'));
}

TEST_CASE("a stated extreme must be the exact one") {
  for (const int offset : {-1, 1}) {
    RecoveryClaim claim = two_vertices();
    *claim.least_edge += offset;
    CHECK(refusal(claim) == "the least edge score is stated as " + to_decimal(*claim.least_edge) +
                                ", but is 6 at the pair (0, 1)");
    claim = two_vertices();
    *claim.greatest_nonedge += offset;
    CHECK(refusal(claim) == "the greatest non-edge score is stated as " +
                                to_decimal(*claim.greatest_nonedge) +
                                ", but is 2 at the pair (0, 0)");
  }
  RecoveryClaim claim = two_vertices();
  claim.least_edge.reset();
  CHECK(refusal(claim) == "the least edge score is stated as -, but is 6 at the pair (0, 1)");
  claim = two_vertices();
  claim.greatest_nonedge.reset();
  CHECK(refusal(claim) ==
        "the greatest non-edge score is stated as -, but is 2 at the pair (0, 0)");
}

TEST_CASE("an absent extreme must be stated as absent") {
  RecoveryClaim claim = two_vertices();
  claim.graph = Graph(2, {});
  claim.threshold = 8;
  CHECK(refusal(claim) == "the least edge score is stated as 6, but there is none");
  claim.least_edge.reset();
  claim.greatest_nonedge = 8;
  CHECK(check(claim).holds);
  claim.graph = Graph(2, {{0, 0}, {0, 1}, {1, 0}, {1, 1}});
  claim.threshold = 0;
  claim.least_edge = 1;
  CHECK(refusal(claim) == "the greatest non-edge score is stated as 8, but there is none");
  claim.greatest_nonedge.reset();
  CHECK(check(claim).holds);
  const RecoveryClaim nothing{
      Graph(0, {}), Matrix(0, 0), 0, {{{Matrix(0, 1), Matrix(0, 1)}}}, {}, {}};
  CHECK(check(nothing).holds);
}

TEST_CASE("every edge counts: adding or taking away any one is seen") {
  repeat(40, [](Random& random) {
    const std::size_t m = 2 + random.below(5);
    const std::size_t d_model = 1 + random.below(3);
    const Matrix x = random_matrix(random, m, d_model, 3);
    const Channel channel = random_channel(random, d_model, 3, 2, 3);
    // The graph of all pairs above the median-ish threshold 0.
    std::vector<bool> edge(m * m);
    for (std::size_t i = 0; i < m * m; ++i) {
      const auto alone = score_extremes(Graph(m, {{i / m, i % m}}), x, channel, 1);
      edge[i] = alone.least_edge->score > 0;
    }
    const auto claim_of = [&] {
      std::vector<Edge> edges;
      for (std::size_t i = 0; i < m * m; ++i)
        if (edge[i]) edges.push_back({i / m, i % m});
      RecoveryClaim claim{Graph(m, std::move(edges)), x, 0, channel, {}, {}};
      const Extremes exact = score_extremes(claim.graph, x, channel, 1);
      if (exact.least_edge) claim.least_edge = exact.least_edge->score;
      if (exact.greatest_nonedge) claim.greatest_nonedge = exact.greatest_nonedge->score;
      return claim;
    };
    CHECK(check(claim_of()).holds);
    for (std::size_t i = 0; i < m * m; ++i) {
      edge[i] = !edge[i];
      CHECK_FALSE(check(claim_of()).holds);
      edge[i] = !edge[i];
    }
  });
}

TEST_CASE("claims built by hand with shapes that disagree do not hold") {
  RecoveryClaim claim = two_vertices();
  claim.graph = Graph(3, {{0, 1}, {1, 0}});
  CHECK(refusal(claim) == "score_extremes: one row per vertex is required");
  claim = two_vertices();
  claim.channel = {};
  CHECK(refusal(claim) == "Channel: at least one head is required");
  claim = two_vertices();
  claim.channel.heads[2].key = Matrix(2, 2);
  CHECK(refusal(claim) == "Channel: query and key widths differ");
  constexpr std::size_t huge = std::numeric_limits<std::size_t>::max();
  const Head wide{Matrix(0, huge), Matrix(0, huge)};
  CHECK(refusal(RecoveryClaim{Graph(1, {}), Matrix(1, 0), 0, {{wide, wide}}, {}, Integer(0)}) ==
        "too large to be decided: Channel: the widths add up to 2^64 or more");
}

// ---- impossibility

TEST_CASE("impossibility: equal sums with equal totals, restated with its decoder") {
  // x_0ᵀx_1 + x_1ᵀx_0 + x_2ᵀx_2 = x_0ᵀx_0 + x_1ᵀx_1; the zero row x_3 fills the totals.
  SingleHeadImpossibility claim{Graph(4, {{0, 1}, {1, 0}, {2, 2}}),
                                matrix_of({{1, 0}, {1, 1}, {0, 1}, {0, 0}}),
                                {{{0, 1}, 2}, {{1, 0}, 2}, {{2, 2}, 2}},
                                {{{0, 0}, 2}, {{1, 1}, 2}, {{3, 3}, 2}}};
  const Verdict verdict = check(claim);
  CHECK(verdict.holds);
  CHECK(verdict.text ==
        "impossibility: 4 vertices, 3 edges, d_model 2: no single head, of any key dimension and "
        "any real weights, recognises this graph with a threshold decoder (threshold-max with one "
        "head, threshold-sum with any number)");

  SECTION("one multiplier changed by one") {
    for (auto* list : {&claim.edge_multipliers, &claim.nonedge_multipliers})
      for (auto& multiplier : *list)
        for (const int change : {-1, 1}) {
          multiplier.weight += change;
          CHECK(refusal(claim).starts_with("the multipliers' totals are "));
          multiplier.weight -= change;
        }
  }
  SECTION("totals kept, one unit moved between two pairs") {
    for (auto* list : {&claim.edge_multipliers, &claim.nonedge_multipliers})
      for (std::size_t i = 0; i < list->size(); ++i)
        for (std::size_t j = 0; j < list->size(); ++j) {
          if (i == j) continue;
          ++(*list)[i].weight;
          --(*list)[j].weight;
          CHECK(refusal(claim).starts_with("the weighted sums differ at row "));
          --(*list)[i].weight;
          ++(*list)[j].weight;
        }
  }
  SECTION("one entry of the embedding changed") {
    for (std::size_t v = 0; v < 4; ++v)
      for (std::size_t j = 0; j < 2; ++j)
        for (const int change : {-1, 1}) {
          SingleHeadImpossibility changed = claim;
          changed.embedding.set(v, j, claim.embedding.at(v, j) + change);
          CHECK(refusal(changed).starts_with("the weighted sums differ at row "));
        }
  }
  SECTION("the last entry of the last row alone") {
    claim.edge_multipliers = {{{0, 1}, 1}, {{1, 0}, 1}};
    claim.nonedge_multipliers = {{{0, 0}, 1}, {{1, 1}, 1}};
    CHECK(refusal(claim) ==
          "the weighted sums differ at row 1, column 1: 0 over edges, 1 over non-edges");
  }
  SECTION("multipliers that are not positive or on the wrong side") {
    const auto wrong = [&](const char* pair) {
      return "the multiplier at the pair " + std::string(pair) +
             " is not positive or on the wrong side";
    };
    SingleHeadImpossibility changed = claim;
    changed.edge_multipliers[2].weight = 0;
    CHECK(refusal(changed) == wrong("(2, 2)"));
    changed = claim;
    changed.nonedge_multipliers.push_back({{3, 2}, -1});
    CHECK(refusal(changed) == wrong("(3, 2)"));
    changed = claim;
    changed.edge_multipliers[1].pair = {1, 1};
    CHECK(refusal(changed) == wrong("(1, 1)"));
    changed = claim;
    changed.nonedge_multipliers[2].pair = {2, 2};
    CHECK(refusal(changed) == wrong("(2, 2)"));
    changed = claim;
    std::swap(changed.edge_multipliers, changed.nonedge_multipliers);
    CHECK(refusal(changed) == wrong("(0, 0)"));
  }
  SECTION("no multipliers at all") {
    claim.edge_multipliers.clear();
    claim.nonedge_multipliers.clear();
    CHECK(refusal(claim) ==
          "the multipliers' totals are 0 on edges and 0 on non-edges; equal and "
          "positive is required");
  }
  SECTION("an embedding of more rows than vertices") {  // (3, 3) would pass for a non-edge
    claim.graph = Graph(3, {{0, 1}, {1, 0}, {2, 2}});
    CHECK(refusal(claim) == "one row per vertex is required");
  }
  SECTION("pairs beyond the embedding") {
    claim.nonedge_multipliers.push_back({{9, 9}, 1});
    claim.edge_multipliers[0].weight += 1;
    CHECK_FALSE(check(claim).holds);
  }
}

TEST_CASE("one edge multiplier proves the impossibility for any number of heads") {
  const SingleHeadImpossibility claim{Graph(2, {{0, 0}}),
                                      matrix_of({{1}, {1}}),
                                      {{{0, 0}, power(10, 40)}},
                                      {{{0, 1}, power(10, 40) - 1}, {{1, 1}, 1}}};
  const Verdict verdict = check(claim);
  CHECK(verdict.holds);
  CHECK(
      verdict.text ==
      "impossibility: 2 vertices, 1 edges, d_model 1: no channel with any number of heads, of any "
      "key dimension and any real weights, recognises this graph with the decoder threshold-max");
}

TEST_CASE("two edge multipliers prove it for one head alone") {
  // Edges (0, 0), (1, 1) of equal rows look like the pairs (0, 1), (1, 0).
  const SingleHeadImpossibility claim{
      Graph(2, {{0, 0}, {1, 1}}), matrix_of({{3}, {3}}), {{{0, 0}, 1}, {{1, 1}, 1}}, {{{0, 1}, 2}}};
  const Verdict verdict = check(claim);
  CHECK(verdict.holds);
  CHECK(verdict.text.starts_with("impossibility: 2 vertices, 2 edges, d_model 1: no single head,"));
}

TEST_CASE("impossibility without d_model: all pairs look the same") {
  CHECK(check(SingleHeadImpossibility{Graph(1, {{0, 0}}), Matrix(1, 0), {{{0, 0}, 1}}, {}}).text ==
        "the multipliers' totals are 1 on edges and 0 on non-edges; equal and positive "
        "is required");
  CHECK(
      check(SingleHeadImpossibility{Graph(2, {{0, 0}}), Matrix(2, 0), {{{0, 0}, 1}}, {{{1, 1}, 1}}})
          .holds);
}

// ---- counting bounds

TEST_CASE("counting bounds hold at the least D alone") {
  // 5! = 120: 3^(2·2) = 81 < 120 <= 3^(2·3).
  const auto claim = [](const Integer& key_dimension) {
    return CountingBound{Family("permutation", {5}), 1, 1, key_dimension};
  };
  CHECK(check(claim(3)).text ==
        "bound counting: on any fixed embedding of d_model 1, channels with weights up to 1 that "
        "can serve every graph of the class permutation 5 need D_K >= 3; it bounds the class and "
        "not one chosen graph");
  CHECK(check(claim(3)).holds);
  CHECK(refusal(claim(2)) ==
        "key-dimension 2 is too low: (2·1+1)^(2·1·D) is below the family's size there");
  CHECK(refusal(claim(4)) ==
        "key-dimension 4 is too high: (2·1+1)^(2·1·D) reaches the family's size one below");
  for (int key_dimension = -3; key_dimension <= 12; ++key_dimension)
    CHECK(check(claim(key_dimension)).holds == (key_dimension == 3));
}

TEST_CASE("counting bounds at equality: 3^(2·D) graphs are served by D") {
  for (const auto& [m, least] : {std::pair{8, 2}, {9, 2}, {10, 3}, {27, 3}, {28, 4}})
    for (int key_dimension = 0; key_dimension <= 5; ++key_dimension)
      CHECK(
          check(CountingBound{Family("digraph-loops", {std::uint64_t(m), 1}), 1, 1, key_dimension})
              .holds == (key_dimension == least));
}

TEST_CASE("counting bounds with huge parameters are decided at once") {
  const Integer huge = power(10, 30);
  const Family family("permutation", {1000});
  CHECK(check(CountingBound{family, huge, 1, 1}).holds);
  CHECK_FALSE(check(CountingBound{family, huge, 1, 0}).holds);
  CHECK_FALSE(check(CountingBound{family, huge, 1, 2}).holds);
  CHECK_FALSE(check(CountingBound{family, huge, huge, huge}).holds);
  CHECK_FALSE(check(CountingBound{family, 1, 1, huge}).holds);
  CHECK(check(CountingBound{family, 1, power(10, 3000), 1}).holds);
  CHECK(
      check(CountingBound{Family("digraph-loops", {18446744073709551615U, 1}), 1, huge, 1}).holds);
  CHECK(check(CountingBound{Family("out-regular", {18446744073709551615U, 0}), 1, 1, 0}).holds);
  CHECK(refusal(CountingBound{Family("permutation", {1000000000000}), 1, 1, huge}) ==
        "too large to be decided: the family permutation 1000000000000 has more than 2^268435456 "
        "members, which is too many to count");
}

TEST_CASE("counting bounds of classes of at most one graph are 0") {
  for (const Family& family :
       {Family("functional", {1}), Family("derangement", {1}), Family("permutation", {1})}) {
    CHECK(check(CountingBound{family, 1, 1, 0}).holds);
    CHECK_FALSE(check(CountingBound{family, 1, 1, 1}).holds);
  }
}

TEST_CASE("counting bounds without levels or dimensions do not hold") {
  const Family family("permutation", {5});
  const std::string why = "d_model >= 1, weight-max >= 1 and key-dimension >= 0 are required";
  CHECK(refusal(CountingBound{family, 0, 1, 3}) == why);
  CHECK(refusal(CountingBound{family, 1, 0, 3}) == why);
  CHECK(refusal(CountingBound{family, 1, 1, -1}) == why);
  CHECK(refusal(CountingBound{family, -1, -2, 3}) == why);
}

}  // namespace
}  // namespace qkcert
