#pragma once
/// The graphs, families and embeddings that claims name, read from their tables.

#include <optional>
#include <qkcert/core/channel.hpp>
#include <qkcert/core/embedding.hpp>
#include <qkcert/core/family.hpp>
#include <qkcert/core/graph.hpp>
#include <qkcert/io/toml.hpp>
#include <string>
#include <vector>

namespace qkcert {

/// `path` below `folder`, unless it is absolute.
std::string path_below(const std::string& folder, const std::string& path);

/// The file that the value names; noted in `inputs`. Errors: PlacedError when there is none.
std::string input_file(const Toml& value, const std::string& folder,
                       std::vector<std::string>& inputs);

/// A list of rows of equally many integers, at least one. Errors: PlacedError.
Matrix read_matrix(const Toml& value);

/// `[{ query = [[…]], key = [[…]] }, …]`. Errors: PlacedError.
Channel read_channel_heads(const Toml& value);

/// `family`, `vertices`, and `degree` (out-regular), `edges` (digraph, digraph-loops, matching; there
/// m/2 by default) or `degrees` (out-degrees). Errors: PlacedError.
Family read_family(const Toml& claim);

/// One graph: that of a file, `graph` and perhaps `vertices`; one spelled out, `vertices` and
/// `edge_list = [[0, 1], …]`; or a random member of a family.
class GraphSource {
 public:
  GraphSource(const Toml& claim, const std::string& folder, std::vector<std::string>& inputs);

  /// `seed` is for the random member, unless the claim has a `graph_seed`.
  Graph graph(std::uint64_t seed = 1) const;
  /// The family of the claim, or the narrowest one of the graph.
  Family family() const;

 private:
  std::optional<std::string> file_;
  std::optional<std::uint64_t> vertices_, seed_;
  std::vector<Edge> edges_;
  std::optional<Family> family_;
};

/// One embedding: `gaussian = D`, with `embedding_bits` (default 20) and `embedding_seed`; `one_hot =
/// true`; that of a .npy file, `embedding`; or one spelled out, `rows = [[1, 0], …]`.
class EmbeddingSource {
 public:
  EmbeddingSource(const Toml& claim, const std::string& folder, std::vector<std::string>& inputs);

  /// One row a vertex. `seed` is for Gaussian rows, unless the claim has an `embedding_seed`.
  /// Errors: UsageError for another number of rows.
  Embedding embedding(std::size_t vertices, std::uint64_t seed = 1) const;

 private:
  std::optional<std::string> file_;
  std::optional<std::uint64_t> gaussian_, seed_;
  unsigned bits_ = 20;
  bool one_hot_ = false;
  Matrix rows_;
};

}  // namespace qkcert
