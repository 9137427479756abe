#include <qkcert/bounds/margin.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/verify/certificate.hpp>
#include <qkcert/verify/check.hpp>

#include "support.hpp"

namespace qkcert {
namespace {

using namespace test;

/// Whether C(rank-1+t-1, t)·(ρ^2t + (m-1)ε^2t) < m, by repeated multiplication.
bool follows(const MarginBound& bound, std::uint64_t rank, std::uint64_t t) {
  Rational rho = 1, epsilon = 1, choices = 1;
  for (std::uint64_t i = 0; i < 2 * t; ++i) rho *= bound.edge_ratio, epsilon *= bound.nonedge_ratio;
  // Multisets of t out of rank - 1.
  for (std::uint64_t i = 1; i <= t; ++i)
    choices = choices * (Rational(rank) - 2 + Rational(i)) / Rational(i);
  return choices * (rho + (Rational(bound.vertices) - 1) * epsilon) < Rational(bound.vertices);
}

TEST_CASE("the margin bound is the largest rank of a linear search") {
  for (const int m : {1, 2, 3, 10, 40})
    for (const Rational& rho : {Rational(1), Rational(11, 10), Rational(2)})
      for (const Rational& epsilon : {Rational(0), Rational(1, 10), Rational(1, 2), Rational(3)}) {
        const MarginBound bound = margin_bound(m, rho, epsilon);
        CAPTURE(m, rho.str(), epsilon.str(), bound.rank.str(), bound.power.str());
        std::uint64_t rank = 1, power = 1;
        for (std::uint64_t t = 1; t <= max_margin_power; ++t)
          while (follows(bound, rank + 1, t)) ++rank, power = t;
        CHECK(bound.rank == rank);
        CHECK(bound.power == power);
        CHECK(bound.rank <= bound.vertices);
        CHECK(check(bound).holds);
        MarginBound above = bound;
        above.rank += 1;
        CHECK_FALSE(check(above).holds);
      }
}

TEST_CASE("the margin bound: golden values") {
  // An identity matrix has full rank.
  CHECK(margin_bound(1000, 1, 0).rank == 1000);
  // ε = 1/10, t = 1: R - 1 < 100/(1 + 99/100) = 50.25…
  CHECK(margin_bound(100, 1, Rational(1, 10)).rank == 51);
  // One vertex, and margins that say nothing.
  CHECK(margin_bound(1, 1, 0).rank == 1);
  CHECK(margin_bound(50, 1, 1).rank == 1);
}

TEST_CASE("rank-1 scores have no such margin") {
  // S = p·r on a permutation of two vertices: edges 1 and 1, so the other two multiply to 1.
  CHECK(margin_bound(2, 1, Rational(99, 100)).rank == 2);
}

TEST_CASE("the margin bound refuses what makes no sense") {
  CHECK_THROWS_AS(margin_bound(0, 1, 0), UsageError);
  CHECK_THROWS_AS(margin_bound(5, Rational(9, 10), 0), UsageError);
  CHECK_THROWS_AS(margin_bound(5, 1, Rational(-1, 10)), UsageError);
}

}  // namespace
}  // namespace qkcert
