#pragma once
/// The named families of graphs and their exact sizes (theory.md, section 2).
///
///   name            arguments           graphs                                     size |F|
///   permutation     m                   one edge out of and into every vertex      m!
///   derangement     m                   the same without loops                     !m
///   functional      m                   one edge out of every vertex, no loops     (m-1)^m
///   out-regular     m r                 r edges out of every vertex, no loops      C(m-1,r)^m
///   digraph         m e                 e edges, no loops                          C(m(m-1),e)
///   digraph-loops   m e                 e edges                                    C(m²,e)
///   matching        m e                 e disjoint pairs, both directions m!/((m-2e)!·2^e·e!)
///   out-degrees     m deg_0 … deg_m-1   the given out-degrees, no loops            Π C(m-1,deg_u)
///
/// Every family fixes the number of edges, as bound B1 needs.

#include <cstdint>
#include <optional>
#include <qkcert/core/graph.hpp>
#include <qkcert/core/integer.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace qkcert {

enum class FamilyKind {
  permutation,
  derangement,
  functional,
  out_regular,
  digraph,
  digraph_loops,
  matching,
  out_degrees
};

class Family {
 public:
  /// Require  `name` one of the above and `arguments` exactly its arguments: m >= 1, r <= m-1,
  ///          e at most the number of possible edges, 2e <= m for matchings, degrees <= m-1.
  /// Errors   UsageError that names the family, the argument and its range.
  Family(std::string_view name, std::vector<std::uint64_t> arguments);

  FamilyKind kind() const { return kind_; }
  const std::vector<std::uint64_t>& arguments() const { return arguments_; }
  std::uint64_t vertices() const { return arguments_[0]; }
  std::string_view name() const;
  /// The name and the arguments with one space between: the certificate's spelling.
  std::string to_string() const;

  /// The number of edges that every graph of the family has.
  Integer edges() const;

  /// The largest out-degree, or in-degree, that a graph of the family can have; an upper bound of it
  /// when the family is empty.
  std::uint64_t max_out_degree() const;
  std::uint64_t max_in_degree() const;

  /// |F|, exactly. Cost: a product tree. Errors: SizeError beyond max_bits.
  Integer size() const;

  /// Whether `graph` belongs to the family. Cost O(m + m').
  bool contains(const Graph& graph) const;

  friend bool operator==(const Family&, const Family&) = default;

 private:
  FamilyKind kind_;
  std::vector<std::uint64_t> arguments_;
};

/// All names, in the order of the table.
std::span<const std::string_view> family_names();

/// The family of that name that `graph` belongs to, its arguments read off the graph, if there is
/// one. Errors: UsageError for an unknown name or a graph without vertices.
std::optional<Family> family_of(std::string_view name, const Graph& graph);

/// The narrowest named family that `graph` belongs to: the first of matching, derangement,
/// permutation, functional, out-regular, out-degrees (loop-free graphs), digraph-loops (every
/// graph). Errors: UsageError for a graph without vertices.
Family narrowest_family(const Graph& graph);

}  // namespace qkcert
