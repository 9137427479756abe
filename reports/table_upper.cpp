#include <algorithm>
#include <qkcert/core/decimal.hpp>
#include <qkcert/core/random_graph.hpp>
#include <qkcert/io/file.hpp>
#include <qkcert/io/folder.hpp>
#include <qkcert/io/gzip.hpp>
#include <qkcert/reports/table_upper.hpp>
#include <qkcert/search/attempt.hpp>
#include <qkcert/search/records.hpp>
#include <qkcert/verify/certificate.hpp>
#include <qkcert/verify/check.hpp>
#include <qkcert/verify/sha256.hpp>

namespace qkcert {

namespace {

/// A path of the spec, from where the program runs.
std::string under(const std::string& folder, const std::string& path) {
  return folder.empty() || path.starts_with('/') ? path : folder + "/" + path;
}

/// Whether `name` is `pattern`, whose every `*` stands for any characters.
bool matches(std::string_view name, std::string_view pattern) {
  std::size_t star = pattern.find('*');
  if (star == pattern.npos) return name == pattern;
  if (!name.starts_with(pattern.substr(0, star))) return false;
  name.remove_prefix(star);
  for (;;) {  // what is between two stars may as well stand as early as it can
    pattern.remove_prefix(star + 1);
    star = pattern.find('*');
    if (star == pattern.npos) return name.ends_with(pattern);
    const std::size_t at = name.find(pattern.substr(0, star));
    if (at == name.npos) return false;
    name.remove_prefix(at + star);
  }
}

std::string expanded(std::string pattern, const TableSpec& spec,
                     const std::vector<std::size_t>& values) {
  for (std::size_t axis = 0; axis < values.size(); ++axis) {
    const std::string braced = "{" + spec.grid[axis].name + "}";
    for (std::size_t at; (at = pattern.find(braced)) != std::string::npos;)
      pattern.replace(at, braced.size(), spec.grid[axis].values[values[axis]]);
  }
  return pattern;
}

/// The paths that a pattern stands for, in order; without `*` the path itself.
std::vector<std::string> matching_paths(const std::string& pattern, const std::string& folder) {
  if (pattern.find('*') == std::string::npos) return {pattern};
  const std::size_t slash = pattern.rfind('/');
  const std::string parent = slash == std::string::npos ? "" : pattern.substr(0, slash + 1);
  std::vector<std::string> paths;
  for (const std::string& name : list_folder(under(folder, parent.empty() ? "." : parent)))
    if (matches(name, pattern.substr(parent.size()))) paths.push_back(parent + name);
  return paths;
}

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw TableRefusal(path + ": this certificate may not stand here: " + why);
}

void require_weights(const std::string& path, const std::optional<Integer>& allowed,
                     const std::optional<Integer>& used) {
  if (!allowed) return;
  if (!used) refuse(path, "it speaks of weights of any size");
  if (*used > *allowed)
    refuse(path, "a weight is " + to_decimal(*used) + ", at most " + to_decimal(*allowed) +
                     " is allowed");
}

void require_d_model(const std::string& path, std::uint64_t expected, std::size_t found) {
  if (found != expected)
    refuse(path, "its d_model is " + std::to_string(found) + ", not " + std::to_string(expected));
}

/// D_K of a claim that speaks of this instance; refuses others.
Integer key_dimension(const Claim& claim, const TableInstance& instance, const std::string& path) {
  const std::string family = instance.family.to_string();
  if (const auto* recovery = std::get_if<RecoveryClaim>(&claim)) {
    if (!instance.family.contains(recovery->graph)) refuse(path, "its graph is no " + family);
    require_d_model(path, instance.d_model, recovery->embedding.cols());
    require_weights(path, instance.weight_max, recovery->channel.weight_max());
    return recovery->channel.key_dimension();
  }
  return std::visit(
      [&](const auto& each) -> Integer {
        if constexpr (requires { each.family, each.embedding, each.heads; }) {
          if (each.family != instance.family)
            refuse(path, "its class is " + each.family.to_string() + ", not " + family);
          require_d_model(path, instance.d_model, each.embedding.cols());
          require_weights(path, instance.weight_max, std::nullopt);
          return each.heads;
        }
        refuse(path, "it claims " + std::string(claim_name(claim)) + ", and no channel");
      },
      claim);
}

/// What a table says of a certificate, once that is decided.
TableEntry certified(const std::string& bytes, const Claim& claim, const std::string& path,
                     const TableInstance& instance, const std::string& method,
                     const TableOptions& options) {
  const Integer least = key_dimension(claim, instance, path);
  if (const Verdict verdict = check(claim, options.threads); !verdict.holds)
    refuse(path, "it does not hold: " + verdict.text);
  return {.value = Rational(least),
          .quantity = "D_K",
          .method = method,
          .references = {method == "signature" ? "adler2026" : "qkcert"},
          .claim = std::string(claim_name(claim)),
          .certificate = path,
          .sha256 = sha256(bytes)};
}

TableEntry missing(const std::string& reason) { return {.quantity = "D_K", .reason = reason}; }

Claim read_claim(const std::string& bytes, const std::string& path) {
  try {
    return read_certificate(bytes, path);
  } catch (const FormatError& error) {
    throw TableRefusal(error.what());
  }
}

/// That of least D_K among the files, the first of equals.
TableEntry from_files(const TableUpper& upper, const std::string& pattern,
                      const TableInstance& instance, const TablePlace& place,
                      const TableOptions& options) {
  const bool one = pattern.find('*') == std::string::npos;
  if (one && upper.optional && !file_exists(under(place.folder, pattern)))
    return missing("there is no file " + pattern);
  std::optional<Integer> least;
  std::string best;
  for (const std::string& path : matching_paths(pattern, place.folder)) {
    const Claim claim = read_claim(read_packed_file(under(place.folder, path)), path);
    const Integer found = key_dimension(claim, instance, path);
    if (least && *least <= found) continue;
    least = found;
    best = path;
  }
  if (!least) return missing("no file matches " + pattern);
  const std::string bytes = read_packed_file(under(place.folder, best));
  return certified(bytes, read_claim(bytes, best), best, instance, "certificate", options);
}

/// The cell of random permutations that is this instance, if there is one.
std::optional<Cell> cell_of(const TableInstance& instance) {
  for (const Cell& cell : record_cells())
    if (cell.source.empty() && instance.family.name() == "permutation" &&
        cell.vertices == instance.family.vertices() && cell.d_model == instance.d_model &&
        instance.weight_max == Integer(cell.weight_max))
      return cell;
  return std::nullopt;
}

TableEntry from_records(const TableUpper& upper, const TableInstance& instance,
                        const TablePlace& place, const TableOptions& options) {
  const std::string folder = under(place.folder, upper.where);
  const RecordsState state = load_records(folder);
  if (const auto cell = cell_of(instance)) {
    const auto found = state.find(cell->name);
    if (found == state.end() || found->second.empty())
      return missing("no record of " + cell->name + " yet");
    const Record& record = found->second.back();
    const std::string name = certificate_name(*cell, record);
    const std::string path = upper.where + "/" + name;
    const std::string bytes = read_packed_file(folder + "/" + name);
    TableEntry entry =
        certified(bytes, read_claim(bytes, path), path, instance, record.method, options);
    if (entry.sha256 != record.sha256) refuse(path, "it is not the one that records.json names");
    return entry;
  }
  return missing("the records have no such cell");
}

/// `permutation-m16-d8-a127`.
std::string file_stem(const TableSpec& spec, const std::vector<std::size_t>& values) {
  std::string stem;
  for (std::size_t axis = 0; axis < values.size(); ++axis) {
    const auto& [name, list] = spec.grid[axis];
    const std::string& value = list[values[axis]];
    const std::string letter = name == "vertices"      ? "m"
                               : name == "degree"      ? "r"
                               : name == "edges"       ? "e"
                               : name == "d_model"     ? "d"
                               : value == "real"       ? ""
                               : name == "weight_max"  ? "a"
                               : name == "weight_bits" ? "b"
                                                       : "";
    stem += (axis > 0 ? "-" : "") + letter + value;
  }
  return stem;
}

TableEntry constructed(const TableSpec& spec, std::size_t index,
                       const std::vector<std::size_t>& values, const TablePlace& place,
                       const TableOptions& options, std::vector<TableFile>& certificates) {
  const TableUpper& upper = spec.uppers[index];
  const TableInstance instance = table_instance(spec, values);
  const std::size_t m = instance.family.vertices();
  if (upper.one_hot && m != instance.d_model)
    return missing("one-hot rows need d_model = vertices");
  const Graph graph = random_graph(instance.family, upper.graph_seed);
  const Embedding embedding =
      upper.one_hot
          ? one_hot(m)
          : gaussian_embedding(m, instance.d_model, upper.embedding_bits, upper.embedding_seed);
  Request request{.graph = graph,
                  .embedding = embedding,
                  .heads = upper.heads,
                  .head_dim = upper.head_dim,
                  .weight_max = instance.weight_max.value_or(127),
                  .seed = upper.seed,
                  .threads = options.threads,
                  .stop = options.stop,
                  .patience = upper.patience};
  std::vector<std::optional<std::size_t>> asked(upper.key_dimensions.begin(),
                                                upper.key_dimensions.end());
  if (asked.empty()) asked.emplace_back();
  for (const auto& dimension : asked) {
    request.key_dimension = dimension;
    const Attempt result =
        attempt(find_method(upper.where), request, instance.weight_max.has_value());
    if (options.stop != nullptr && *options.stop) throw Error("stopped");
    if (!result.claim) continue;
    const std::string bytes = write_certificate(*result.claim);
    const std::string path = place.name + "/" + upper.where + "-" + std::to_string(index + 1) +
                             "-" + file_stem(spec, values) + ".qkc";
    TableEntry entry =
        certified(bytes, read_claim(bytes, path), path, instance, upper.where, options);
    certificates.push_back({path, bytes});
    return entry;
  }
  return missing(upper.where +
                 " proposes no channel that recovers every context with such weights");
}

TableEntry found_entry(const TableSpec& spec, std::size_t index,
                       const std::vector<std::size_t>& values, const TablePlace& place,
                       const TableOptions& options, std::vector<TableFile>& certificates) {
  const TableUpper& upper = spec.uppers[index];
  const TableInstance instance = table_instance(spec, values);
  switch (upper.source) {
    case TableUpper::Source::certificates:
      return from_files(upper, expanded(upper.where, spec, values), instance, place, options);
    case TableUpper::Source::records:
      return from_records(upper, instance, place, options);
    case TableUpper::Source::method:
      break;
  }
  try {
    return constructed(spec, index, values, place, options, certificates);
  } catch (const MethodError& error) {
    return missing(error.what());
  }
}

}  // namespace

TableEntry upper_entry(const TableSpec& spec, std::size_t upper,
                       const std::vector<std::size_t>& values, const TablePlace& place,
                       const TableOptions& options, std::vector<TableFile>& certificates) {
  TableEntry entry = found_entry(spec, upper, values, place, options, certificates);
  if (entry.value || spec.uppers[upper].optional) return entry;
  throw UsageError("'" + spec.uppers[upper].name + "': " + entry.reason +
                   " (`optional = true` leaves such entries empty)");
}

std::vector<std::string> upper_files(const TableSpec& spec, std::size_t upper,
                                     const std::vector<std::size_t>& values,
                                     const TablePlace& place) {
  const auto& [source, where] = std::tie(spec.uppers[upper].source, spec.uppers[upper].where);
  std::vector<std::string> files;
  if (source == TableUpper::Source::certificates)
    for (const std::string& path : matching_paths(expanded(where, spec, values), place.folder))
      files.push_back(under(place.folder, path));
  if (source == TableUpper::Source::records) {
    const std::string folder = under(place.folder, where);
    files.push_back(folder + "/records.json");
    const RecordsState state = load_records(folder);
    if (const auto cell = cell_of(table_instance(spec, values)))
      if (const auto found = state.find(cell->name); found != state.end() && !found->second.empty())
        files.push_back(folder + "/" + certificate_name(*cell, found->second.back()));
  }
  std::erase_if(files, [](const std::string& path) { return !file_exists(path); });
  return files;
}

}  // namespace qkcert
