#pragma once
/// What a table is to hold: the file that `qkcert table` reads (docs/tables.md).

#include <cstdint>
#include <optional>
#include <qkcert/core/family.hpp>
#include <qkcert/core/integer.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace qkcert {

/// A parameter of the grid with its values, as they are spelled.
struct TableAxis {
  /// `family`, `vertices`, `degree`, `edges`, `d_model`, and `weight_max` or `weight_bits`.
  std::string name;
  std::vector<std::string> values;
};

/// One kind of certified channels.
struct TableUpper {
  enum class Source { certificates, records, method };
  std::string name;
  Source source;
  std::string where;      ///< a path with {axis} and *, a folder, or a method
  bool optional = false;  ///< points without a channel have no entry instead of being an error
  // Of a method:
  bool one_hot = false;  ///< else Gaussian rows
  unsigned embedding_bits = 20;
  std::uint64_t graph_seed = 1, embedding_seed = 1, seed = 1;
  std::optional<std::size_t> heads = {}, head_dim = {};
  std::vector<std::size_t> key_dimensions = {};  ///< the first that is verified counts
  unsigned patience = 1;
};

struct TableSpec {
  std::string caption, label;
  std::vector<TableAxis> grid;             ///< in that order
  std::vector<std::size_t> rows, columns;  ///< axes; those in neither have one value
  std::vector<std::string> bounds;         ///< of the registry, and `strongest`
  std::vector<TableUpper> uppers;
  bool class_size = false;
  bool ratios = true;
  unsigned digits = 2;  ///< of ratios
  Integer failure_bits = 0;
  std::optional<Rational> edge_ratio = {}, nonedge_ratio = {};
};

/// The parameters of one point, read off its values.
struct TableInstance {
  Family family;
  std::uint64_t d_model;
  std::optional<Integer> weight_max;  ///< absent: real weights
};

/// The instance at `values` (indices, one for each axis). Errors: UsageError of Family.
TableInstance table_instance(const TableSpec& spec, const std::vector<std::size_t>& values);

/// The next choice of values, the last axis fastest; false, and the first one, after the last.
bool next_point(const TableSpec& spec, std::vector<std::size_t>& values);

/// `family permutation, vertices 16, …`.
std::string point_text(const TableSpec& spec, const std::vector<std::size_t>& values);

/// The spec that `text` spells in TOML.
///
/// Ensure   at least one point, every point a valid instance; names and labels are unique and
///          printable; every axis of several values is in rows or columns, none in both.
/// Errors   FormatError `source:line:column: expected …, found …`.
TableSpec read_table_spec(std::string_view text, const std::string& source);

}  // namespace qkcert
