#pragma once
/// TOML files as checked values: every mistake is an error with its file, line and column.
///
///   const Toml file = parse_toml(read_file(path), path);
///   const std::uint64_t m = file.at("vertices").count(1);      // must be there
///   const auto seed = file.find("seed");                       // may be there
///   const std::uint64_t s = seed ? seed->count() : 1;
///   file.finish();                                             // nothing else is there
///
/// The first mistake that is come across is thrown; who wants all of them reads each table in a try
/// of its own. Lines and columns count from 1, a column is one Unicode code point.

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/integer.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace qkcert {

/// Where something stands in a file.
struct Place {
  std::size_t line = 1, column = 1;
  friend bool operator==(const Place&, const Place&) = default;
};

/// `source:line:column: reason`.
struct PlacedError : FormatError {
  PlacedError(const std::string& source, Place at, std::string why);
  Place place;
  std::string reason;
};

/// One value of a file, and where it stands. Copies are cheap and share the file. Not for several
/// threads at once: a table remembers which of its keys were asked for.
class Toml {
 public:
  enum class Kind { text, integer, real, flag, time, list, table };

  Kind kind() const;
  /// The key that the value has in its table; empty for the whole file and members of lists.
  const std::string& key() const;
  /// Where the value begins; of a table `[x]` or `[[x]]` that is its header.
  Place place() const;
  const std::string& source() const;

  // ---- scalars: PlacedError `expected …, found …` for a value of another kind or range ----

  const std::string& text() const;
  bool flag() const;
  /// An integer from `least` to `most`.
  std::uint64_t count(std::uint64_t least = 0,
                      std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) const;
  /// An integer or, beyond 64 bits, a string of its decimal digits.
  Integer integer() const;
  /// A number >= 0, exactly as it is spelled: an integer, a decimal such as 0.25, or a string of
  /// one of them or of a fraction such as "1/3".
  Rational ratio() const;
  /// A string that is one of `names`; the error names the nearest.
  const std::string& one_of(std::span<const std::string_view> names) const;

  // ---- lists and tables ----

  std::vector<Toml> list() const;
  /// A list of tables, such as all `[[x]]`.
  std::vector<Toml> tables() const;
  /// The value of `key`. A key that is missing is an error at the table, or at a key there that
  /// seems to be misspelt.
  Toml at(std::string_view key) const;
  std::optional<Toml> find(std::string_view key) const;
  /// Throws for the first key, in the file's order, that neither at() nor find() was asked for,
  /// with the nearest of those that were. Tables inside are for their own readers to finish.
  void finish() const;

  /// The value as JSON on one line, keys sorted and integers and decimals as they are spelled: the
  /// same for values that differ only in places, comments and the order of keys.
  std::string canonical() const;

  /// Throws PlacedError `expected …, found …` at this value.
  [[noreturn]] void fail(std::string_view expected) const;
  [[noreturn]] void fail(std::string_view expected, std::string_view found) const;

 private:
  struct Node;
  friend Toml parse_toml(std::string_view bytes, const std::string& source);
  friend struct TomlReader;
  Toml(std::shared_ptr<const Node> node, std::shared_ptr<const std::string> source)
      : node_(std::move(node)), source_(std::move(source)) {}
  Toml inner(const std::shared_ptr<const Node>& node) const { return {node, source_}; }

  std::shared_ptr<const Node> node_;
  std::shared_ptr<const std::string> source_;
};

/// The table that `bytes` spell in TOML 1.0.
///
/// Errors  PlacedError for what is no TOML, keys that stand twice and integers beyond 64 bits
///         (write those as strings) included.
Toml parse_toml(std::string_view bytes, const std::string& source);

}  // namespace qkcert
