#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <qkcert/core/errors.hpp>
#include <qkcert/core/version.hpp>
#include <qkcert/io/gzip.hpp>
#include <qkcert/search/records.hpp>
#include <qkcert/verify/certificate.hpp>
#include <qkcert/verify/check.hpp>
#include <qkcert/verify/sha256.hpp>
#include <thread>

#include "folder.hpp"
#include "support.hpp"

namespace qkcert::test {
namespace {

using namespace std::chrono_literals;

const Cell cell = find_cell("permutation-m16-d8-a127");
const RecordsOptions options{.budget = 300s, .date = "2026-01-31"};

/// A record of the cell with this split whose certificate is in the folder, made by other means than
/// RecordsFolder.
Record put_record(const std::string& folder, Architecture split,
                  const std::function<void(RecoveryClaim&)>& change = {}) {
  const CellInstance instance = load_cell(cell, folder);
  const Request request{.graph = instance.graph,
                        .embedding = instance.embedding,
                        .heads = split.heads,
                        .head_dim = split.head_dim};
  RecoveryClaim claim = attempt(find_method("fit"), request, true).claim.value();
  if (change) change(claim);
  const std::string bytes = write_certificate(claim);
  const Record record{"fit", split, 1, 1, "0.0.9", "2025-12-31", sha256(bytes)};
  write_file(folder + "/" + certificate_name(cell, record), gzip(bytes));
  write_file(folder + "/records.json", format_records({{cell.name, {record}}}));
  return record;
}

std::string fault(const std::string& folder, const Record& record) {
  return record_fault(cell, load_cell(cell, folder), record, folder);
}

}  // namespace

TEST_CASE("a first record is found, certified and kept", "[records]") {
  const Folder folder;
  const std::string path = folder / "new";
  Record record;
  {
    RecordsFolder records(path);
    CHECK(records.state().empty());
    const CellOutcome outcome = records.improve(cell, options);
    CHECK(outcome.improved);
    CHECK(outcome.fault.empty());
    const CellHistory& history = records.state().at(cell.name);
    REQUIRE(history.size() == 1);
    record = history.back();
    CHECK_FALSE(records.improve(cell, options).improved);  // nothing smaller: it stays
    CHECK(records.state().at(cell.name) == CellHistory{record});
  }
  CHECK(record.key_dimension() <= 4);
  CHECK((record.version == version() && record.date == "2026-01-31"));
  CHECK(load_records(path) == RecordsState{{cell.name, {record}}});
  CHECK(fault(path, record).empty());
  CHECK(check_records(path, load_records(path)).empty());
  CHECK(list_folder(path) ==
        std::vector<std::string>{certificate_name(cell, record), "records.json"});
  const std::string bytes = read_packed_file(path + "/" + certificate_name(cell, record));
  CHECK(sha256(bytes) == record.sha256);
  CHECK(check(read_certificate(bytes, "x")).holds);
}

TEST_CASE("a better record replaces one and keeps it in the history", "[records]") {
  const Folder folder;
  const Record old = put_record(folder.path(), {2, 4});
  RecordsFolder records(folder.path());
  CHECK(records.improve(cell, options).improved);
  const CellHistory& history = records.state().at(cell.name);
  REQUIRE(history.size() == 2);
  CHECK(history[0] == old);
  CHECK(history[1].key_dimension() < 8);
  CHECK(list_folder(folder.path()) ==
        std::vector<std::string>{certificate_name(cell, history[1]), "records.json"});
  CHECK(check_records(folder.path(), records.state()).empty());
}

TEST_CASE("a search that finds nothing changes nothing", "[records]") {
  const Folder folder;
  RecordsOptions none = options;
  none.budget = 0ms;
  const std::atomic<bool> stopped{true};
  RecordsOptions stop = options;
  stop.stop = &stopped;
  {
    RecordsFolder records(folder.path());
    CHECK_FALSE(records.improve(cell, none).improved);
    CHECK(load_records(folder.path()) == RecordsState{{cell.name, {}}});
  }
  const Record record = put_record(folder.path(), {2, 4});
  const std::string state = read_file(folder / "records.json");
  RecordsFolder records(folder.path());
  for (const RecordsOptions& each : {none, stop}) {
    const CellOutcome outcome = records.improve(cell, each);
    CHECK_FALSE((outcome.improved || outcome.restored || !outcome.fault.empty()));
  }
  CHECK(read_file(folder / "records.json") == state);
  CHECK(fault(folder.path(), record).empty());
}

TEST_CASE("what the search says is not trusted", "[records]") {
  const Folder folder;
  const CellInstance instance = load_cell(cell, folder.path());
  const Request request{
      .graph = instance.graph, .embedding = instance.embedding, .heads = 1, .head_dim = 4};
  const Attempt good = attempt(find_method("fit"), request, true);
  REQUIRE(good.claim);
  RecordsFolder records(folder.path());
  const auto improve = [&](const Attempt& found) {
    RecordsOptions lying = options;
    lying.search = [&](const auto&, const auto&, const auto&) { return found; };
    return records.improve(cell, lying);
  };
  const auto nothing_kept = [&](const Attempt& found) {
    const CellOutcome outcome = improve(found);
    CHECK_FALSE(outcome.improved);
    CHECK(records.state().at(cell.name).empty());
    CHECK(list_folder(folder.path()) == std::vector<std::string>{"records.json"});
    return outcome.without_replay;
  };
  Attempt smaller = good, other = good, none = good;
  smaller.architecture = {1, 1};
  CHECK(nothing_kept(smaller) == 1);
  other.method = "onehot-code";  // which refuses this embedding
  CHECK(nothing_kept(other) == 4);
  none.claim.reset();
  CHECK(nothing_kept(none) == std::nullopt);
  CHECK(improve(good).improved);
  for (const Architecture split : {Architecture{1, 4}, Architecture{2, 2}, Architecture{1, 9}}) {
    Attempt again = good;
    again.architecture = split;
    CHECK_FALSE(improve(again).improved);  // no smaller D_K
  }
  CHECK(records.state().at(cell.name).size() == 1);
}

TEST_CASE("an uneven split is replayed", "[records]") {
  const Folder folder;
  const CellInstance instance = load_cell(cell, folder.path());
  const Request request{
      .graph = instance.graph, .embedding = instance.embedding, .heads = 2, .key_dimension = 7};
  const Attempt uneven = attempt(find_method("fit"), request, true);
  REQUIRE(uneven.claim);
  CHECK(uneven.architecture == Architecture{2, 3, 1});
  RecordsFolder records(folder.path());
  RecordsOptions given = options;
  given.search = [&](const auto&, const auto&, const auto&) { return uneven; };
  CHECK(records.improve(cell, given).improved);
  const Record& record = records.state().at(cell.name).back();
  CHECK(record.sha256 == sha256(write_certificate(*uneven.claim)));
  CHECK(check_records(folder.path(), records.state(), true).empty());
  CHECK(replay_options(cell, record) ==
        "--family permutation --vertices 16 --gaussian 8 --method fit --heads 2 --key-dimension 7 "
        "--seed 1 --weight-max 127 --budget 1000000");
}

TEST_CASE("a faulty certificate is reported and restored by its own bytes", "[records]") {
  const Folder folder;
  const Record record = put_record(folder.path(), {2, 4});
  const std::string path = folder / certificate_name(cell, record);
  const std::string packed = read_file(path), bytes = gunzip(packed, "x");
  RecordsOptions none = options;
  none.budget = 0ms;
  RecordsFolder records(folder.path());
  for (const std::string& stored :
       {packed.substr(1), packed.substr(0, 50), bytes, gzip(bytes + "\n"), std::string()}) {
    write_file(path, stored);
    CHECK_THAT(fault(folder.path(), record), Catch::StartsWith(path + ": "));
    CHECK(check_records(folder.path(), records.state()).size() == 1);
    const CellOutcome outcome = records.improve(cell, none);
    CHECK_FALSE(outcome.fault.empty());
    CHECK(outcome.restored);
    CHECK(read_file(path) == packed);
  }
  remove_file(path);
  CHECK_THAT(fault(folder.path(), record), Catch::Contains("No such file"));
  CHECK(records.improve(cell, none).restored);
  CHECK(records.state().at(cell.name) == CellHistory{record});
}

TEST_CASE("a faulty record that nothing restores still has to be beaten", "[records]") {
  const Folder folder;
  Record record = put_record(folder.path(), {2, 4});
  // A claim of D_K 1 whose certificate is not there: no search finds a smaller one.
  record.architecture = {1, 1};
  write_file(folder / "records.json", format_records({{cell.name, {record}}}));
  RecordsFolder records(folder.path());
  const CellOutcome outcome = records.improve(cell, options);
  CHECK_FALSE(outcome.fault.empty());
  CHECK_FALSE(outcome.restored);
  CHECK_FALSE(outcome.improved);
  CHECK(records.state().at(cell.name) == CellHistory{record});
  CHECK(load_records(folder.path()) == records.state());
}

TEST_CASE("a certificate of something else is a fault", "[records]") {
  const Folder folder;
  const auto fault_when = [&](const std::function<void(RecoveryClaim&)>& change) {
    return fault(folder.path(), put_record(folder.path(), {2, 4}, change));
  };
  CHECK(fault_when({}).empty());
  CHECK_THAT(fault_when([](RecoveryClaim& claim) { claim.threshold = *claim.least_edge; }),
             Catch::Contains("scores"));
  CHECK_THAT(fault_when([](RecoveryClaim& claim) {
               claim.graph = Graph(16, {{0, 1}});
             }),
             Catch::Contains("another graph"));
  CHECK_THAT(fault_when([](RecoveryClaim& claim) { claim.embedding.set(15, 7, 1); }),
             Catch::Contains("another embedding"));
  CHECK_THAT(fault_when([](RecoveryClaim& claim) { claim.channel.heads[1].key.set(7, 3, 128); }),
             Catch::Contains("a |weight| exceeds 127"));
  CHECK_THAT(fault_when([](RecoveryClaim& claim) { claim.channel.heads.pop_back(); }),
             Catch::Contains("heads are not those"));
  CHECK_THAT(fault_when([](RecoveryClaim& claim) {
               std::swap(claim.channel.heads[1], claim.channel.heads[0]);
               claim.channel.heads[1].query = claim.channel.heads[1].key = Matrix(8, 5);
             }),
             Catch::Contains("heads are not those"));
  Record record = put_record(folder.path(), {2, 4});
  record.sha256[0] = record.sha256[0] == '0' ? '1' : '0';
  CHECK_THAT(fault(folder.path(), record), Catch::Contains("expected the sha256 "));
}

TEST_CASE("kill -9 at any time leaves every record its certificate", "[records]") {
  const CellInstance instance = load_cell(cell, "");
  std::vector<Attempt> falling;
  for (std::size_t width = 12; width > 5; --width)
    falling.push_back(attempt(find_method("fit"),
                              {.graph = instance.graph,
                               .embedding = instance.embedding,
                               .heads = 1,
                               .head_dim = width,
                               .threads = 1},
                              true));
  std::size_t cut = 0;
  repeat(30, [&](Random& random) {
    const Folder folder;
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      try {
        RecordsFolder records(folder.path());
        RecordsOptions one = options;
        one.threads = 1;
        for (const Attempt& next : falling) {
          one.search = [&](const auto&, const auto&, const auto&) { return next; };
          records.improve(cell, one);
        }
      } catch (...) {
        ::_exit(1);
      }
      ::_exit(0);
    }
    std::this_thread::sleep_for(std::chrono::microseconds(random.below(60000)));
    ::kill(child, SIGKILL);
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK((WIFSIGNALED(status) || WEXITSTATUS(status) == 0));
    const RecordsState state = load_records(folder.path());
    for (const auto& [name, history] : state) {
      cut += history.size() < falling.size() ? 1 : 0;
      if (!history.empty()) CHECK(fault(folder.path(), history.back()).empty());
      for (std::size_t i = 0; i < history.size(); ++i)
        CHECK(history[i].architecture == falling[i].architecture);
    }
    RecordsFolder records(folder.path());
    records.tidy();
    CHECK(check_records(folder.path(), records.state()).empty());
  });
  CHECK(cut > 0);
}

TEST_CASE("what a killed process leaves is found and removed", "[records]") {
  const Folder folder;
  const Record record = put_record(folder.path(), {2, 4});
  const std::string kept = certificate_name(cell, record);
  const std::vector<std::string> strays = {cell.name + "-dk3.qkc.gz", cell.name + "-dk12.qkc.gz"};
  for (const std::string& name : strays) write_file(folder / name, "");
  write_file(folder / "mine.qkc", "");
  CHECK(check_records(folder.path(), load_records(folder.path())).size() == 2);
  RecordsFolder records(folder.path());
  records.tidy();
  CHECK(list_folder(folder.path()) == std::vector<std::string>{"mine.qkc", kept, "records.json"});
  CHECK(check_records(folder.path(), records.state()).empty());
}

TEST_CASE("a folder that cannot be used is refused at once", "[records]") {
  const Folder folder;
  write_file(folder / "x", "");
  CHECK_THROWS_AS(RecordsFolder(folder / "x"), FileError);
  CHECK_THROWS_AS(RecordsFolder("/proc/qkcert"), FileError);
  std::filesystem::create_directories(folder / "bad/records.json");
  CHECK_THROWS_AS(RecordsFolder(folder / "bad"), FileError);
  std::filesystem::create_directories(folder / "worse");
  write_file(folder / "worse/records.json", "{}");
  CHECK_THROWS_AS(RecordsFolder(folder / "worse"), FormatError);
  const RecordsFolder held(folder.path());
  CHECK_THROWS_AS(RecordsFolder(folder.path()), FileError);
}

}  // namespace qkcert::test
