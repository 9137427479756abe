#include <qkcert/bounds/columns.hpp>
#include <qkcert/bounds/counting.hpp>
#include <qkcert/bounds/dichotomies.hpp>
#include <qkcert/bounds/margin.hpp>
#include <qkcert/bounds/registry.hpp>
#include <qkcert/bounds/unit_heads.hpp>
#include <qkcert/bounds/warren.hpp>
#include <qkcert/core/errors.hpp>

namespace qkcert {

namespace {

constexpr BoundKind kinds[] = {
    {"counting", "finite", "threshold-max", "adler2026",
     [](const BoundQuery& q) -> Claim {
       return counting_bound(q.family, q.d_model, q.weight_max);
     }},
    {"counting-random", "finite", "threshold-max", "adler2026",
     [](const BoundQuery& q) -> Claim {
       return counting_random_bound(q.family, q.d_model, q.weight_max, q.failure_bits);
     }},
    {"counting-columns", "finite", "threshold-max", "adler2026",
     [](const BoundQuery& q) -> Claim {
       return columns_bound(q.family, q.d_model, q.weight_max, q.failure_bits);
     }},
    {"warren", "real", "threshold-max", "warren1968",
     [](const BoundQuery& q) -> Claim {
       return warren_bound(q.family, q.d_model, q.failure_bits);
     }},
    {"warren-ranks", "real", "threshold-max", "warren1968",
     [](const BoundQuery& q) -> Claim {
       return warren_ranks_bound(q.family, q.d_model, q.failure_bits);
     }},
    {"single-head-class", "real, one head", "threshold", "cover1965 schlaefli1901",
     [](const BoundQuery& q) -> Claim { return single_head_class(q.family, q.d_model); }},
    {"heads", "real", "threshold-max", "cover1965 schlaefli1901",
     [](const BoundQuery& q) -> Claim { return heads_bound(q.family, q.d_model); }},
    {"unit-heads", "real, unit heads", "threshold-max", "adler2026",
     [](const BoundQuery& q) -> Claim {
       if (!q.graph) throw UsageError("it speaks of one graph, not of a class: give --graph");
       return unit_heads_bound(*q.graph);
     }},
    {"margin", "real, one head", "two-sided margin", "alon2003",
     [](const BoundQuery& q) -> Claim {
       if (!q.edge_ratio || !q.nonedge_ratio)
         throw UsageError("it needs the margin: give --edge-ratio and --nonedge-ratio");
       if (q.family.kind() != FamilyKind::permutation && q.family.kind() != FamilyKind::derangement)
         throw UsageError("it speaks of permutations");
       return margin_bound(q.family.vertices(), *q.edge_ratio, *q.nonedge_ratio);
     }},
};

}  // namespace

std::span<const BoundKind> bound_kinds() { return kinds; }

std::optional<Integer> key_dimension_of(const Claim& claim) {
  return std::visit(
      [](const auto& each) -> std::optional<Integer> {
        if constexpr (requires { each.key_dimension; }) return each.key_dimension;
        return std::nullopt;
      },
      claim);
}

Claim strongest_bound(const BoundQuery& query) {
  require(query.failure_bits == 0, "strongest_bound: it speaks of the class itself");
  Claim strongest = kinds[0].compute(query);
  for (const BoundKind& kind : kinds) {
    if (kind.weights != "finite" && kind.weights != "real") continue;
    try {
      Claim claim = kind.compute(query);
      if (key_dimension_of(claim) > key_dimension_of(strongest)) strongest = std::move(claim);
    } catch (const UsageError&) {
    } catch (const SizeError&) {
    }
  }
  return strongest;
}

bool is_random(const Claim& claim) {
  return std::visit(
      [](const auto& each) {
        if constexpr (requires { each.failure_bits; }) return each.failure_bits > 0;
        return false;
      },
      claim);
}

}  // namespace qkcert
