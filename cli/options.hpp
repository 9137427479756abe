#pragma once
/// What the verbs share: strict option values, the graph and the embedding.

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <optional>
#include <qkcert/core/embedding.hpp>
#include <qkcert/core/family.hpp>
#include <qkcert/core/graph.hpp>
#include <string>

namespace qkcert::cli {

/// A value from `least` to `most`.
struct Range {
  std::uint64_t least = 0;
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
};

/// Options whose values pass the strict parsers of core/decimal.hpp. CLI11's own conversions read
/// "010" as 8.
CLI::Option* add_count(CLI::App& verb, const std::string& name, std::optional<std::uint64_t>& value,
                       const std::string& help, Range range = {});
/// An integer of at least 1, of any length.
CLI::Option* add_positive(CLI::App& verb, const std::string& name, std::optional<Integer>& value,
                          const std::string& help);
/// Seconds in decimal notation, at most 10^6.
CLI::Option* add_seconds(CLI::App& verb, const std::string& name, std::optional<Rational>& value,
                         const std::string& help);
/// `--threads N`; absent: 0, which stands for one per processor.
void add_threads(CLI::App& verb, std::optional<std::uint64_t>& threads);
unsigned threads_of(const std::optional<std::uint64_t>& threads);

/// A decimal number from 0 to 10^6.
CLI::Option* add_ratio(CLI::App& verb, const std::string& name, std::optional<Rational>& value,
                       const std::string& help);

/// An integer of any length and sign.
CLI::Option* add_integer(CLI::App& verb, const std::string& name, std::optional<Integer>& value,
                         const std::string& help);
/// A positive rational: `P/Q` with canonical integers of any length, or a decimal number.
CLI::Option* add_rational(CLI::App& verb, const std::string& name, std::optional<Rational>& value,
                          const std::string& help);

/// `--graph FILE | --family NAME --vertices M [--degree R | --edges E] [--graph-seed S]`.
struct GraphOptions {
  std::optional<std::string> file, names, family;
  std::optional<std::uint64_t> vertices, degree, edges, seed;

  /// What the options are for: one graph; a class of graphs, which --graph and --family may name
  /// together and which needs no seed; or random members of a class, which --family alone names.
  enum class Use { one_graph, graph_class, random_members };

  void add_to(CLI::App& verb, Use use = Use::one_graph);
  bool given() const { return file || family; }
  /// The graph from the file, or a random member of the named family.
  /// Errors: UsageError, FileError, FormatError.
  Graph load() const;
  /// With --family alone that family. With a graph from a file the family of that name that it
  /// belongs to, or without a name its narrowest one. Errors: UsageError.
  Family family_of_file(const Graph& graph) const;
  Family named_family() const;
  /// The class of the graph that load() has returned.
  Family family_for(const Graph& graph) const {
    return file ? family_of_file(graph) : named_family();
  }
  /// Where the graph comes from, for summaries.
  std::string source() const;
};

/// `--embedding FILE | --gaussian D [--embedding-bits B] [--embedding-seed S] | --one-hot`.
struct EmbeddingOptions {
  std::optional<std::string> file;
  std::optional<std::uint64_t> gaussian, bits, seed;
  bool one_hot = false;

  void add_to(CLI::App& verb);
  bool given() const { return file || gaussian || one_hot; }
  /// The embedding; `vertices` is the number of rows it must have (a file may go without).
  /// Errors: UsageError, FileError, FormatError.
  Embedding load(std::optional<std::uint64_t> vertices) const;
  std::string source() const;
};

}  // namespace qkcert::cli
