#pragma once
/// The folder of records: for each cell the certified channel of least D_K found so far.
///
///   records.json            the state (search/records_state.hpp)
///   CELL-dkD.qkc.gz         the certificate of the cell's record, of D_K = D
///   README.md               the table (reports/records_table.hpp)
///
/// A new certificate is written under a name of its own and checked as it stands in the file; then
/// the state is replaced; then the old certificate is removed. So whenever a process is killed, the
/// state names certificates that are there, and at most one more is left over.

#include <chrono>
#include <functional>
#include <qkcert/io/folder.hpp>
#include <qkcert/search/attempt.hpp>
#include <qkcert/search/record_cells.hpp>
#include <qkcert/search/records_state.hpp>

namespace qkcert {

struct RecordsOptions;

/// The search of a cell by certify() with all methods: the best verified attempt, if any.
std::optional<Attempt> search_cell(const Cell& cell, const CellInstance& instance,
                                   const RecordsOptions& options);

struct RecordsOptions {
  std::chrono::milliseconds budget{10'000};  ///< for each cell: its search starts nothing after it
  std::uint64_t seed = 1;
  std::size_t tries = 240;                  ///< splits and seeds that a D_K gets
  std::optional<std::size_t> below = {};    ///< only a smaller D_K is of use: the record's
  unsigned threads = 0;                     ///< 0: one per processor
  const std::atomic<bool>* stop = nullptr;  ///< set from outside: end the search now, keep its best
  std::string date;                         ///< of new records, YYYY-MM-DD
  std::function<void(const Attempt&)> on_finish = {};  ///< told after every attempt
  /// What proposes; nothing that it says is trusted.
  std::function<std::optional<Attempt>(const Cell&, const CellInstance&, const RecordsOptions&)>
      search = search_cell;
};

/// What became of a cell.
struct CellOutcome {
  std::string fault = {};  ///< what is wrong with the record's certificate; empty: nothing
  bool restored = false;   ///< a faulty certificate was constructed anew, byte for byte
  bool improved = false;   ///< there is a new record
  /// A smaller D_K that the search verified, but that its method, split and seed do not give again:
  /// it is not kept.
  std::optional<std::size_t> without_replay = {};
};

/// `CELL-dkD.qkc.gz`.
std::string certificate_name(const Cell& cell, const Record& record);

/// What the record's construction is asked for, as options of `qkcert construct`, given in the folder
/// of the records. It prints the hash of the certificate, the record's.
std::string replay_options(const Cell& cell, const Record& record);

/// The state of the folder; empty when there is no records.json. Errors: FileError, FormatError.
RecordsState load_records(const std::string& folder);

/// What is wrong with the record's certificate, decided anew from its file: that it can be read, is
/// canonical, of the recorded hash, D_K and widths, speaks of the cell's graph and embedding with no
/// |weight| above A, and holds. Empty: nothing.
std::string record_fault(const Cell& cell, const CellInstance& instance, const Record& record,
                         const std::string& folder, unsigned threads = 0);

/// Everything that is wrong with the folder, one line each: faults of records, and certificates that
/// no record names; with `and_replay` also records whose construction now gives another certificate.
/// `on_cell` is told the name of each cell before its turn.
std::vector<std::string> check_records(const std::string& folder, const RecordsState& state,
                                       bool and_replay = false, unsigned threads = 0,
                                       const std::function<void(const std::string&)>& on_cell = {});

/// A folder that this process may change.
class RecordsFolder {
 public:
  /// Creates the folder if it is missing, locks it and loads the state.
  /// Errors: FileError, FormatError.
  explicit RecordsFolder(std::string path);

  const RecordsState& state() const { return state_; }

  /// Searches for a smaller D_K than the cell's record and keeps one that is verified.
  ///
  /// Ensure   a record is replaced only by one of strictly smaller D_K whose certificate, constructed
  ///          again from what the record says and read back from its file, holds. The certificate of
  ///          a record is checked first; a faulty one is reported, and only put back by its own
  ///          bytes. The cell is part of the state afterwards, with or without a record.
  /// Errors   FileError and those of load_cell().
  CellOutcome improve(const Cell& cell, const RecordsOptions& options);

  /// Removes the certificates of known cells that no record names, which a killed process may leave.
  void tidy() const;

 private:
  void store(const Cell& cell, const CellInstance& instance, Record record,
             const std::string& certificate, unsigned threads);

  std::string path_;
  FolderLock lock_;
  RecordsState state_;
};

}  // namespace qkcert
