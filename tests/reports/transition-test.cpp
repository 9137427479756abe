#include <qkcert/reports/transition.hpp>

#include "support.hpp"

namespace qkcert {

namespace {

using Outcome = TransitionTrial::Outcome;

TransitionOutcome outcome(TransitionPoint point, std::size_t certified, std::size_t failed,
                          std::size_t incomplete) {
  TransitionOutcome result{point, std::vector<TransitionTrial>(certified + failed + incomplete)};
  for (std::size_t s = 0; s < certified + failed; ++s)
    result.trials[s].outcome = s < certified ? Outcome::certified : Outcome::failed;
  return result;
}

TransitionOptions options() { return {.family = Family("permutation", {8}), .d_model = 4}; }

TransitionReport report(const TransitionOptions& options, std::vector<TransitionOutcome> outcomes,
                        const std::string& split = "auto") {
  return {.options = options,
          .split = split,
          .outcomes = std::move(outcomes),
          .lower_bound = {options.family, 4, 127, 3}};
}

}  // namespace

TEST_CASE("certificate_name sorts as the points and trials do") {
  CHECK(certificate_name({12}, 7) == "d0012-s0007.qkc");
  CHECK(certificate_name({12, 3}, 7) == "d0012-h0003-s0007.qkc");
  CHECK(certificate_name({12345}, 99999) == "d12345-s99999.qkc");
}

TEST_CASE("transition_csv: counts, rates down, intervals outward, nothing for nothing") {
  const auto asked = options();
  CHECK(transition_csv(report(asked, {outcome({3}, 2, 1, 0), outcome({4, 2}, 1, 0, 2),
                                      outcome({6, {}, 2}, 0, 0, 3)})) ==
        "key_dimension,heads,trials,completed,certified,rate,wilson_lower,wilson_upper\n"
        "3,,3,3,2,0.6666,0.2076,0.9386\n"
        "4,2,3,1,1,1.0000,0.2065,1.0000\n"
        "6,3,3,0,0,,0.0000,1.0000\n");
}

TEST_CASE("a report is complete when every trial has an outcome") {
  const auto asked = options();
  CHECK(report(asked, {outcome({3}, 2, 1, 0), outcome({4}, 0, 2, 0)}).complete());
  CHECK_FALSE(report(asked, {outcome({3}, 2, 1, 0), outcome({4}, 2, 0, 1)}).complete());
}

TEST_CASE("transition_plot: rates of the completed trials, and the bound in range") {
  const auto asked = options();
  const Plot plot = transition_plot(
      report(asked, {outcome({7}, 2, 1, 0), outcome({8}, 0, 0, 2), outcome({9}, 1, 1, 5)}));
  REQUIRE(plot.series.size() == 1);
  const auto& points = plot.series[0].points;
  REQUIRE(points.size() == 2);
  CHECK((points[0].x == 7 && points[0].y == Rational(2, 3)));
  CHECK((points[1].x == 9 && points[1].y == Rational(1, 2)));
  CHECK((points[1].low == Rational(945, 10000) && points[1].high == Rational(9055, 10000)));
  REQUIRE(plot.marks.size() == 1);
  CHECK(plot.marks[0].x == 3);
  CHECK((plot.x.low == 2 && plot.x.high == 10 && plot.x.step == Rational(1)));
}

TEST_CASE("transition_plot over heads has no bound on D_K") {
  const auto asked = options();
  const Plot plot = transition_plot(report(
      asked, {outcome({40, 1}, 1, 1, 0), outcome({40, 40}, 2, 0, 0)}, "every number of heads"));
  CHECK(plot.marks.empty());
  CHECK(plot.series[0].points[1].x == 40);
  CHECK((plot.x.low == 0 && plot.x.high == 41 && plot.x.step == Rational(3)));
}

}  // namespace qkcert
