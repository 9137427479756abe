#include <qkcert/core/decimal.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/verify/claim_reader.hpp>
#include <qkcert/verify/sha256.hpp>

namespace qkcert {

namespace {

/// The least bytes that an integer and its separator take.
constexpr std::size_t least_item = 2;

}  // namespace

Integer ClaimReader::integer_line(std::string_view label, const Integer& least) {
  in_.expect(std::string(label) + " ");
  Integer value = integer_from(least);
  in_.expect("\n");
  return value;
}

std::uint64_t ClaimReader::count_line(std::string_view label, std::uint64_t least) {
  in_.expect(std::string(label) + " ");
  const std::size_t at = in_.offset();
  const std::uint64_t value = count();
  if (value < least) in_.fail_at(at, "a count of at least " + std::to_string(least));
  in_.expect("\n");
  return value;
}

Rational ClaimReader::ratio_line(std::string_view label, const Integer& least) {
  in_.expect(std::string(label) + " ");
  const std::size_t at = in_.offset();
  const Integer top = integer();
  in_.expect(" ");
  const Integer bottom = integer_from(1);
  if (gcd(top, bottom) != 1) in_.fail_at(at, "a ratio in lowest terms");
  if (top < least * bottom) in_.fail_at(at, "a ratio of at least " + to_decimal(least));
  in_.expect("\n");
  return Rational(top, bottom);
}

Integer ClaimReader::parsed(std::string_view word, std::size_t at) {
  if (auto value = parse_integer(word)) return *std::move(value);
  in_.fail_at(at, "an integer");
}

Integer ClaimReader::integer() {
  const std::size_t at = in_.offset();
  return parsed(in_.word(), at);
}

Integer ClaimReader::integer_from(const Integer& least) {
  const std::size_t at = in_.offset();
  Integer value = integer();
  if (value < least) in_.fail_at(at, "an integer of at least " + to_decimal(least));
  return value;
}

std::uint64_t ClaimReader::count() {
  const std::size_t at = in_.offset();
  const auto value = parse_uint64(in_.word());
  if (!value) in_.fail_at(at, "a count from 0 to 2^64 - 1");
  return *value;
}

std::optional<Integer> ClaimReader::optional_integer() {
  const std::size_t at = in_.offset();
  const std::string_view word = in_.word();
  if (word == "-") return std::nullopt;
  return parsed(word, at);
}

Graph ClaimReader::graph() {
  in_.expect("graph ");
  const std::uint64_t vertices = count();
  in_.expect(" ");
  const std::uint64_t edges = count();
  in_.expect("\n");
  in_.expect_room(vertices, 1, "vertices");  // the embedding has a line for each
  in_.expect_room(edges, 2 * least_item, "edges");
  std::vector<Edge> list;
  list.reserve(edges);
  for (std::uint64_t i = 0; i < edges; ++i) {
    const std::size_t at = in_.offset();
    list.push_back(pair(vertices));
    in_.expect("\n");
    if (i > 0 && !(list[i - 1] < list[i])) in_.fail_at(at, "an edge after the one before it");
  }
  return Graph(vertices, std::move(list));
}

Edge ClaimReader::pair(std::uint64_t vertices) {
  const auto vertex = [&] {
    const std::size_t at = in_.offset();
    const auto value = parse_uint64(in_.word());
    if (!value || *value >= vertices)
      in_.fail_at(at, "a vertex from 0 to " + to_decimal(Integer(vertices) - 1));
    return static_cast<std::size_t>(*value);
  };
  const std::size_t source = vertex();
  in_.expect(" ");
  return {source, vertex()};
}

Matrix ClaimReader::embedding(std::size_t vertices) {
  in_.expect("embedding ");
  const std::size_t at = in_.offset();
  if (count() != vertices) in_.fail_at(at, "as many rows as the graph has vertices");
  in_.expect(" ");
  const std::uint64_t d_model = count();
  in_.expect("\n");
  return matrix(vertices, d_model);
}

Matrix ClaimReader::matrix(std::uint64_t rows, std::uint64_t cols) {
  in_.expect_room(rows, cols == 0 ? 1 : least_item, "matrix rows");
  if (rows > 0 && cols > 0) in_.expect_room(cols, least_item * rows, "matrix columns");
  Matrix result(rows, cols);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < cols; ++j) {
      if (j > 0) in_.expect(" ");
      const std::size_t at = in_.offset();
      const std::string_view word = in_.word();
      if (const auto small = parse_int64(word))
        result.set(i, j, *small);
      else
        result.set(i, j, parsed(word, at));
    }
    in_.expect("\n");
  }
  return result;
}

Channel ClaimReader::channel(std::size_t d_model) {
  in_.expect("heads ");
  const std::size_t at = in_.offset();
  const std::uint64_t heads = count();
  if (heads == 0) in_.fail_at(at, "at least one head");
  in_.expect("\n");
  Channel result;
  for (std::uint64_t k = 0; k < heads; ++k) {
    in_.expect("head ");
    const std::size_t width_at = in_.offset();
    const std::uint64_t width = count();
    if (width == 0) in_.fail_at(width_at, "a width of at least 1");
    in_.expect("\nquery\n");
    Head& head = result.heads.emplace_back();
    head.query = matrix(d_model, width);
    in_.expect("key\n");
    head.key = matrix(d_model, width);
  }
  return result;
}

Family ClaimReader::family() {
  in_.expect("family ");
  const std::size_t at = in_.offset();
  const std::string_view name = in_.word();
  std::vector<std::uint64_t> arguments;
  while (in_.accept(" ")) arguments.push_back(count());
  in_.expect("\n");
  try {
    return Family(name, std::move(arguments));
  } catch (const UsageError& error) {
    in_.fail_at(at, "a family and exactly its arguments", error.what());
  }
}

std::vector<Multiplier> ClaimReader::multipliers(std::string_view label, const Graph& graph,
                                                 bool on_edges) {
  in_.expect(std::string(label) + " ");
  const std::uint64_t number = count();
  in_.expect("\n");
  in_.expect_room(number, 3 * least_item, "multipliers");
  std::vector<Multiplier> list;
  list.reserve(number);
  for (std::uint64_t i = 0; i < number; ++i) {
    const std::size_t at = in_.offset();
    const Edge edge = pair(graph.vertices());
    if (graph.contains(edge) != on_edges) in_.fail_at(at, on_edges ? "an edge" : "a non-edge");
    if (i > 0 && !(list[i - 1].pair < edge)) in_.fail_at(at, "a pair after the one before it");
    in_.expect(" ");
    list.push_back({edge, integer_from(1)});
    in_.expect("\n");
  }
  return list;
}

void ClaimReader::footer() {
  in_.expect("end\n");
  const std::string hash = sha256(in_.consumed());
  in_.expect("sha256 ");
  if (!in_.accept(hash)) in_.fail("the hash " + hash);
  in_.expect("\n");
  if (!in_.at_end()) in_.fail("the end of the file");
}

}  // namespace qkcert
