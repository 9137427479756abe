#include <qkcert/bounds/registry.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/verify/certificate.hpp>
#include <qkcert/verify/check.hpp>

#include "support.hpp"

namespace qkcert {
namespace {

/// The claim with its D_K or its number of heads one higher or lower; nothing if it has neither.
std::optional<Claim> moved(Claim claim, int by) {
  return std::visit(
      [by](auto each) -> std::optional<Claim> {
        if constexpr (requires { each.failure_bits; })
          each.key_dimension += by;
        else if constexpr (requires {
                             each.d_model;
                             each.heads;
                           })
          each.heads += by;
        else
          return std::nullopt;
        return each;
      },
      std::move(claim));
}

TEST_CASE("every bound passes its check, is written back, and is refused one higher or lower") {
  for (const Family& family :
       {Family("permutation", {64}), Family("derangement", {30}), Family("functional", {20}),
        Family("out-regular", {16, 2}), Family("digraph", {12, 30}),
        Family("digraph-loops", {12, 30}), Family("matching", {60, 30}),
        Family("out-degrees", {4, 0, 1, 2, 3})})
    for (const int d_model : {1, 2, 5})
      for (const int failure_bits : {0, 1, 20})
        for (const BoundKind& kind : bound_kinds()) {
          CAPTURE(family.to_string(), d_model, failure_bits, kind.name);
          std::optional<Claim> claim;
          try {
            claim = kind.compute({family, d_model, 1, failure_bits});
          } catch (const UsageError&) {
            continue;
          } catch (const SizeError&) {
            continue;
          }
          CHECK(check(*claim).holds);
          const std::string bytes = write_certificate(*claim);
          CHECK(write_certificate(read_certificate(bytes, "test")) == bytes);
          for (const int by : {-1, 1})
            if (const auto other = moved(*claim, by)) CHECK_FALSE(check(*other).holds);
        }
}

TEST_CASE("hypotheses that do not hold give no bound, in the verifier too") {
  const Family two("permutation", {2});
  const auto compute = [&](std::string_view name, const Family& family, const Integer& d_model) {
    for (const BoundKind& kind : bound_kinds())
      if (kind.name == name) return kind.compute({family, d_model, 1, 0});
    throw ShapeError("no such bound");
  };
  CHECK_THROWS_AS(compute("warren", two, 100), UsageError);
  CHECK_FALSE(check(WarrenBound{two, 100, 0, 0}).holds);
  CHECK_FALSE(check(WarrenBound{two, 100, 0, 1}).holds);
  CHECK_THROWS_AS(compute("counting-random", two, 100), UsageError);
  CHECK_FALSE(check(RandomCountingBound{two, 100, 1, 0, 1}).holds);
  CHECK_THROWS_AS(compute("single-head-class", Family("permutation", {10}), 2), UsageError);
  CHECK_FALSE(check(SingleHeadClassImpossibility{Family("permutation", {10}), 2}).holds);
  CHECK(check(SingleHeadClassImpossibility{Family("permutation", {11}), 2}).holds);
  for (const BoundKind& kind : bound_kinds()) {
    CHECK_THROWS_AS(kind.compute({two, 0, 1, 1}), UsageError);
    if (kind.weights == "finite") CHECK_THROWS_AS(kind.compute({two, 1, 0, 1}), UsageError);
  }
}

TEST_CASE("every bound is nothing for classes of at most one graph") {
  for (const Family& family : {Family("permutation", {1}), Family("functional", {1}),
                               Family("derangement", {1}), Family("digraph", {5, 20})}) {
    CHECK(check(ColumnsBound{family, 3, 1, 0, 0}).holds);
    CHECK(check(WarrenRanksBound{family, 3, 0, 0}).holds);
    CHECK(check(HeadsBound{family, 3, 0}).holds);
    CHECK_FALSE(check(SingleHeadClassImpossibility{family, 3}).holds);
  }
  CHECK(check(WarrenBound{Family("digraph", {5, 20}), 3, 0, 0}).holds);
  CHECK(check(ColumnsBound{Family("permutation", {64}), 4, 1, power(10, 40), 0}).holds);
}

}  // namespace
}  // namespace qkcert
