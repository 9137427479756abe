#pragma once
/// The parts that certificates are made of, read canonically. Each claim's file reads itself with
/// them.

#include <optional>
#include <qkcert/core/channel.hpp>
#include <qkcert/core/claim.hpp>
#include <qkcert/core/reader.hpp>

namespace qkcert {

/// Errors: every function throws FormatError with the line for anything but the canonical spelling,
/// and allocates nothing for a size that the bytes left cannot hold.
class ClaimReader {
 public:
  ClaimReader(std::string_view bytes, const std::string& source)
      : in_(bytes, source, Reader::Position::line) {}

  Reader& text() { return in_; }

  /// `LABEL INTEGER\n` with an integer of at least `least`.
  Integer integer_line(std::string_view label, const Integer& least);
  /// `LABEL COUNT\n` with a count of at least `least`.
  std::uint64_t count_line(std::string_view label, std::uint64_t least);
  /// `LABEL P Q\n`, a ratio P/Q in lowest terms, Q >= 1, of at least `least`.
  Rational ratio_line(std::string_view label, const Integer& least);
  /// An integer up to the next space or newline.
  Integer integer();
  Integer integer_from(const Integer& least);
  /// A count from 0 to 2^64 - 1.
  std::uint64_t count();
  /// An integer, or `-` for none.
  std::optional<Integer> optional_integer();

  /// `graph M E\n` and its edges.
  Graph graph();
  /// `embedding M D\n` and its rows; M must be `vertices`.
  Matrix embedding(std::size_t vertices);
  /// `rows` lines of `cols` integers.
  Matrix matrix(std::uint64_t rows, std::uint64_t cols);
  /// `heads H\n` and the heads.
  Channel channel(std::size_t d_model);
  /// `family NAME ARGS…\n`.
  Family family();
  /// `LABEL N\n` and N lines `u v w`, strictly increasing, on edges or on non-edges, w > 0.
  std::vector<Multiplier> multipliers(std::string_view label, const Graph& graph, bool on_edges);
  /// `u v` with both below `vertices`.
  Edge pair(std::uint64_t vertices);
  /// `end`, the hash of everything before, and the end of the file.
  void footer();

 private:
  Integer parsed(std::string_view word, std::size_t at);

  Reader in_;
};

}  // namespace qkcert
