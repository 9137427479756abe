#include <qkcert/core/decimal.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/reader.hpp>
#include <qkcert/verify/certificate.hpp>
#include <qkcert/verify/sha256.hpp>

namespace qkcert {

namespace {

// ---- reading
// -------------------------------------------------------------------------------------

/// The least bytes that an integer and its separator take.
constexpr std::size_t least_item = 2;

class CertificateReader {
 public:
  CertificateReader(std::string_view bytes, const std::string& source)
      : in_(bytes, source, Reader::Position::line) {}

  Claim read() {
    in_.expect("qkcert 1\n");
    Claim claim = read_claim();
    read_footer();
    return claim;
  }

 private:
  Claim read_claim() {
    if (in_.accept("claim recovery\n")) return read_recovery();
    if (in_.accept("claim impossibility single-head\n")) return read_impossibility();
    if (in_.accept("claim bound counting\n")) return read_counting();
    in_.fail("'claim recovery', 'claim impossibility single-head' or 'claim bound counting'");
  }

  RecoveryClaim read_recovery() {
    RecoveryClaim claim;
    claim.graph = read_graph();
    claim.embedding = read_embedding(claim.graph.vertices());
    in_.expect("decoder threshold-max ");
    claim.threshold = integer();
    in_.expect("\nheads ");
    const std::size_t at = in_.offset();
    const std::uint64_t heads = count();
    if (heads == 0) in_.fail_at(at, "at least one head");
    in_.expect("\n");
    for (std::uint64_t k = 0; k < heads; ++k)
      claim.channel.heads.push_back(read_head(claim.embedding.cols()));
    in_.expect("extremes ");
    claim.least_edge = extreme();
    in_.expect(" ");
    claim.greatest_nonedge = extreme();
    in_.expect("\n");
    return claim;
  }

  SingleHeadImpossibility read_impossibility() {
    SingleHeadImpossibility claim;
    claim.graph = read_graph();
    claim.embedding = read_embedding(claim.graph.vertices());
    claim.edge_multipliers = read_multipliers("edge-multipliers ", claim.graph, true);
    claim.nonedge_multipliers = read_multipliers("nonedge-multipliers ", claim.graph, false);
    return claim;
  }

  CountingBound read_counting() {
    in_.expect("family ");
    Family family = read_family();
    in_.expect("d_model ");
    Integer d_model = integer_from(1);
    in_.expect("\nweight-max ");
    Integer weight_max = integer_from(1);
    in_.expect("\nkey-dimension ");
    Integer key_dimension = integer_from(0);
    in_.expect("\n");
    return {std::move(family), std::move(d_model), std::move(weight_max), std::move(key_dimension)};
  }

  Graph read_graph() {
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
      list.push_back(read_pair(vertices));
      in_.expect("\n");
      if (i > 0 && !(list[i - 1] < list[i])) in_.fail_at(at, "an edge after the one before it");
    }
    return Graph(vertices, std::move(list));
  }

  Edge read_pair(std::uint64_t vertices) {
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

  Matrix read_embedding(std::size_t vertices) {
    in_.expect("embedding ");
    const std::size_t at = in_.offset();
    if (count() != vertices) in_.fail_at(at, "as many rows as the graph has vertices");
    in_.expect(" ");
    const std::uint64_t d_model = count();
    in_.expect("\n");
    return read_matrix(vertices, d_model);
  }

  Head read_head(std::size_t d_model) {
    in_.expect("head ");
    const std::size_t at = in_.offset();
    const std::uint64_t width = count();
    if (width == 0) in_.fail_at(at, "a width of at least 1");
    in_.expect("\nquery\n");
    Head head;
    head.query = read_matrix(d_model, width);
    in_.expect("key\n");
    head.key = read_matrix(d_model, width);
    return head;
  }

  Matrix read_matrix(std::uint64_t rows, std::uint64_t cols) {
    in_.expect_room(rows, cols == 0 ? 1 : least_item, "matrix rows");
    if (rows > 0 && cols > 0) in_.expect_room(cols, least_item * rows, "matrix columns");
    Matrix matrix(rows, cols);
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < cols; ++j) {
        if (j > 0) in_.expect(" ");
        const std::size_t at = in_.offset();
        const std::string_view word = in_.word();
        if (const auto small = parse_int64(word))
          matrix.set(i, j, *small);
        else
          matrix.set(i, j, parsed(word, at));
      }
      in_.expect("\n");
    }
    return matrix;
  }

  std::vector<SingleHeadImpossibility::Multiplier> read_multipliers(std::string_view header,
                                                                    const Graph& graph,
                                                                    bool on_edges) {
    in_.expect(header);
    const std::uint64_t number = count();
    in_.expect("\n");
    in_.expect_room(number, 3 * least_item, "multipliers");
    std::vector<SingleHeadImpossibility::Multiplier> list;
    list.reserve(number);
    for (std::uint64_t i = 0; i < number; ++i) {
      const std::size_t at = in_.offset();
      const Edge pair = read_pair(graph.vertices());
      if (graph.contains(pair) != on_edges) in_.fail_at(at, on_edges ? "an edge" : "a non-edge");
      if (i > 0 && !(list[i - 1].pair < pair)) in_.fail_at(at, "a pair after the one before it");
      in_.expect(" ");
      list.push_back({pair, integer_from(1)});
      in_.expect("\n");
    }
    return list;
  }

  Family read_family() {
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

  void read_footer() {
    in_.expect("end\n");
    const std::string hash = sha256(in_.consumed());
    in_.expect("sha256 ");
    if (!in_.accept(hash)) in_.fail("the hash " + hash);
    in_.expect("\n");
    if (!in_.at_end()) in_.fail("the end of the file");
  }

  Integer parsed(std::string_view word, std::size_t at) {
    if (auto value = parse_integer(word)) return *std::move(value);
    in_.fail_at(at, "an integer");
  }

  Integer integer() {
    const std::size_t at = in_.offset();
    return parsed(in_.word(), at);
  }

  Integer integer_from(int least) {
    const std::size_t at = in_.offset();
    Integer value = integer();
    if (value < least) in_.fail_at(at, "an integer of at least " + std::to_string(least));
    return value;
  }

  std::optional<Integer> extreme() {
    const std::size_t at = in_.offset();
    const std::string_view word = in_.word();
    if (word == "-") return std::nullopt;
    return parsed(word, at);
  }

  std::uint64_t count() {
    const std::size_t at = in_.offset();
    const auto value = parse_uint64(in_.word());
    if (!value) in_.fail_at(at, "a count from 0 to 2^64 - 1");
    return *value;
  }

  Reader in_;
};

// ---- writing
// -------------------------------------------------------------------------------------

class CertificateWriter {
 public:
  std::string write(const Claim& claim) {
    text_ = "qkcert 1\nclaim ";
    std::visit([this](const auto& each) { body(each); }, claim);
    text_ += "end\n";
    return text_ + "sha256 " + sha256(text_) + "\n";
  }

 private:
  void body(const RecoveryClaim& claim) {
    require_valid(claim.channel, claim.embedding.cols());
    text_ += "recovery\n";
    inputs(claim.graph, claim.embedding);
    line("decoder threshold-max ", to_decimal(claim.threshold));
    line("heads ", std::to_string(claim.channel.heads.size()));
    for (const Head& head : claim.channel.heads) {
      line("head ", std::to_string(head.width()));
      text_ += "query\n";
      matrix(head.query);
      text_ += "key\n";
      matrix(head.key);
    }
    const auto extreme = [](const std::optional<Integer>& x) { return x ? to_decimal(*x) : "-"; };
    line("extremes ", extreme(claim.least_edge), " ", extreme(claim.greatest_nonedge));
  }

  void body(const SingleHeadImpossibility& claim) {
    text_ += "impossibility single-head\n";
    inputs(claim.graph, claim.embedding);
    multipliers("edge-multipliers ", claim.edge_multipliers);
    multipliers("nonedge-multipliers ", claim.nonedge_multipliers);
  }

  void body(const CountingBound& claim) {
    text_ += "bound counting\n";
    line("family ", claim.family.to_string());
    line("d_model ", to_decimal(claim.d_model));
    line("weight-max ", to_decimal(claim.weight_max));
    line("key-dimension ", to_decimal(claim.key_dimension));
  }

  void inputs(const Graph& graph, const Matrix& embedding) {
    require(graph.vertices() == embedding.rows(), "one row per vertex is required");
    line("graph ", std::to_string(graph.vertices()), " ", std::to_string(graph.edges().size()));
    for (const Edge& edge : graph.edges()) line(pair(edge));
    line("embedding ", std::to_string(embedding.rows()), " ", std::to_string(embedding.cols()));
    matrix(embedding);
  }

  void matrix(const Matrix& matrix) {
    for (std::size_t i = 0; i < matrix.rows(); ++i) {
      for (std::size_t j = 0; j < matrix.cols(); ++j) {
        if (j > 0) text_ += ' ';
        text_ += matrix.narrow() ? std::to_string(matrix.narrow_row(i)[j])
                                 : to_decimal(matrix.wide_row(i)[j]);
      }
      text_ += '\n';
    }
  }

  void multipliers(const char* header,
                   const std::vector<SingleHeadImpossibility::Multiplier>& list) {
    line(header, std::to_string(list.size()));
    for (const auto& [at, weight] : list) line(pair(at), " ", to_decimal(weight));
  }

  static std::string pair(Edge edge) {
    return std::to_string(edge.source) + " " + std::to_string(edge.target);
  }

  template <class... Parts>
  void line(const Parts&... parts) {
    ((text_ += parts), ...);
    text_ += '\n';
  }

  std::string text_;
};

}  // namespace

Claim read_certificate(std::string_view bytes, const std::string& source) {
  return CertificateReader(bytes, source).read();
}

std::string write_certificate(const Claim& claim) { return CertificateWriter().write(claim); }

}  // namespace qkcert
