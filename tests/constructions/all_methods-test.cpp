#include <filesystem>
#include <map>

#include "constructions/proposals.hpp"

/// Every method that is registered × every family of graphs × every kind of embedding: it refuses
/// with a reason, or proposes a channel that the exact extremes judge. A method whose row in
/// docs/constructions.md says that it always recovers must separate whatever it does not refuse;
/// the others must separate something.

namespace qkcert {
namespace {

/// The column "always recovers" of the documentation's table, by method.
std::map<std::string, bool> always_recovers() {
  std::ifstream page(std::filesystem::path(QKCERT_TEST_DATA) / "../../docs/constructions.md");
  REQUIRE(page);
  std::map<std::string, bool> result;
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("| [`")) continue;
    std::vector<std::string> cells;
    for (std::size_t begin = 2, end; (end = line.find(" |", begin)) != std::string::npos;) {
      // A bar within a formula is written \|.
      while (end > 0 && line[end] == ' ' && line[end + 1] == '|' && line[end - 1] == '\\')
        end = line.find(" |", end + 1);
      cells.push_back(line.substr(begin, end - begin));
      begin = end + 3;
    }
    INFO(line);
    REQUIRE(cells.size() == 8);
    const std::string name = cells[0].substr(2, cells[0].find('`', 2) - 2);
    CHECK((cells[6].starts_with("yes") || cells[6].starts_with("no")));
    result[name] = cells[6].starts_with("yes");
  }
  return result;
}

struct Case {
  std::string name;
  Graph graph;
};

std::vector<Case> graphs(std::uint64_t m, std::uint64_t seed) {
  std::vector<Case> cases;
  for (const Family& family :
       {Family("permutation", {m}), Family("derangement", {m}), Family("functional", {m}),
        Family("out-regular", {m, 2}), Family("digraph", {m, m + 3}),
        Family("digraph-loops", {m, m + 1}), Family("matching", {m, m / 2 - 1}),
        Family("out-degrees", {m, 0, 3, 1, 0, 2, 1, 1, 0})})
    cases.push_back({family.to_string(), random_graph(family, seed)});
  cases.push_back({"no edges", Graph(m, {})});
  return cases;
}

/// As read from a file: small integers, with a zero row and two equal rows if `degenerate`.
Embedding small_integers(std::size_t m, std::size_t d_model, bool degenerate, std::uint64_t seed) {
  Random random(seed);
  Embedding embedding{Matrix(m, d_model), -3};
  for (std::size_t v = 0; v < m; ++v)
    for (std::size_t j = 0; j < d_model; ++j)
      embedding.rows.set(v, j, static_cast<std::int64_t>(random.below(31)) - 15);
  for (std::size_t j = 0; degenerate && j < d_model; ++j) {
    embedding.rows.set(1, j, std::int64_t{0});
    embedding.rows.set(3, j, embedding.rows.at(2, j));
  }
  return embedding;
}

struct Named {
  std::string name;
  Embedding embedding;
};

std::vector<Named> embeddings(std::size_t m, std::uint64_t seed) {
  return {{"one-hot", one_hot(m)},
          {"Gaussian of full rank", gaussian_embedding(m, m, 12, seed)},
          {"Gaussian", gaussian_embedding(m, 5, 12, seed)},
          {"small integers", small_integers(m, 6, false, seed)},
          {"zero and equal rows", small_integers(m, 6, true, seed)}};
}

TEST_CASE("every method has a row in the documentation, and the other way round") {
  const auto documented = always_recovers();
  CHECK(documented.size() == methods().size());
  for (const Method& method : methods()) {
    INFO(method.name);
    CHECK(documented.contains(std::string(method.name)));
  }
}

TEST_CASE("every method on every family and kind of embedding refuses or keeps its word") {
  constexpr std::size_t m = 8;
  const auto always = always_recovers();
  const auto cases = graphs(m, test::seed());
  const auto kinds = embeddings(m, test::seed());
  for (const Method& method : methods()) {
    const std::string name(method.name);
    std::size_t served = 0;
    for (const auto& [kind, embedding] : kinds)
      for (const auto& [family, graph] : cases) {
        INFO(name << ", " << kind << ", " << family << ", QKCERT_TEST_SEED=" << test::seed());
        Request request{.graph = graph, .embedding = embedding, .seed = test::seed(), .threads = 1};
        request.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
        std::string reason;
        try {
          const Channel channel = propose(method, request);
          CHECK_NOTHROW(require_valid(channel, embedding.d_model()));
          CHECK(plan(method, request).key_dimension() == channel.key_dimension());
          const bool separated = score_extremes(graph, embedding.rows, channel, 1).separated();
          served += separated && !graph.edges().empty();
          if (always.at(name)) CHECK(separated);
        } catch (const MethodError& refusal) {
          reason = refusal.what();
          CHECK(reason.starts_with(name + ": "));
          CHECK(reason.size() > name.size() + 10);
        }
      }
    INFO(name << ", QKCERT_TEST_SEED=" << test::seed());
    CHECK(served >= 1);
  }
}

TEST_CASE("methods that do not always recover do so on a small permutation for one of five seeds") {
  const Graph graph = random_graph(Family("permutation", {12}), test::seed());
  for (const Method& method : methods()) {
    INFO(method.name << ", QKCERT_TEST_SEED=" << test::seed());
    std::size_t served = 0, refused = 0;
    for (const auto& embedding : {one_hot(12), gaussian_embedding(12, 48, 12, test::seed())})
      for (std::uint64_t seed = 1; seed <= 5 && served == 0; ++seed) {
        Request request{.graph = graph,
                        .embedding = embedding,
                        .key_dimension = 24,
                        .seed = seed,
                        .threads = 1};
        try {
          served += score_extremes(graph, embedding.rows, propose(method, request), 1).separated();
        } catch (const MethodError&) {
          ++refused;
        }
      }
    CHECK((served == 1 || refused == 10));
  }
}

}  // namespace
}  // namespace qkcert
