#include <qkcert/core/decimal.hpp>
#include <qkcert/verify/claim_writer.hpp>
#include <qkcert/verify/sha256.hpp>

namespace qkcert {

void ClaimWriter::integer_line(const char* label, const Integer& value) {
  line(label, " ", to_decimal(value));
}

void ClaimWriter::ratio_line(const char* label, const Rational& value) {
  line(label, " ", to_decimal(numerator(value)), " ", to_decimal(denominator(value)));
}

void ClaimWriter::graph(const Graph& graph) {
  line("graph ", std::to_string(graph.vertices()), " ", std::to_string(graph.edges().size()));
  for (const Edge& edge : graph.edges()) line(pair(edge));
}

void ClaimWriter::embedding(const Matrix& rows) {
  line("embedding ", std::to_string(rows.rows()), " ", std::to_string(rows.cols()));
  matrix(rows);
}

void ClaimWriter::matrix(const Matrix& matrix) {
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    for (std::size_t j = 0; j < matrix.cols(); ++j) {
      if (j > 0) text_ += ' ';
      text_ += matrix.narrow() ? std::to_string(matrix.narrow_row(i)[j])
                               : to_decimal(matrix.wide_row(i)[j]);
    }
    text_ += '\n';
  }
}

void ClaimWriter::channel(const Channel& channel) {
  line("heads ", std::to_string(channel.heads.size()));
  for (const Head& head : channel.heads) {
    line("head ", std::to_string(head.width()));
    line("query");
    matrix(head.query);
    line("key");
    matrix(head.key);
  }
}

void ClaimWriter::family(const Family& family) { line("family ", family.to_string()); }

void ClaimWriter::multipliers(const char* label, const std::vector<Multiplier>& list) {
  line(label, " ", std::to_string(list.size()));
  for (const auto& [at, weight] : list) line(pair(at), " ", to_decimal(weight));
}

std::string ClaimWriter::pair(Edge edge) {
  return std::to_string(edge.source) + " " + std::to_string(edge.target);
}

std::string ClaimWriter::optional_integer(const std::optional<Integer>& value) {
  return value ? to_decimal(*value) : "-";
}

std::string ClaimWriter::finish() {
  line("end");
  line("sha256 ", sha256(text_));
  return std::move(text_);
}

}  // namespace qkcert
