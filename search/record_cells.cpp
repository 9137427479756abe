#include <qkcert/core/errors.hpp>
#include <qkcert/core/random_graph.hpp>
#include <qkcert/io/edge_list.hpp>
#include <qkcert/io/file.hpp>
#include <qkcert/io/npy.hpp>
#include <qkcert/search/record_cells.hpp>

namespace qkcert {

namespace {

constexpr std::uint64_t seed = 1;
constexpr unsigned embedding_bits = 20;

std::string file_of(const Cell& cell, const std::string& folder, const char* name) {
  return folder + "/../" + cell.source + "/" + name;
}

Graph load_graph(const Cell& cell, const std::string& folder) {
  if (cell.source.empty()) return random_graph(Family("permutation", {cell.vertices}), seed);
  const std::string path = file_of(cell, folder, "edges.tsv");
  return parse_edge_list(read_file(path), path, cell.vertices);
}

}  // namespace

std::string Cell::options() const {
  if (source.empty())
    return "--family permutation --vertices " + std::to_string(vertices) + " --gaussian " +
           std::to_string(d_model);
  return "--graph ../" + source + "/edges.tsv --vertices " + std::to_string(vertices) +
         " --embedding ../" + source + "/embedding.npy";
}

std::vector<Cell> record_cells() {
  constexpr std::uint64_t weights[] = {1, 7, 127};
  const auto ending = [](std::uint64_t weight_max) { return "-a" + std::to_string(weight_max); };
  std::vector<Cell> cells;
  for (const std::size_t m : {16, 32, 64, 128, 256, 512})
    for (const std::size_t d : {8, 16, 32, 64})
      for (const std::uint64_t a : weights)
        if (m > d)
          cells.push_back(
              {"permutation-m" + std::to_string(m) + "-d" + std::to_string(d) + ending(a), m, d,
               a});
  for (const std::uint64_t a : weights)
    cells.push_back({"antonyms-512" + ending(a), 512, 100, a, "antonyms"});
  cells.push_back({"antonyms-4116" + ending(127), 4116, 100, 127, "antonyms-4116"});
  cells.push_back({"hypernyms-3692" + ending(127), 3692, 100, 127, "hypernyms"});
  return cells;
}

Cell find_cell(const std::string& name) {
  const std::vector<Cell> cells = record_cells();
  for (const Cell& cell : cells)
    if (cell.name == name) return cell;
  throw UsageError("unknown cell '" + name + "'; there are " + cells.front().name + ", …, " +
                   cells.back().name);
}

Family cell_family(const Cell& cell, const std::string& folder) {
  if (cell.source.empty()) return Family("permutation", {cell.vertices});
  return narrowest_family(load_graph(cell, folder));
}

CellInstance load_cell(const Cell& cell, const std::string& folder) {
  Graph graph = load_graph(cell, folder);
  Family family = cell.source.empty() ? cell_family(cell, folder) : narrowest_family(graph);
  if (cell.source.empty())
    return {std::move(graph), gaussian_embedding(cell.vertices, cell.d_model, embedding_bits, seed),
            std::move(family)};
  const std::string path = file_of(cell, folder, "embedding.npy");
  Embedding embedding = parse_npy(read_file(path), path);
  if (embedding.vertices() != cell.vertices || embedding.d_model() != cell.d_model)
    throw FormatError(path + ": expected " + std::to_string(cell.vertices) + " × " +
                      std::to_string(cell.d_model) + " numbers, found " +
                      std::to_string(embedding.vertices()) + " × " +
                      std::to_string(embedding.d_model()));
  return {std::move(graph), std::move(embedding), std::move(family)};
}

}  // namespace qkcert
