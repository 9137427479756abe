#include <qkcert/core/errors.hpp>
#include <qkcert/core/random_graph.hpp>
#include <qkcert/core/reader.hpp>
#include <qkcert/io/edge_list.hpp>
#include <qkcert/io/file.hpp>
#include <qkcert/io/npy.hpp>
#include <qkcert/reports/claim_inputs.hpp>

namespace qkcert {

namespace {

/// What `read` returns; its UsageError and ShapeError become errors at `value`.
template <class Read>
auto placed(const Toml& value, Read read) {
  try {
    return read();
  } catch (const UsageError& error) {
    throw PlacedError(value.source(), value.place(), error.what());
  } catch (const ShapeError& error) {
    throw PlacedError(value.source(), value.place(), error.what());
  }
}

/// Throws unless exactly one of the keys is there; returns it.
Toml only_one(const Toml& claim, std::span<const std::string_view> keys) {
  std::optional<Toml> found;
  std::string all;
  for (const std::string_view key : keys) {
    all += (all.empty() ? "" : ", ") + std::string(key);
    if (auto value = claim.find(key)) {
      if (found) value->fail("only one of the keys " + all, "'" + found->key() + "' before");
      found = std::move(value);
    }
  }
  if (!found) claim.fail("one of the keys " + all, "none of them");
  return *found;
}

}  // namespace

std::string path_below(const std::string& folder, const std::string& path) {
  if (folder.empty() || path.starts_with('/')) return path;
  return folder + (folder.ends_with('/') ? "" : "/") + path;
}

std::string input_file(const Toml& value, const std::string& folder,
                       std::vector<std::string>& inputs) {
  std::string path = path_below(folder, value.text());
  if (!file_exists(path)) value.fail("a file", "nothing at " + qkcert::quoted(path));
  inputs.push_back(path);
  return path;
}

Matrix read_matrix(const Toml& value) {
  const auto rows = value.list();
  if (rows.empty() || rows[0].list().empty()) value.fail("rows of integers", "none");
  Matrix matrix(rows.size(), rows[0].list().size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto entries = rows[i].list();
    if (entries.size() != matrix.cols())
      rows[i].fail("a row of " + std::to_string(matrix.cols()) + " integers",
                   std::to_string(entries.size()));
    for (std::size_t j = 0; j < entries.size(); ++j) matrix.set(i, j, entries[j].integer());
  }
  return matrix;
}

Channel read_channel_heads(const Toml& value) {
  Channel channel;
  for (const Toml& head : value.tables()) {
    channel.heads.push_back({read_matrix(head.at("query")), read_matrix(head.at("key"))});
    head.finish();
  }
  return channel;
}

Family read_family(const Toml& claim) {
  const std::string& name = claim.at("family").one_of(family_names());
  std::vector<std::uint64_t> arguments{claim.at("vertices").count()};
  if (name == "out-regular") arguments.push_back(claim.at("degree").count());
  if (name == "digraph" || name == "digraph-loops") arguments.push_back(claim.at("edges").count());
  if (name == "matching") {
    const auto edges = claim.find("edges");
    arguments.push_back(edges ? edges->count() : arguments[0] / 2);
  }
  if (name == "out-degrees")
    for (const Toml& degree : claim.at("degrees").list()) arguments.push_back(degree.count());
  return placed(claim.at("family"), [&] { return Family(name, std::move(arguments)); });
}

GraphSource::GraphSource(const Toml& claim, const std::string& folder,
                         std::vector<std::string>& inputs) {
  static constexpr std::string_view keys[] = {"graph", "edge_list", "family"};
  const Toml source = only_one(claim, keys);
  if (source.key() == "family") {
    family_ = read_family(claim);
    if (const auto seed = claim.find("graph_seed")) seed_ = seed->count();
  } else if (source.key() == "graph") {
    file_ = input_file(source, folder, inputs);
    if (const auto vertices = claim.find("vertices")) vertices_ = vertices->count();
  } else {
    vertices_ = claim.at("vertices").count(1, max_vertices);
    for (const Toml& pair : source.list()) {
      const auto ends = pair.list();
      if (ends.size() != 2) pair.fail("a pair of vertices");
      edges_.push_back({ends[0].count(0, *vertices_ - 1), ends[1].count(0, *vertices_ - 1)});
    }
    placed(source, [&] { return Graph(*vertices_, edges_); });
  }
}

Graph GraphSource::graph(std::uint64_t seed) const {
  if (family_) return random_graph(*family_, seed_.value_or(seed));
  if (file_) return parse_edge_list(read_file(*file_), *file_, vertices_);
  return Graph(vertices_.value(), edges_);
}

Family GraphSource::family() const { return family_ ? *family_ : narrowest_family(graph()); }

EmbeddingSource::EmbeddingSource(const Toml& claim, const std::string& folder,
                                 std::vector<std::string>& inputs) {
  static constexpr std::string_view keys[] = {"gaussian", "one_hot", "embedding", "rows"};
  const Toml source = only_one(claim, keys);
  if (source.key() == "gaussian") {
    gaussian_ = source.count(1);
    if (const auto bits = claim.find("embedding_bits"))
      bits_ = static_cast<unsigned>(bits->count(1, 52));
    if (const auto seed = claim.find("embedding_seed")) seed_ = seed->count();
  } else if (source.key() == "one_hot") {
    one_hot_ = source.flag();
    if (!one_hot_) source.fail("true");
  } else if (source.key() == "embedding") {
    file_ = input_file(source, folder, inputs);
  } else {
    rows_ = read_matrix(source);
  }
}

Embedding EmbeddingSource::embedding(std::size_t vertices, std::uint64_t seed) const {
  if (one_hot_) return one_hot(vertices);
  if (gaussian_) return gaussian_embedding(vertices, *gaussian_, bits_, seed_.value_or(seed));
  Embedding embedding = file_ ? parse_npy(read_file(*file_), *file_) : Embedding{rows_};
  if (embedding.vertices() != vertices)
    throw UsageError("the embedding: expected " + std::to_string(vertices) +
                     " rows, one per vertex, found " + std::to_string(embedding.vertices()));
  return embedding;
}

}  // namespace qkcert
