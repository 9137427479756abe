#pragma once
/// Tables for papers: a grid of parameters with bounds and certified channels (docs/tables.md).
///
///   const std::vector<TableFile> files = render_table("tables/permutations.toml");
///   // permutations.tex, .md, .csv, .json, .bib, and the certificates that were constructed

#include <atomic>
#include <functional>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/integer.hpp>
#include <qkcert/reports/table_spec.hpp>
#include <string>
#include <vector>

namespace qkcert {

struct TableOptions {
  unsigned threads = 0;                     ///< 0: one per processor; changes no byte
  const std::atomic<bool>* stop = nullptr;  ///< set from outside: end with an Error
  /// Whether channels may be constructed: not when there is no place for their certificates.
  bool construct = true;
  /// Told before each point how many of how many are done, and which is next.
  std::function<void(std::size_t done, std::size_t total, const std::string& point)> on_point = {};
  /// Told before the work what files render_table() is about to read, the spec first.
  std::function<void(std::vector<std::string>)> on_inputs = {};
};

/// A certificate that may not stand in the table, or a bound that fails its check.
struct TableRefusal : Error {
  using Error::Error;
};

/// One of the files that a table consists of. `name` is relative to the table's folder.
struct TableFile {
  std::string name;
  std::string bytes;
};

/// What stands in one place of the table.
struct TableEntry {
  std::optional<Rational> value = {};        ///< exact; an integer unless the quantity is `ratio`
  std::string quantity;                      ///< `graphs`, `D_K`, `heads`, `rank` or `ratio`
  std::string method = {};                   ///< the bound or the construction
  std::string reason = {};                   ///< why there is no value
  bool random = false;                       ///< a bound but for failure bits
  std::vector<std::string> references = {};  ///< BibTeX keys
  /// Of a certified channel.
  std::string claim = {}, certificate = {}, sha256 = {};
};

/// A column of entries, one for each point of the grid.
struct TableQuantity {
  enum class Kind { class_size, lower, upper, ratio };
  Kind kind;
  std::string name;          ///< the bound's, or the name given to the channels
  std::string weights = {};  ///< of a bound: those that it speaks of
  std::string decoder = {};  ///< of a bound
  std::string method = {};   ///< that of all entries with a value; empty when they differ
};

struct TablePoint {
  std::vector<std::size_t> values;  ///< the index of its value on each axis of the grid
  std::vector<TableEntry> entries;  ///< one for each quantity
};

struct Table {
  TableSpec spec;
  std::vector<TableQuantity> quantities;
  std::vector<TablePoint> points;            ///< the last axis runs fastest
  std::vector<TableFile> certificates = {};  ///< those that were constructed
};

/// Computes every entry of the table.
///
/// Require  `folder` is where relative paths of the spec begin, `name` the folder of constructed
///          certificates beside the table.
/// Ensure   every bound has passed check(); every certificate is canonical, speaks of the point's
///          family, d_model and weights, and has passed check(). The same spec and files give the
///          same table, for any number of threads.
/// Errors   UsageError, FileError and FormatError; TableRefusal; Error when stopped. Those of a
///          point begin with it.
Table compute_table(const TableSpec& spec, const std::string& folder, const std::string& name,
                    const TableOptions& options = {});

/// The files of the spec at `path` (`-`: standard input), named after it: NAME.tex, NAME.md,
/// NAME.csv, NAME.json, NAME.bib, then the constructed certificates, NAME/….qkc. Nothing is written
/// or printed. Errors: those of read_table_spec() and compute_table(); UsageError for a name that
/// LaTeX cannot take.
std::vector<TableFile> render_table(const std::string& path, const TableOptions& options = {});

/// The files that render_table(path) reads, so far as they are there, the spec first.
/// Errors: those of read_table_spec(); FileError and FormatError of folders and records.
std::vector<std::string> table_inputs(const std::string& path);

}  // namespace qkcert
