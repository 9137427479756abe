#include <algorithm>
#include <array>
#include <optional>
#include <qkcert/constructions/edge_colouring.hpp>
#include <qkcert/core/errors.hpp>
#include <set>
#include <unordered_map>

namespace qkcert {

namespace {

class Colouring {
 public:
  Colouring(std::size_t vertices, std::span<const Edge> edges, std::size_t colours)
      : colours_(colours), colour_of_(edges.size()), size_of_(colours, 0) {
    for (const int side : {0, 1}) split(vertices, edges, side);
    for (std::size_t e = 0; e < edges.size(); ++e) insert(e);
    balance();
  }

  std::vector<std::size_t> take() { return std::move(colour_of_); }

 private:
  /// Gives each group of `colours` edges at one end its own split vertex.
  void split(std::size_t vertices, std::span<const Edge> edges, int side) {
    std::vector<std::size_t> room(vertices, 0), current(vertices, 0);
    std::size_t split_vertices = 0;
    ends_[side].reserve(edges.size());
    for (const Edge& edge : edges) {
      const std::size_t vertex = side == 0 ? edge.source : edge.target;
      require(vertex < vertices, "edge_colours: an end of an edge is no vertex");
      if (room[vertex] == 0) {
        room[vertex] = colours_;
        current[vertex] = split_vertices++;
      }
      --room[vertex];
      ends_[side].push_back(current[vertex]);
    }
  }

  /// The edge of that colour at a split vertex.
  std::optional<std::size_t> edge_at(int side, std::size_t vertex, std::size_t colour) const {
    const auto found = edge_at_[side].find(vertex * colours_ + colour);
    return found == edge_at_[side].end() ? std::nullopt : std::optional(found->second);
  }
  std::size_t free_colour(int side, std::size_t vertex) const {
    std::size_t colour = 0;
    while (edge_at(side, vertex, colour)) ++colour;
    return colour;
  }

  void give(std::size_t e, std::size_t colour) {
    for (const int side : {0, 1}) edge_at_[side][ends_[side][e] * colours_ + colour] = e;
    colour_of_[e] = colour;
    ++size_of_[colour];
  }
  void swap_colours(const std::vector<std::size_t>& path, std::size_t a, std::size_t b) {
    for (const std::size_t e : path) {
      for (const int side : {0, 1}) edge_at_[side].erase(ends_[side][e] * colours_ + colour_of_[e]);
      --size_of_[colour_of_[e]];
    }
    for (const std::size_t e : path) give(e, colour_of_[e] == a ? b : a);
  }

  /// The edges coloured `colour`, `other`, `colour`, … that lead away from a vertex of `side`.
  std::vector<std::size_t> path_from(int side, std::size_t vertex, std::size_t colour,
                                     std::size_t other) const {
    std::vector<std::size_t> path;
    while (const auto e = edge_at(side, vertex, colour)) {
      path.push_back(*e);
      side = 1 - side;
      vertex = ends_[side][*e];
      std::swap(colour, other);
    }
    return path;
  }

  void insert(std::size_t e) {
    const std::size_t a = free_colour(0, ends_[0][e]);
    if (edge_at(1, ends_[1][e], a)) {
      const std::size_t b = free_colour(1, ends_[1][e]);
      swap_colours(path_from(1, ends_[1][e], a, b), a, b);
    }
    give(e, a);
  }

  /// While sizes differ by two, moves half the difference from a largest colour to a smallest.
  void balance() {
    std::set<std::pair<std::size_t, std::size_t>> by_size;
    for (std::size_t c = 0; c < colours_; ++c) by_size.insert({size_of_[c], c});
    while (by_size.rbegin()->first - by_size.begin()->first > 1) {
      const std::size_t a = by_size.rbegin()->second, b = by_size.begin()->second;
      by_size.erase({size_of_[a], a});
      by_size.erase({size_of_[b], b});
      even_out(a, b);
      by_size.insert({size_of_[a], a});
      by_size.insert({size_of_[b], b});
    }
  }

  void even_out(std::size_t a, std::size_t b) {
    std::vector<std::size_t> larger;
    for (std::size_t e = 0; e < colour_of_.size(); ++e)
      if (colour_of_[e] == a) larger.push_back(e);
    for (const std::size_t e : larger) {
      if (size_of_[a] < size_of_[b] + 2) return;
      // A path that begins and ends with a is found from its end on side 0: it has odd length.
      if (colour_of_[e] != a || edge_at(0, ends_[0][e], b)) continue;
      const auto path = path_from(0, ends_[0][e], a, b);
      if (path.size() % 2 == 1) swap_colours(path, a, b);
    }
  }

  std::size_t colours_;
  std::array<std::vector<std::size_t>, 2> ends_;  ///< the split vertex of each edge, by side
  std::array<std::unordered_map<std::size_t, std::size_t>, 2> edge_at_;
  std::vector<std::size_t> colour_of_;
  std::vector<std::size_t> size_of_;
};

}  // namespace

std::vector<std::size_t> edge_colours(std::size_t vertices, std::span<const Edge> edges,
                                      std::size_t colours) {
  require(colours >= 1, "edge_colours: at least one colour is required");
  // So vertex·colours + colour does not wrap: there are at most as many split vertices as edges.
  require(edges.empty() || colours <= static_cast<std::size_t>(-1) / edges.size(),
          "edge_colours: too many colours");
  return Colouring(vertices, edges, colours).take();
}

std::vector<std::vector<Edge>> colour_blocks(std::size_t vertices, std::span<const Edge> edges,
                                             std::size_t colours) {
  const auto colour_of = edge_colours(vertices, edges, colours);
  std::vector<std::vector<Edge>> blocks(colours);
  for (std::size_t e = 0; e < edges.size(); ++e) blocks[colour_of[e]].push_back(edges[e]);
  return blocks;
}

std::size_t matchings_needed(const Graph& graph) {
  return std::max(graph.max_out_degree(), graph.max_in_degree());
}

}  // namespace qkcert
