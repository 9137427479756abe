#include <algorithm>
#include <qkcert/core/decimal.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/reader.hpp>
#include <qkcert/io/edge_list.hpp>
#include <unordered_map>

namespace qkcert {

namespace {

using Ids = std::unordered_map<std::string_view, std::size_t>;

std::string_view line_of_text(Reader& in) {
  std::string_view line = in.line();
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

/// The columns of one line, as the header defines them.
void split(std::string_view line, std::vector<std::string_view>& columns) {
  columns.clear();
  for (;;) {
    const std::size_t tab = std::min(line.find('\t'), line.size());
    std::string_view field = line.substr(0, tab);
    bool first = true;
    for (;;) {
      field.remove_prefix(std::min(field.find_first_not_of(' '), field.size()));
      if (field.empty() && !first) break;
      first = false;
      const std::size_t end = std::min(field.find(' '), field.size());
      columns.push_back(field.substr(0, end));
      field.remove_prefix(end);
    }
    if (tab == line.size()) return;
    line.remove_prefix(tab + 1);
  }
}

bool is_comment(std::string_view column) {
  return column.starts_with('#') || column.starts_with('%');
}

class EdgeListReader {
 public:
  EdgeListReader(std::string_view bytes, const std::string& source,
                 std::optional<std::size_t> vertices,
                 const std::optional<std::vector<std::string>>& names)
      : bytes_(bytes), in_(bytes, source, Reader::Position::line), vertices_(vertices) {
    if (names) number(*names);
    if (vertices_ && *vertices_ > max_vertices)
      throw SizeError("a graph of " + std::to_string(*vertices_) + " vertices; at most " +
                      std::to_string(max_vertices) + " are read");
  }

  Graph read() {
    std::vector<std::string_view> columns;
    while (!in_.at_end()) {
      const std::size_t at = in_.offset();
      const std::string_view line = line_of_text(in_);
      if (line.find_first_not_of(" \t") == line.npos) continue;
      split(line, columns);
      if (is_comment(columns[0])) continue;
      if (columns.size() != 2)
        in_.fail_at(at, "two columns", std::to_string(columns.size()) + " in " + quoted(line));
      lines_.push_back({{vertex(columns[0]), vertex(columns[1])}, at});
    }
    return Graph(vertices_.value_or(ids_end_), sorted_edges());
  }

 private:
  struct Line {
    Edge edge;
    std::size_t offset;
    auto operator<=>(const Line&) const = default;
  };

  void number(const std::vector<std::string>& names) {
    if (vertices_.value_or(names.size()) != names.size())
      throw UsageError(std::to_string(*vertices_) + " vertices, but " +
                       std::to_string(names.size()) + " vertex names");
    vertices_ = names.size();
    ids_.emplace();
    for (const std::string& name : names) {
      if (is_comment(name))
        throw UsageError("vertex name " + qkcert::quoted(name) +
                         " looks like a comment in an edge list");
      if (!ids_->emplace(name, ids_->size()).second)
        throw UsageError("vertex name " + qkcert::quoted(name) + " stands twice");
    }
  }

  std::size_t vertex(std::string_view column) {
    const auto at = static_cast<std::size_t>(column.data() - bytes_.data());
    if (ids_) {
      const auto found = ids_->find(column);
      if (found == ids_->end()) in_.fail_at(at, "a vertex name", quoted(column));
      return found->second;
    }
    const std::size_t end = vertices_.value_or(max_vertices);
    const auto id = parse_uint64(column);
    if (!id || *id >= end)
      in_.fail_at(at, end == 0 ? "no edge" : "a vertex from 0 to " + std::to_string(end - 1),
                  quoted(column));
    ids_end_ = std::max(ids_end_, *id + 1);
    return *id;
  }

  std::vector<Edge> sorted_edges() {
    std::sort(lines_.begin(), lines_.end());
    std::vector<Edge> edges;
    edges.reserve(lines_.size());
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (i > 0 && lines_[i - 1].edge == lines_[i].edge)
        in_.fail_at(lines_[i].offset, "every edge once",
                    "the edge of " + in_.place(lines_[i - 1].offset) + " again");
      edges.push_back(lines_[i].edge);
    }
    return edges;
  }

  std::string_view bytes_;
  Reader in_;
  std::optional<std::size_t> vertices_;
  std::optional<Ids> ids_;
  std::vector<Line> lines_;
  std::size_t ids_end_ = 0;  // the largest id + 1
};

}  // namespace

std::vector<std::string> parse_vertex_names(std::string_view bytes, const std::string& source) {
  Reader in(bytes, source, Reader::Position::line);
  std::vector<std::string> names;
  std::unordered_map<std::string_view, std::size_t> offsets;
  while (!in.at_end()) {
    const std::size_t at = in.offset();
    const std::string_view name = line_of_text(in);
    if (name.empty()) in.fail_at(at, "a vertex name", "an empty line");
    const auto [first, is_new] = offsets.emplace(name, at);
    if (!is_new)
      in.fail_at(at, "every name once", quoted(name) + " of " + in.place(first->second) + " again");
    names.emplace_back(name);
  }
  return names;
}

Graph parse_edge_list(std::string_view bytes, const std::string& source,
                      std::optional<std::size_t> vertices,
                      const std::optional<std::vector<std::string>>& names) {
  return EdgeListReader(bytes, source, vertices, names).read();
}

std::string format_edge_list(const Graph& graph) {
  std::string text;
  for (const auto& [source, target] : graph.edges())
    text += std::to_string(source) + '\t' + std::to_string(target) + '\n';
  return text;
}

}  // namespace qkcert
