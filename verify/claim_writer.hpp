#pragma once
/// The parts that certificates are made of, written canonically: what ClaimReader reads.

#include <optional>
#include <qkcert/core/claim.hpp>
#include <string>

namespace qkcert {

class ClaimWriter {
 public:
  /// The parts with nothing between them, and a newline.
  template <class... Parts>
  void line(const Parts&... parts) {
    ((text_ += parts), ...);
    text_ += '\n';
  }
  void integer_line(const char* label, const Integer& value);
  void ratio_line(const char* label, const Rational& value);

  void graph(const Graph& graph);
  void embedding(const Matrix& rows);
  void matrix(const Matrix& matrix);
  void channel(const Channel& channel);
  void family(const Family& family);
  void multipliers(const char* label, const std::vector<Multiplier>& list);

  static std::string pair(Edge edge);
  static std::string optional_integer(const std::optional<Integer>& value);

  /// Adds `end` and the hash, and gives the certificate away.
  std::string finish();

 private:
  std::string text_;
};

}  // namespace qkcert
