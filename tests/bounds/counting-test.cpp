#include <algorithm>
#include <bit>
#include <map>
#include <qkcert/bounds/columns.hpp>
#include <qkcert/bounds/counting.hpp>
#include <qkcert/core/counts.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/verify/certificate.hpp>
#include <qkcert/verify/check.hpp>
#include <set>

#include "support.hpp"

namespace qkcert {
namespace {

using namespace test;

/// L^(2·d_model·key_dimension), one factor at a time.
Integer plain_power(const Integer& levels, std::uint64_t d_model, std::uint64_t key_dimension) {
  Integer result = 1;
  for (std::uint64_t i = 0; i < 2 * d_model * key_dimension; ++i) result *= levels;
  return result;
}

std::uint64_t plain_bound(const Integer& size, std::uint64_t d_model, std::uint64_t weight_max) {
  std::uint64_t key_dimension = 0;
  while (plain_power(2 * Integer(weight_max) + 1, d_model, key_dimension) < size) ++key_dimension;
  return key_dimension;
}

std::vector<Family> small_families() {
  std::vector<Family> families;
  for (std::uint64_t m = 1; m <= 12; ++m) {
    for (const char* name : {"permutation", "derangement", "functional"})
      families.emplace_back(name, std::vector{m});
    for (std::uint64_t e = 0; e <= m; ++e) {
      families.emplace_back("digraph-loops", std::vector{m, e});
      if (e < m) families.emplace_back("out-regular", std::vector{m, e});
      if (e <= m * (m - 1)) families.emplace_back("digraph", std::vector{m, e});
      if (2 * e <= m) families.emplace_back("matching", std::vector{m, e});
    }
  }
  families.emplace_back("out-degrees", std::vector<std::uint64_t>{4, 0, 1, 2, 3});
  return families;
}

TEST_CASE("the counting bound is the least D of a linear search") {
  for (const Family& family : small_families())
    for (const std::uint64_t d_model : {1, 2, 5})
      for (const std::uint64_t weight_max : {1, 2, 127}) {
        CAPTURE(family.to_string(), d_model, weight_max);
        const CountingBound bound = counting_bound(family, d_model, weight_max);
        CHECK(bound.key_dimension == plain_bound(family.size(), d_model, weight_max));
        CHECK(
            (bound.family == family && bound.d_model == d_model && bound.weight_max == weight_max));
        CHECK(check(bound).holds);
      }
}

TEST_CASE("the counting bound at sizes next to powers") {
  // digraph-loops m 1 has m² graphs: exactly L^(2·D) for m = L^D at d_model = 1.
  for (const std::uint64_t levels : {3, 5, 15, 255})
    for (std::uint64_t key_dimension = 1, m = levels; key_dimension <= 3; ++key_dimension) {
      CAPTURE(levels, key_dimension);
      const auto bound = [&](std::uint64_t vertices) {
        return counting_bound(Family("digraph-loops", {vertices, 1}), 1, (levels - 1) / 2)
            .key_dimension;
      };
      CHECK(bound(m - 1) == key_dimension);
      CHECK(bound(m) == key_dimension);
      CHECK(bound(m + 1) == key_dimension + 1);
      m *= levels;
    }
  // Classes of m(m-1) graphs, below, at and above many powers of 9.
  for (std::uint64_t m = 2; m <= 1100; ++m) {
    const Family family("digraph", {m, 1});
    CHECK(counting_bound(family, 1, 1).key_dimension == plain_bound(m * (m - 1), 1, 1));
  }
}

TEST_CASE("classes of at most one graph need nothing") {
  for (const Family& family :
       {Family("permutation", {1}), Family("functional", {1}), Family("derangement", {1}),
        Family("matching", {1000000000000, 0}), Family("out-regular", {1000000000000, 0}),
        Family("digraph", {5, 20})}) {
    CAPTURE(family.to_string());
    CHECK(family.size() <= 1);
    CHECK(counting_bound(family, 1, 1).key_dimension == 0);
    CHECK(check(counting_bound(family, 1, 1)).holds);
  }
}

TEST_CASE("the counting bound of huge classes and parameters") {
  const Integer huge = power(10, 30);
  CHECK(counting_bound(Family("permutation", {100}), huge, 1).key_dimension == 1);
  CHECK(counting_bound(Family("permutation", {100}), 1, huge).key_dimension == 3);
  CHECK(counting_bound(Family("permutation", {1000000}), 64, 127).key_dimension == 18069);
  CHECK_THROWS_AS(counting_bound(Family("permutation", {1000000000000}), 64, 127), SizeError);
}

TEST_CASE("the counting bound refuses parameters without meaning") {
  const Family family("permutation", {5});
  CHECK_THROWS_AS(counting_bound(family, 0, 1), UsageError);
  CHECK_THROWS_AS(counting_bound(family, -1, 1), UsageError);
  CHECK_THROWS_AS(counting_bound(family, 1, 0), UsageError);
  CHECK_THROWS_AS(counting_bound(family, 1, -5), UsageError);
}

TEST_CASE("the counting bound reproduces the shared certificates") {
  for (const char* name : {"bound-digraph-64-200-d16-w7", "bound-matching-512-256-d100-w127",
                           "bound-permutation-1024-d64-w127", "bound-permutation-512-d100-w127"}) {
    const std::string bytes = corpus("certificates/valid/" + std::string(name) + ".qkc");
    const auto stated = std::get<CountingBound>(read_certificate(bytes, name));
    CHECK(write_certificate(counting_bound(stated.family, stated.d_model, stated.weight_max)) ==
          bytes);
  }
}

// ---- B1 itself, against every channel there is

/// Graphs on m vertices as bit sets of the m² pairs, by their number of edges.
using Recognised = std::map<int, std::set<unsigned>>;

/// Adds the graphs that some threshold recognises, given the heads' scores.
void add_graphs(const std::vector<int>& scores, Recognised& graphs) {
  const auto [least, greatest] = std::minmax_element(scores.begin(), scores.end());
  for (int threshold = *least - 1; threshold <= *greatest; ++threshold) {
    unsigned graph = 0;
    for (std::size_t pair = 0; pair < scores.size(); ++pair)
      if (scores[pair] > threshold) graph |= 1U << pair;
    graphs[std::popcount(graph)].insert(graph);
  }
}

/// All graphs recognised by heads of these widths with weights in {-A, …, A}, every one tried.
void add_all_channels(const std::vector<std::vector<int>>& x, int weight_max,
                      const std::vector<std::size_t>& widths, Recognised& graphs) {
  const std::size_t m = x.size();
  const std::size_t d = x[0].size();
  std::size_t columns = 0;
  for (const std::size_t width : widths) columns += width;
  std::vector<int> weights(2 * d * columns, -weight_max);  // column by column: query, key
  for (;;) {
    std::vector<int> best;
    const int* column = weights.data();
    for (const std::size_t width : widths) {
      std::vector<int> scores(m * m, 0);
      for (std::size_t j = 0; j < width; ++j, column += 2 * d) {
        const auto project = [&](std::size_t v, const int* w) {
          int sum = 0;
          for (std::size_t i = 0; i < d; ++i) sum += x[v][i] * w[i];
          return sum;
        };
        for (std::size_t u = 0; u < m; ++u)
          for (std::size_t v = 0; v < m; ++v)
            scores[u * m + v] += project(u, column) * project(v, column + d);
      }
      if (best.empty()) best = scores;
      for (std::size_t i = 0; i < scores.size(); ++i) best[i] = std::max(best[i], scores[i]);
    }
    add_graphs(best, graphs);
    auto digit = weights.begin();  // the next weights, as an odometer
    while (digit != weights.end() && *digit == weight_max) *digit++ = -weight_max;
    if (digit == weights.end()) return;
    ++*digit;
  }
}

/// Calls visit(widths) for every split of `rest` into non-increasing widths of at most `largest`.
template <class Visit>
void for_each_split(std::size_t rest, std::size_t largest, std::vector<std::size_t>& widths,
                    Visit visit) {
  if (rest == 0) return visit(widths);
  for (std::size_t width = std::min(rest, largest); width > 0; --width) {
    widths.push_back(width);
    for_each_split(rest - width, width, widths, visit);
    widths.pop_back();
  }
}

TEST_CASE("B1 holds for every channel of tiny sizes, however D is split into heads") {
  struct Setting {
    std::vector<std::vector<int>> x;
    int weight_max;
    std::size_t key_dimension;
  };
  const std::vector<std::vector<int>> line2{{1}, {-2}}, line3{{1}, {2}, {-3}},
      plane2{{1, 0}, {0, 1}}, plane3{{1, 0}, {0, 1}, {2, -1}};
  std::size_t classes_served = 0;
  for (const Setting& setting : std::vector<Setting>{{line2, 1, 1},
                                                     {line2, 1, 2},
                                                     {line2, 1, 3},
                                                     {line2, 3, 2},
                                                     {line3, 1, 1},
                                                     {line3, 1, 2},
                                                     {line3, 1, 3},
                                                     {line3, 1, 4},
                                                     {line3, 2, 2},
                                                     {plane2, 1, 1},
                                                     {plane2, 1, 2},
                                                     {plane2, 3, 1},
                                                     {plane3, 1, 1},
                                                     {plane3, 1, 2},
                                                     {plane3, 3, 1}}) {
    const std::uint64_t m = setting.x.size();
    const std::uint64_t d_model = setting.x[0].size();
    CAPTURE(m, d_model, setting.weight_max, setting.key_dimension);
    Recognised graphs;
    std::vector<std::size_t> widths;
    for_each_split(setting.key_dimension, setting.key_dimension, widths, [&](const auto& split) {
      Recognised of_split;
      add_all_channels(setting.x, setting.weight_max, split, of_split);
      std::size_t number = 0;
      for (const auto& [edges, recognised] : of_split) {
        number += recognised.size();
        graphs[edges].insert(recognised.begin(), recognised.end());
      }
      CHECK(dichotomies_reach(m, largest_rank(m, d_model), split.size(), number));
    });
    // B1+ counts the graphs with one number of edges, B2 and B2+ all of them.
    Integer number = 0;
    for (const auto& [edges, recognised] : graphs) {
      number += recognised.size();
      CHECK(least_columns(d_model, setting.weight_max, recognised.size()) <= setting.key_dimension);
    }
    const std::uint64_t rank = largest_rank(m, d_model);
    CHECK(least_rank_columns(m, rank, number) <= setting.key_dimension);
    if (warren_applies(m, rank)) CHECK(warren_reaches(m, rank, setting.key_dimension, number));
    const Integer limit = plain_power(2 * setting.weight_max + 1, d_model, setting.key_dimension);
    for (const auto& [edges, recognised] : graphs) CHECK(recognised.size() <= limit);

    // Whenever all graphs of a family are served, the bound must not claim otherwise.
    for (const Family& family : small_families()) {
      if (family.vertices() != m) continue;
      std::size_t served = 0;
      for (const auto& [edges, recognised] : graphs)
        for (const unsigned bits : recognised) {
          std::vector<Edge> list;
          for (std::size_t pair = 0; pair < m * m; ++pair)
            if ((bits >> pair & 1) != 0) list.push_back({pair / m, pair % m});
          if (family.contains(Graph(m, std::move(list)))) ++served;
        }
      if (served != family.size()) continue;
      ++classes_served;
      CHECK(counting_bound(family, d_model, setting.weight_max).key_dimension <=
            setting.key_dimension);
      CHECK(columns_bound(family, d_model, setting.weight_max, 0).key_dimension <=
            setting.key_dimension);
    }
  }
  CHECK(classes_served > 50);
}

}  // namespace
}  // namespace qkcert
