#pragma once
/// The cells of the table of records: an instance and the largest |weight| that is allowed.

#include <optional>
#include <qkcert/core/embedding.hpp>
#include <qkcert/core/family.hpp>
#include <qkcert/core/graph.hpp>
#include <string>
#include <vector>

namespace qkcert {

/// Either a random permutation on Gaussian rows, both of seed 1 and the rows of 20 bits, or, with a
/// `source`, the graph and embedding of the folder of that name beside the folder of the records.
struct Cell {
  std::string name;
  std::size_t vertices;
  std::size_t d_model;
  std::uint64_t weight_max;
  std::string source = {};

  /// The instance as options of the command, to be given in the folder of the records.
  std::string options() const;
};

/// What a cell's channels are certified on, and the class that its lower bound speaks of.
struct CellInstance {
  Graph graph;
  Embedding embedding;
  Family family;
};

/// All cells in the order of the table: permutations of m in {16, 32, …, 512} and d_model in {8, 16,
/// 32, 64} with m > d_model, A in {1, 7, 127} each; then the real graphs.
std::vector<Cell> record_cells();

/// The cell of that name. Errors: UsageError that gives two names as examples.
Cell find_cell(const std::string& name);

/// The class that the lower bound of a cell speaks of: that of permutations, or a real graph's
/// narrowest one. Errors: FileError, FormatError.
Family cell_family(const Cell& cell, const std::string& folder);

/// The cell's graph and embedding. `folder` is that of the records.
/// Errors: FileError and FormatError; Error when the files are not of the cell's size.
CellInstance load_cell(const Cell& cell, const std::string& folder);

}  // namespace qkcert
