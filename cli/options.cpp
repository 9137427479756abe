#include "options.hpp"

#include <qkcert/core/decimal.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/random_graph.hpp>
#include <qkcert/core/reader.hpp>
#include <qkcert/io/edge_list.hpp>
#include <qkcert/io/file.hpp>
#include <qkcert/io/npy.hpp>

namespace qkcert::cli {

namespace {

constexpr unsigned default_embedding_bits = 20;

[[noreturn]] void refuse(const std::string& name, const std::string& expected,
                         const std::string& found) {
  throw CLI::ValidationError(name, "expected " + expected + ", found " + qkcert::quoted(found));
}

std::string known_families() {
  std::string known;
  for (const auto name : family_names()) {
    if (!known.empty()) known += known.ends_with("out-regular") ? ",\n" : ", ";
    known += name;
  }
  return known;
}

}  // namespace

CLI::Option* add_count(CLI::App& verb, const std::string& name, std::optional<std::uint64_t>& value,
                       const std::string& help, Range range) {
  const auto parse = [name, &value, range](const std::string& text) {
    value = parse_uint64(text);
    if (value && range.least <= *value && *value <= range.most) return;
    const bool bounded = range.most < std::numeric_limits<std::uint64_t>::max();
    refuse(name,
           "an integer from " + std::to_string(range.least) + " to " +
               (bounded ? std::to_string(range.most) : "2^64 - 1"),
           text);
  };
  return verb.add_option_function<std::string>(name, parse, help)->type_name("N");
}

CLI::Option* add_positive(CLI::App& verb, const std::string& name, std::optional<Integer>& value,
                          const std::string& help) {
  const auto parse = [name, &value](const std::string& text) {
    value = parse_integer(text);
    if (!value || *value < 1) refuse(name, "an integer of at least 1", text);
  };
  return verb.add_option_function<std::string>(name, parse, help)->type_name("N");
}

namespace {

CLI::Option* add_decimal(CLI::App& verb, const std::string& name, std::optional<Rational>& value,
                         const std::string& help, const std::string& what, const char* type) {
  const auto parse = [name, &value, what](const std::string& text) {
    value = parse_decimal(text);
    const bool padded = text.size() > 1 && text[0] == '0' && text[1] != '.';
    if (!value || padded || *value > 1'000'000)
      refuse(name, what + " from 0 to 1000000, such as 90 or 0.5", text);
  };
  return verb.add_option_function<std::string>(name, parse, help)->type_name(type);
}

}  // namespace

CLI::Option* add_seconds(CLI::App& verb, const std::string& name, std::optional<Rational>& value,
                         const std::string& help) {
  return add_decimal(verb, name, value, help, "seconds", "SECONDS");
}

CLI::Option* add_ratio(CLI::App& verb, const std::string& name, std::optional<Rational>& value,
                       const std::string& help) {
  return add_decimal(verb, name, value, help, "a number", "X");
}

CLI::Option* add_integer(CLI::App& verb, const std::string& name, std::optional<Integer>& value,
                         const std::string& help) {
  const auto parse = [name, &value](const std::string& text) {
    value = parse_integer(text);
    if (!value) refuse(name, "an integer", text);
  };
  return verb.add_option_function<std::string>(name, parse, help)->type_name("N");
}

CLI::Option* add_rational(CLI::App& verb, const std::string& name, std::optional<Rational>& value,
                          const std::string& help) {
  const auto parse = [name, &value](const std::string& text) {
    const std::size_t slash = text.find('/');
    if (slash == text.npos) {
      const bool padded = text.size() > 1 && text[0] == '0' && text[1] != '.';
      value = padded ? std::nullopt : parse_decimal(text);
    } else {
      const auto top = parse_integer(text.substr(0, slash));
      const auto bottom = parse_integer(text.substr(slash + 1));
      value.reset();
      if (top && bottom && *bottom > 0) value = Rational(*top, *bottom);
    }
    if (!value || *value <= 0) refuse(name, "a positive number such as 3/8 or 0.375", text);
  };
  return verb.add_option_function<std::string>(name, parse, help)->type_name("P/Q");
}

void add_threads(CLI::App& verb, std::optional<std::uint64_t>& threads) {
  add_count(verb, "--threads", threads, "threads, at most 1024 (default 0: one per processor)",
            {0, 1024});
}

unsigned threads_of(const std::optional<std::uint64_t>& threads) {
  return static_cast<unsigned>(threads.value_or(0));
}

void GraphOptions::add_to(CLI::App& verb, Use use) {
  const std::string group = "Graph";
  CLI::Option* file_option = nullptr;
  if (use != Use::random_members) {
    file_option = verb.add_option("--graph", file, "edge list: lines `source target`, - for stdin");
    file_option->type_name("FILE")->group(group);
    verb.add_option("--vertex-names", names,
                    "vertex names, one a line; the edge list then uses names")
        ->type_name("FILE")
        ->group(group)
        ->needs(file_option);
  }
  auto* family_option = verb.add_option("--family", family, "a named family: " + known_families());
  family_option->type_name("NAME")->group(group);
  add_count(verb, "--vertices", vertices, "number of vertices m", {1})->group(group);
  add_count(verb, "--degree", degree, "out-degree r of out-regular")
      ->group(group)
      ->needs(family_option);
  add_count(verb, "--edges", edges,
            "edges e of digraph and digraph-loops;\npairs e of matching (default m/2)")
      ->group(group)
      ->needs(family_option);
  if (use != Use::one_graph) return;
  file_option->excludes(family_option);
  add_count(verb, "--graph-seed", seed, "seed of the random graph (default 1)")
      ->group(group)
      ->needs(family_option);
}

Family GraphOptions::named_family() const {
  const auto refuse_unless = [this](bool right, const std::string& what) {
    if (!right) throw UsageError("--family " + *family + " " + what);
  };
  const bool regular = family == "out-regular";
  const bool matching = family == "matching";
  const bool takes_edges = family == "digraph" || family == "digraph-loops" || matching;
  refuse_unless(family != "out-degrees", "reads its degrees off a graph: give --graph");
  refuse_unless(vertices.has_value(), "needs --vertices");
  refuse_unless(!degree || regular, "takes no --degree");
  refuse_unless(!edges || takes_edges, "takes no --edges");
  refuse_unless(degree || !regular, "needs --degree");
  refuse_unless(edges || !takes_edges || matching, "needs --edges");
  std::vector<std::uint64_t> arguments{*vertices};
  if (regular) arguments.push_back(*degree);
  if (takes_edges) arguments.push_back(edges.value_or(*vertices / 2));
  return Family(*family, std::move(arguments));
}

Graph GraphOptions::load() const {
  if (!file) {
    if (!family) throw UsageError("a graph is needed: --graph FILE or --family NAME --vertices M");
    return random_graph(named_family(), seed.value_or(1));
  }
  std::optional<std::vector<std::string>> vertex_names;
  if (names) vertex_names = parse_vertex_names(read_file(*names), *names);
  return parse_edge_list(read_file(*file), *file, vertices, vertex_names);
}

Family GraphOptions::family_of_file(const Graph& graph) const {
  if (degree || edges) throw UsageError("--degree and --edges are read off --graph");
  if (!family) return narrowest_family(graph);
  if (auto found = family_of(*family, graph)) return *std::move(found);
  throw UsageError(*file + ": the graph is not in the family " + *family);
}

std::string GraphOptions::source() const {
  return file ? *file : named_family().to_string() + ", seed " + std::to_string(seed.value_or(1));
}

void EmbeddingOptions::add_to(CLI::App& verb) {
  const std::string group = "Embedding";
  auto* file_option =
      verb.add_option("--embedding", file, "a two-dimensional .npy array, - for stdin");
  file_option->type_name("FILE")->group(group);
  auto* gaussian_option =
      add_count(verb, "--gaussian", gaussian, "random unit rows of this d_model", {1})
          ->group(group);
  auto* one_hot_option =
      verb.add_flag("--one-hot", one_hot, "the unit vectors, d_model = m")->group(group);
  file_option->excludes(gaussian_option, one_hot_option);
  gaussian_option->excludes(one_hot_option);
  add_count(verb, "--embedding-bits", bits,
            "bits that the unit rows are rounded to, 1 to 52 (default " +
                std::to_string(default_embedding_bits) + ")",
            {1, 52})
      ->group(group)
      ->needs(gaussian_option);
  add_count(verb, "--embedding-seed", seed, "seed of the random rows (default 1)")
      ->group(group)
      ->needs(gaussian_option);
}

Embedding EmbeddingOptions::load(std::optional<std::uint64_t> vertices) const {
  if ((one_hot || gaussian) && !vertices)
    throw UsageError("--one-hot and --gaussian need the number of vertices: give --vertices");
  if (one_hot) return qkcert::one_hot(*vertices);
  if (gaussian)
    return gaussian_embedding(*vertices, *gaussian,
                              static_cast<unsigned>(bits.value_or(default_embedding_bits)),
                              seed.value_or(1));
  if (!file)
    throw UsageError("an embedding is needed: --embedding FILE, --gaussian D or --one-hot");
  Embedding embedding = parse_npy(read_file(*file), *file);
  if (vertices && embedding.vertices() != *vertices)
    throw UsageError(*file + ": expected " + std::to_string(*vertices) +
                     " rows, one per vertex, found " + std::to_string(embedding.vertices()));
  return embedding;
}

std::string EmbeddingOptions::source() const {
  if (one_hot) return "one-hot";
  if (file) return *file;
  return "gaussian " + std::to_string(gaussian.value_or(0)) + ", " +
         std::to_string(bits.value_or(default_embedding_bits)) + " bits, seed " +
         std::to_string(seed.value_or(1));
}

}  // namespace qkcert::cli
