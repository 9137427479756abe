#pragma once
/// The bounds for a class of graphs, and those for the one graph it was read off, by name.

#include <optional>
#include <qkcert/core/claim.hpp>
#include <span>
#include <string_view>

namespace qkcert {

struct BoundQuery {
  Family family;
  Integer d_model;
  Integer weight_max;
  Integer failure_bits;  ///< 0: the class itself; s >= 1: one random graph, except with 2^-s
  std::optional<Graph> graph = {};  ///< the graph that the class was read off, if there is one
  std::optional<Rational> edge_ratio = {};     ///< ρ of a two-sided margin
  std::optional<Rational> nonedge_ratio = {};  ///< ε of a two-sided margin
};

struct BoundKind {
  std::string_view name;     ///< that of `bound NAME` and `impossibility NAME`
  std::string_view weights;  ///< the weights it speaks of: `finite`, `real`, `real, one head`, …
  std::string_view decoder;  ///< the decoder it speaks of
  std::string_view sources;  ///< keys of reports/bibliography.hpp, one space between
  Claim (*compute)(const BoundQuery&);  ///< Errors: UsageError and SizeError that say why not.
};

/// All kinds; `counting` is the first.
std::span<const BoundKind> bound_kinds();

/// The D_K that a bound states; nothing for a claim that states none.
std::optional<Integer> key_dimension_of(const Claim& claim);

/// The bound of highest D_K among those for the class itself that speak of every channel with weights
/// up to query.weight_max: of finite and of real weights. The first of equals.
/// Require: query.failure_bits == 0. Errors: those of the counting bound; others that do not apply
/// are passed over.
Claim strongest_bound(const BoundQuery& query);

/// Whether `claim` is a bound that holds but for failure bits >= 1.
bool is_random(const Claim& claim);

}  // namespace qkcert
