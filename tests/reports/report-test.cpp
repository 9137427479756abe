#include <nlohmann/json.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/reports/json.hpp>
#include <qkcert/reports/report.hpp>

#include "support.hpp"

namespace qkcert {

namespace {

using Json = nlohmann::ordered_json;
using Catch::Matchers::Contains;

/// A claim on two vertices with heads of the given widths; not a true one.
RecoveryClaim claim_of(const std::vector<std::size_t>& widths) {
  Channel channel;
  for (const std::size_t width : widths) {
    Matrix weights(1, width);
    weights.set(0, 0, -3);
    channel.heads.push_back({weights, Matrix(1, width)});
  }
  return {Graph(2, {{0, 0}, {0, 1}}), Matrix(2, 1), 5, channel, Integer(7), Integer(-12)};
}

Json json_of(const Report& report) {
  const std::string text = to_json(report);
  CHECK(text.find('\n') == std::string::npos);
  return Json::parse(text);
}

std::vector<std::string> keys_of(const Json& json) {
  std::vector<std::string> keys;
  for (const auto& item : json.items()) keys.push_back(item.key());
  return keys;
}

CountingBound bound_of(const Family& family, int key_dimension) {
  return {family, 100, 127, key_dimension};
}

std::string certified(const std::vector<std::size_t>& widths, int bound) {
  const Report report{.claim = claim_of(widths),
                      .lower_bound = bound_of(Family("permutation", {2}), bound)};
  return certified_text(report, {"a graph", "an embedding", -4});
}

}  // namespace

TEST_CASE("to_json: a recovery claim with all its facts") {
  const Report report{.claim = claim_of({2, 3}),
                      .method = "fit",
                      .lower_bound = bound_of(Family("digraph-loops", {2, 2}), 4),
                      .certificate = "a.qkc",
                      .sha256 = "00"};
  const Json expected = Json::parse(R"({"status": "holds", "claim": "recovery", "vertices": 2,
    "edges": 2, "d_model": 1, "heads": 2, "head_widths": [2, 3], "key_dimension": 5,
    "weight_max": 3, "threshold": 5, "least_edge_score": 7, "greatest_nonedge_score": -12,
    "method": "fit", "lower_bound": 4, "lower_bound_method": "counting",
    "lower_bound_class": "digraph-loops 2 2", "certificate": "a.qkc", "sha256": "00"})");
  CHECK(json_of(report) == expected);
  CHECK(keys_of(json_of(report)) == keys_of(expected));
}

TEST_CASE("to_json: absent facts are left out or null") {
  RecoveryClaim claim = claim_of({1});
  claim.least_edge = {};
  claim.greatest_nonedge = {};
  const Json json = json_of({.claim = claim});
  CHECK(json["least_edge_score"].is_null());
  CHECK(json["greatest_nonedge_score"].is_null());
  CHECK(json["certificate"].is_null());
  CHECK(json["sha256"].is_null());
  for (const char* key : {"method", "lower_bound", "lower_bound_class", "reason"})
    CHECK_FALSE(json.contains(key));
}

TEST_CASE("to_json: integers up to ±2^53 are numbers, beyond they are strings") {
  const auto threshold = [](const Integer& value) {
    RecoveryClaim claim = claim_of({1});
    claim.threshold = value;
    return json_of({.claim = claim})["threshold"];
  };
  for (const int sign : {1, -1}) {
    for (const int below : {0, 1}) {
      const Json json = threshold(sign * (power_of_two(53) - below));
      REQUIRE(json.is_number_integer());
      CHECK(json.get<std::int64_t>() == sign * ((std::int64_t{1} << 53) - below));
    }
    for (const Integer& beyond : {Integer(power_of_two(53) + 1), power_of_two(63),
                                  Integer(power_of_two(64) + 1), power_of_two(300)}) {
      const Json json = threshold(sign * beyond);
      REQUIRE(json.is_string());
      CHECK(json.get<std::string>() == to_decimal(Integer(sign * beyond)));
    }
  }
}

TEST_CASE("to_json: every big integer of a claim is a string") {
  const Integer big = power_of_two(53) + 1;
  RecoveryClaim claim = claim_of({1});
  claim.channel.heads[0].key.set(0, 0, big);
  claim.least_edge = claim.greatest_nonedge = big;
  const Json recovery = json_of({.claim = claim});
  for (const char* key : {"weight_max", "least_edge_score", "greatest_nonedge_score"})
    CHECK(recovery[key] == "9007199254740993");
  const Json bound = json_of({.claim = CountingBound{Family("permutation", {2}), big, big, big}});
  for (const char* key : {"d_model", "weight_max", "lower_bound"})
    CHECK(bound[key] == "9007199254740993");
}

TEST_CASE("to_json: bounds and impossibilities") {
  CHECK(json_of({.claim = bound_of(Family("matching", {8, 3}), 2)}) ==
        Json::parse(R"({"status": "holds", "claim": "bound counting", "family": "matching 8 3",
    "d_model": 100, "weight_max": 127, "lower_bound": 2, "lower_bound_method": "counting",
    "certificate": null, "sha256": null})"));
  const SingleHeadImpossibility impossible{
      Graph(2, {{0, 0}, {0, 1}}), Matrix(2, 1), {{{0, 0}, 1}}, {{{1, 0}, 1}, {{1, 1}, 1}}};
  CHECK(json_of({.claim = impossible}) ==
        Json::parse(R"({"status": "holds", "claim": "impossibility single-head", "vertices": 2,
    "edges": 2, "d_model": 1, "edge_multipliers": 1, "nonedge_multipliers": 2,
    "certificate": null, "sha256": null})"));
}

TEST_CASE("to_json and claim_text: margins, unit heads, the advantage of a class") {
  const MarginBound margin{100, Rational(11, 10), 0, 1, 46};
  CHECK(json_of({.claim = margin}) ==
        Json::parse(R"({"status": "holds", "claim": "bound margin", "vertices": 100,
    "edge_ratio": [11, 10], "nonedge_ratio": [0, 1], "power": 1, "lower_bound": 46,
    "lower_bound_method": "margin", "certificate": null, "sha256": null})"));
  CHECK_THAT(claim_text(margin), Contains("min(d_k, rank X) >= 46 (margin, power 1)"));
  CHECK_THAT(claim_text(margin), Contains("[1, 11/10] and all other pairs in ±0/1"));
  const UnitHeadsBound unit{Graph(3, {{0, 1}, {1, 2}, {2, 0}}), {{0, 1}, {1, 2}, {2, 0}}};
  CHECK(json_of({.claim = unit}) ==
        Json::parse(R"({"status": "holds", "claim": "bound unit-heads", "vertices": 3, "edges": 3,
    "matching": 3, "lower_bound": 2, "lower_bound_method": "unit-heads", "certificate": null,
    "sha256": null})"));
  CHECK_THAT(claim_text(unit), Contains("h >= 2 heads of width one (unit-heads, induced matching "
                                        "of 3 edges)"));
  const ClassAdvantage advantage{Family("functional", {7}), Matrix(7, 2), 213053};
  CHECK(json_of({.claim = advantage}) ==
        Json::parse(R"({"status": "holds", "claim": "advantage class", "family": "functional 7",
    "vertices": 7, "d_model": 2, "heads": 7, "class_size": 279936, "single_head_graphs": 213053,
    "certificate": null, "sha256": null})"));
  CHECK_THAT(claim_text(advantage), Contains("functional 7: 279936 graphs"));
  CHECK_THAT(claim_text(advantage), Contains("7 heads of width one serve every graph"));
  const Report report{.claim = advantage, .certificate = "a.qkc"};
  CHECK_THAT(advantage_text(report), Contains("certificate  a.qkc"));
  CHECK_THROWS_AS(advantage_text(Report{}), ShapeError);
}

TEST_CASE("to_json: outcomes without a claim") {
  Report report{.status = Report::Status::undecided, .reason = "too \"short\"\n\xff"};
  report.extremes = Extremes{Extreme{-1, {0, 2}}, Extreme{power_of_two(60), {1, 3}}};
  CHECK(json_of(report) ==
        Json::parse(R"({"status": "undecided", "least_edge_score": -1, "least_edge": [0, 2],
    "greatest_nonedge_score": "1152921504606846976", "greatest_nonedge": [1, 3],
    "certificate": null, "sha256": null, "reason": "too \"short\"\n\ufffd"})"));
  report.extremes = Extremes{};
  CHECK_FALSE(json_of(report).contains("least_edge"));
  CHECK(json_of({.status = Report::Status::does_not_hold})["status"] == "does not hold");
  CHECK(json_of({.status = Report::Status::unreadable})["status"] == "unreadable");
  CHECK(json_of({.status = {}})["status"].is_null());
}

TEST_CASE("architecture_text: heads of one width and of several") {
  CHECK(architecture_text(claim_of({4}).channel) == "1 head × 4");
  CHECK(architecture_text(claim_of({8, 8, 8}).channel) == "3 heads × 8");
  CHECK(architecture_text(claim_of({8, 8, 7}).channel) == "3 heads of widths 8, 8, 7");
}

TEST_CASE("certified_text: the summary") {
  const std::string text = certified({2, 3}, 4);
  CHECK(text ==
        R"(graph        a graph: 2 vertices, 2 edges (1 loop), out-degree up to 2, in-degree up to 1
embedding    an embedding: 2 × 1, exact: integers of up to 0 bits, times 2^-4
channel      2 heads of widths 2, 3
D_K          5
weights      integers, largest |weight| 3
extremes     least edge score           7
             threshold τ                5
             greatest non-edge score  -12
lower bound  D_K >= 4 (counting, class permutation 2, d_model 100, |weight| <= 127)
             It bounds the class and not this graph: no smaller D_K serves every graph
             of the class on one embedding, but some of its graphs may need less.
ratio        1.25 (rounded up) = D_K 5 / lower bound 4
)");
  Report report{.claim = claim_of({1})};
  CHECK_THROWS_AS(certified_text(report, {}), ShapeError);
}

TEST_CASE("certified_text: the ratio is rounded up") {
  CHECK_THAT(certified({3}, 3), Contains("ratio        1.00 "));
  CHECK_THAT(certified({4}, 3), Contains("ratio        1.34 "));
  CHECK_THAT(certified({5}, 3), Contains("ratio        1.67 "));
  CHECK_THAT(certified({1001}, 1000), Contains("ratio        1.01 "));
  CHECK_THAT(certified({1}, 0), Contains("ratio        none, the lower bound is 0\n"));
}

TEST_CASE("claim_text: singular and plural, absent extremes, every claim") {
  RecoveryClaim claim = claim_of({1});
  claim.graph = Graph(1, {{0, 0}});
  claim.embedding = Matrix(1, 1);
  claim.embedding.set(0, 0, 1);
  claim.greatest_nonedge = {};
  const std::string text = claim_text(claim);
  CHECK_THAT(text, Contains("1 vertex, 1 edge (1 loop), out-degree up to 1"));
  CHECK_THAT(text, Contains("1 × 1, exact: integers of up to 1 bit\n"));
  CHECK_THAT(text, Contains("least edge score            7\n"));
  CHECK_THAT(text, Contains("greatest non-edge score  none\n"));
  CHECK_THAT(claim_text(bound_of(Family("matching", {8, 3}), 2)),
             Contains("D_K >= 2 (counting, class matching 8 3, d_model 100, |weight| <= 127)"));
  const SingleHeadImpossibility impossible{
      Graph(2, {{0, 0}}), Matrix(2, 1), {{{0, 0}, 1}}, {{{1, 0}, 1}, {{1, 1}, 1}}};
  CHECK_THAT(claim_text(impossible), Contains("1 on edges, 2 on non-edges"));
}

TEST_CASE("bound_text: a class with an argument for each vertex is named shortly") {
  const Family family("out-degrees", {10, 1, 2, 0, 0, 0, 0, 0, 0, 0, 3});
  const Report report{.claim = bound_of(family, 1), .certificate = "b.qkc", .sha256 = "00"};
  const std::string text = bound_text(report);
  CHECK_THAT(text, Contains("class out-degrees of 10 vertices, d_model"));
  CHECK_THAT(text, Contains("It bounds the class and not one chosen graph"));
  CHECK_THAT(text, Contains("certificate  b.qkc\nsha256       00\n"));
  CHECK(json_of(report)["family"] == family.to_string());
  CHECK_THROWS_AS(bound_text({}), ShapeError);
}

TEST_CASE("inputs: a graph, an embedding, or both") {
  const Graph graph(3, {{0, 0}, {0, 1}});
  const Embedding embedding = one_hot(3);
  CHECK(Json::parse(inputs_json(graph, embedding)) ==
        Json::parse(R"({"vertices": 3, "edges": 2, "loops": 1, "max_out_degree": 2,
    "max_in_degree": 1, "narrowest_family": "digraph-loops 3 2", "rows": 3, "d_model": 3,
    "scale": 0, "entry_bits": 1, "one_hot": true})"));
  CHECK(keys_of(Json::parse(inputs_json({}, embedding))).front() == "rows");
  CHECK(Json::parse(inputs_json(Graph(), {}))["narrowest_family"].is_null());
  CHECK(inputs_text(graph, {}) ==
        "graph        3 vertices, 2 edges (1 loop), out-degree up to 2, in-degree up to 1\n"
        "class        digraph-loops 3 2\n");
  CHECK(inputs_text({}, embedding) == "embedding    3 × 3, exact: integers of up to 1 bit\n");
  CHECK_THAT(inputs_text(Graph(), {}), !Contains("class"));
}

}  // namespace qkcert
