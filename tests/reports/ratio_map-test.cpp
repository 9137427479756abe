#include <qkcert/core/errors.hpp>
#include <qkcert/reports/ratio_map.hpp>

#include "surveyed.hpp"

namespace qkcert::test {

namespace {

Family permutation(std::uint64_t vertices) { return Family("permutation", {vertices}); }

}  // namespace

TEST_CASE("class_bounds: the registry's, checked, and the strongest of them") {
  const BoundQuery query{permutation(512), 8, 1, 0};
  const auto bounds = class_bounds(query);
  const ClassBound* best = strongest(bounds);
  REQUIRE(best);
  CHECK(best->name == "counting-columns");  // 171, of counting it is 153
  CHECK(best->key_dimension == 171);
  CHECK(best->finite);
  CHECK(best->key_dimension == key_dimension_of(strongest_bound(query)));
  for (const ClassBound& bound : bounds) CHECK(bound.finite == bound.name.starts_with("counting"));
  CHECK(strongest({}) == nullptr);
  CHECK_THROWS_AS(class_bounds({permutation(8), 8, 1, 3}), ShapeError);
  for (const auto& [weight, limit] : {std::pair(0, 0), std::pair(1, 1), std::pair(2, 3),
                                      std::pair(127, 127), std::pair(128, 255)})
    CHECK(weight_class(weight) == limit);
}

TEST_CASE("ratio_map: exact ratios for every m and d_model, in order") {
  const std::vector<Surveyed> list = {surveyed_cycle(16), surveyed_cycle(8), surveyed_cycle(8, 1),
                                      surveyed_cycle(4, 0, 9)};
  const RatioMap map = ratio_map(list, permutation, 1);
  REQUIRE(map.cells.size() == 2);  // not the one of weight 9
  for (const RatioCell& cell : map.cells) {
    const std::uint64_t m = cell.family.vertices();
    CHECK(cell.certificate == (m == 8 ? &list[1] : &list[0]));
    const Integer bound =
        key_dimension_of(strongest_bound({permutation(m), Integer(m), 1, 0})).value();
    CHECK(cell.ratio() == Rational(Integer(m), bound));
  }
  CHECK(map.cells[0].family.vertices() == 8);
  const HeatMap drawn = ratio_heat_map(map);
  CHECK(drawn.x.categories == std::vector<std::string>{"8", "16"});
  CHECK(drawn.y.categories == std::vector<std::string>{"8", "16"});
  CHECK(drawn.cells[1].column == 1);
  CHECK(drawn.cells[1].row == 1);
  CHECK(drawn.cells[1].value == map.cells[1].ratio());
  CHECK_THROWS_AS(ratio_map({list.data() + 3, 1}, permutation, 1), UsageError);
  RatioCell cell = map.cells[0];
  cell.bound->key_dimension = 0;
  CHECK(!cell.ratio());
}

TEST_CASE("bounds_curve: bounds at every m, certificates where there are some") {
  const std::vector<Surveyed> list = {surveyed_cycle(16, 3), surveyed_cycle(16, 1),
                                      surveyed_cycle(8)};
  CHECK(vertices_of(list, permutation, 16, 1) == std::set<std::uint64_t>{16});
  const FamilyOf sixteen_alone = [](std::uint64_t m) {
    return Family("digraph", {m, m == 16 ? std::uint64_t{16} : m * m});
  };
  CHECK(vertices_of(list, sixteen_alone, 16, 1) == std::set<std::uint64_t>{16});
  const BoundsCurve curve = bounds_curve(list, permutation, 16, 1, {16, 2, 64});
  REQUIRE(curve.points.size() == 3);
  CHECK(curve.points[0].family.vertices() == 2);
  CHECK(curve.points[1].certificate == &list[1]);
  CHECK(curve.points[1].key_dimension() == 17);
  CHECK(curve.points[2].certificate == nullptr);
  const Plot plot = bounds_plot(curve);
  CHECK(plot.x.logarithmic);
  CHECK(plot.x.tics == std::vector<Integer>{2, 16, 64});
  REQUIRE(!plot.series.empty());
  CHECK(!plot.series[0].joined);
  REQUIRE(plot.series[0].points.size() == 1);
  CHECK(plot.series[0].points[0].y == 17);
  for (std::size_t i = 1; i < plot.series.size(); ++i) {
    CHECK(plot.series[i].joined);
    for (const PlotPoint& point : plot.series[i].points) {
      CHECK(point.y > 0);  // no bound for 2 vertices is above 0 on 16 dimensions, or it is there
      CHECK(point.y < plot.y.high);
    }
  }
}

}  // namespace qkcert::test
