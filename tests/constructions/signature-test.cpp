#include <set>

#include "constructions/proposals.hpp"

namespace qkcert {
namespace {

const Method& signatures() { return find_method("signature"); }

Request sized(const Graph& graph, const Embedding& embedding, std::size_t heads,
              std::size_t head_dim, std::uint64_t seed) {
  return {
      .graph = graph, .embedding = embedding, .heads = heads, .head_dim = head_dim, .seed = seed};
}

/// One draw of the parameters that the method's structure is tested on.
struct Draw {
  Graph graph;
  std::size_t heads;
  std::size_t head_dim;
  std::uint64_t seed;
};

Draw draw(Random& random) {
  const std::size_t m = 1 + random.below(20);
  Graph graph = test::partial_function(random, m, random.below(3));
  const std::size_t most = std::max<std::size_t>(graph.edges().size(), 1);
  return {std::move(graph), 1 + random.below(most), 1 + random.below(9), random.below(1U << 30)};
}

std::vector<Integer> row(const Matrix& matrix, std::size_t i) {
  std::vector<Integer> entries;
  for (std::size_t j = 0; j < matrix.cols(); ++j) entries.push_back(matrix.at(i, j));
  return entries;
}

bool all_signs(const std::vector<Integer>& entries) {
  return std::all_of(entries.begin(), entries.end(), [](const Integer& x) { return abs(x) == 1; });
}

bool all_zero(const std::vector<Integer>& entries) {
  return std::all_of(entries.begin(), entries.end(), [](const Integer& x) { return x == 0; });
}

/// On the one-hot embedding the rows of the weights are the signatures themselves.
TEST_CASE("signature puts every edge into one block and gives its ends one signature") {
  test::repeat(100, [](Random& random) {
    const auto [graph, heads, head_dim, seed] = draw(random);
    const Embedding embedding = one_hot(graph.vertices());
    const Channel channel = propose(signatures(), sized(graph, embedding, heads, head_dim, seed));
    REQUIRE(channel.heads.size() == heads);
    std::vector<std::size_t> blocks_of(graph.vertices(), 0);
    for (const Head& head : channel.heads) {
      REQUIRE(head.width() == head_dim);
      std::size_t size = 0;
      std::set<std::size_t> targets;
      for (const auto& [source, target] : graph.edges()) {
        const auto query = row(head.query, source);
        if (all_zero(query)) continue;
        ++size, ++blocks_of[source];
        targets.insert(target);
        CHECK(all_signs(query));
        CHECK(query == row(head.key, target));
      }
      for (std::size_t v = 0; v < graph.vertices(); ++v) {
        if (graph.out_degree(v) == 0) CHECK(all_zero(row(head.query, v)));
        if (!targets.contains(v)) CHECK(all_zero(row(head.key, v)));
      }
      CHECK(size >= graph.edges().size() / heads);
      CHECK(size <= (graph.edges().size() + heads - 1) / heads);
    }
    for (std::size_t u = 0; u < graph.vertices(); ++u) CHECK(blocks_of[u] == graph.out_degree(u));
  });
}

/// The block of every source, read off the one-hot proposal.
std::vector<std::size_t> blocks(const Graph& graph, std::size_t heads, std::uint64_t seed) {
  const Embedding embedding = one_hot(graph.vertices());
  const Channel channel = propose(signatures(), sized(graph, embedding, heads, 1, seed));
  std::vector<std::size_t> block_of;
  for (const Edge& edge : graph.edges())
    for (std::size_t k = 0; k < heads; ++k)
      if (!all_zero(row(channel.heads[k].query, edge.source))) block_of.push_back(k);
  return block_of;
}

/// With a width of 63 no two signatures of a block agree, but with a chance of 2^-60 or so.
TEST_CASE("signature puts the colours of a graph of any out-degree into its blocks") {
  test::repeat(40, [](Random& random) {
    const std::size_t m = 2 + random.below(9);
    const Graph graph = test::any_graph(random, m, random.below(4));
    if (graph.max_out_degree() < 2) return;
    const Embedding embedding = one_hot(m);
    const std::size_t needed = std::max(graph.max_out_degree(), graph.max_in_degree());
    const std::size_t heads = needed + random.below(graph.edges().size() - needed + 1);
    const auto request = sized(graph, embedding, heads, 63, random.below(1U << 30));
    const Channel channel = propose(signatures(), request);
    std::set<Edge> met;
    for (const Head& head : channel.heads) {
      std::set<std::size_t> targets;
      std::size_t sources = 0;
      for (std::size_t u = 0; u < m; ++u) {
        const auto query = row(head.query, u);
        if (all_zero(query)) continue;
        ++sources;
        for (std::size_t v = 0; v < m; ++v)
          if (query == row(head.key, v)) {
            CHECK(graph.contains({u, v}));
            CHECK(targets.insert(v).second);
            CHECK(met.insert({u, v}).second);
          }
      }
      CHECK(targets.size() == sources);
      CHECK(sources >= graph.edges().size() / heads);
      CHECK(sources * heads < graph.edges().size() + heads);
    }
    CHECK(met.size() == graph.edges().size());
    CHECK(test::judged(request, "signature").least_edge->score >= 63);
  });
}

TEST_CASE("signature's blocks differ from seed to seed and keep sources of one target apart") {
  const Graph graph = random_graph(Family("functional", {40}), 1);
  CHECK(blocks(graph, 8, 1) == blocks(graph, 8, 1));
  CHECK_FALSE(blocks(graph, 8, 1) == blocks(graph, 8, 2));
  const std::size_t heads = graph.max_in_degree();
  const auto block_of = blocks(graph, heads, 1);
  REQUIRE(block_of.size() == 40);
  std::set<std::pair<std::size_t, std::size_t>> met;  // target, block
  for (std::size_t i = 0; i < 40; ++i)
    CHECK(met.insert({graph.edges()[i].target, block_of[i]}).second);
}

TEST_CASE("signature's weights are the transposed embedding times the signatures") {
  test::repeat(30, [](Random& random) {
    const auto [graph, heads, head_dim, seed] = draw(random);
    const std::size_t m = graph.vertices();
    const std::size_t d_model = 1 + random.below(6);
    // 62 bits: the sums leave the machine integers.
    const Embedding embedding{test::random_matrix(random, m, d_model, random.below(2) ? 5 : 62), 0};
    const Embedding hot = one_hot(m);
    const Channel channel = propose(signatures(), sized(graph, embedding, heads, head_dim, seed));
    const Channel signs = propose(signatures(), sized(graph, hot, heads, head_dim, seed));
    for (std::size_t k = 0; k < heads; ++k)
      for (std::size_t i = 0; i < d_model; ++i)
        for (std::size_t j = 0; j < head_dim; ++j) {
          Integer query = 0;
          Integer key = 0;
          for (std::size_t v = 0; v < m; ++v) {
            query += embedding.rows.at(v, i) * signs.heads[k].query.at(v, j);
            key += embedding.rows.at(v, i) * signs.heads[k].key.at(v, j);
          }
          CHECK(channel.heads[k].query.at(i, j) == query);
          CHECK(channel.heads[k].key.at(i, j) == key);
        }
    const std::size_t block = (graph.edges().size() + heads - 1) / heads;
    CHECK(channel.weight_max() <= block * embedding.rows.max_abs());
  });
}

TEST_CASE("on orthogonal rows an edge scores exactly d_k times both squared norms") {
  test::repeat(20, [](Random& random) {
    const auto [graph, heads, head_dim, seed] = draw(random);
    if (graph.edges().empty()) return;
    Embedding embedding = one_hot(graph.vertices());
    for (std::size_t v = 0; v < graph.vertices(); ++v) embedding.rows.set(v, v, std::int64_t{-3});
    const Request request = sized(graph, embedding, heads, head_dim, seed);
    const Extremes extremes = test::judged(request, "signature");
    CHECK(extremes.least_edge->score == 81 * head_dim);
  });
}

TEST_CASE("signature recovers graphs where the header's table says so") {
  const auto successes = [](const std::string& name, std::uint64_t m, std::size_t d_model) {
    int count = 0;
    for (std::uint64_t i = 1; i <= 5; ++i) {
      const std::uint64_t seed = 100 * test::seed() + i;
      const Graph graph = random_graph(Family(name, {m}), seed);
      const Embedding embedding = gaussian_embedding(m, d_model, 16, seed);
      Request request{graph, embedding};
      request.seed = seed;
      count += test::judged(request, "signature").separated();
    }
    return count;
  };
  for (const char* name : {"permutation", "derangement", "functional"}) {
    INFO(name << ", QKCERT_TEST_SEED=" << test::seed());
    CHECK(successes(name, 64, 64) >= 2);
    CHECK(successes(name, 96, 64) >= 1);
  }
}

TEST_CASE("signature may fail, and other seeds propose other channels") {
  const Graph graph = random_graph(Family("permutation", {64}), 1);
  const Embedding embedding = gaussian_embedding(64, 16, 16, 1);
  CHECK_FALSE(test::judged(sized(graph, embedding, 1, 1, 1), "signature").separated());
  const auto proposal = [&](std::uint64_t seed) {
    return propose(signatures(), sized(graph, embedding, 4, 8, seed));
  };
  CHECK(proposal(1) == proposal(1));
  CHECK_FALSE(proposal(1) == proposal(2));
}

TEST_CASE("signature's defaults") {
  const auto planned = [](std::uint64_t m, std::size_t d_model, const Graph& graph) {
    const Embedding embedding{Matrix(m, d_model), 0};
    return plan(signatures(), {graph, embedding});
  };
  for (std::uint64_t m = 1; m <= 70; ++m)
    for (const std::size_t d_model : {1, 2, 3, 8, 16, 70, 1000}) {
      const Graph graph = random_graph(Family("permutation", {m}), 1);
      std::size_t heads = 1;  // the least h with h·d_model >= 8·m', at most m'
      while (heads < m && heads * d_model < 8 * m) ++heads;
      std::size_t digits = 0;
      while (std::size_t{1} << digits < m) ++digits;
      CHECK(planned(m, d_model, graph) ==
            Architecture{heads, std::max<std::size_t>(1, 8 * digits)});
    }
  CHECK(planned(9, 4, Graph(9, {})) == Architecture{1, 32});
  CHECK(planned(9, 4, Graph(9, {{3, 3}, {4, 3}, {8, 1}})) == Architecture{3, 32});
  CHECK(planned(0, 0, Graph()) == Architecture{1, 1});
}

TEST_CASE("signature on the smallest inputs") {
  const Embedding none{Matrix(0, 3), 0};
  CHECK(test::judged({Graph(), none}, "signature").separated());
  const Embedding one{test::matrix({{2, -1}}), 0};
  const Graph loop(1, {{0, 0}});
  CHECK(test::judged({loop, one}, "signature").least_edge->score == 25);
  const Graph isolated(1, {});
  CHECK(test::judged({isolated, one}, "signature").greatest_nonedge->score == 0);
  const Graph empty(7, {});
  const Embedding hot = one_hot(7);
  CHECK(test::judged({empty, hot}, "signature").greatest_nonedge->score == 0);
}

TEST_CASE("signature says what it cannot serve") {
  const Embedding embedding = one_hot(4);
  const Graph narrow(4, {{0, 1}, {2, 0}});
  CHECK(test::message_of<MethodError>([&] {
          propose(signatures(), sized(narrow, embedding, 3, 2, 1));
        }) == "signature: needs heads <= max(1, edges) = 2, asked for 3");
  CHECK(test::message_of<MethodError>([&] {
          propose(signatures(), sized(Graph(4, {}), embedding, 2, 2, 1));
        }) == "signature: needs heads <= max(1, edges) = 1, asked for 2");
}

}  // namespace
}  // namespace qkcert
