#include <qkcert/core/errors.hpp>
#include <qkcert/core/version.hpp>
#include <qkcert/verify/checkpoint.hpp>
#include <qkcert/verify/sha256.hpp>

#include "support.hpp"

namespace qkcert {
namespace {

using namespace test;

const std::string certificate = sha256("a certificate");

std::string resealed(std::string bytes, const std::string& from, const std::string& to) {
  bytes.replace(bytes.find(from), from.size(), to);
  bytes.resize(bytes.rfind("sha256 "));
  return bytes + "sha256 " + sha256(bytes) + "\n";
}

bool same(const std::optional<Extreme>& a, const std::optional<Extreme>& b) {
  return a.has_value() == b.has_value() && (!a || (a->score == b->score && a->pair == b->pair));
}

TEST_CASE("a checkpoint is read as it was written") {
  const Extreme low{-(Integer(1) << 100), {3, 4}}, high{7, {0, 1}};
  const std::string blocks = sha256("blocks");
  for (const ScanState& state :
       {ScanState{{}, {}, blocks}, ScanState{{true, false, true}, {low, high}, blocks},
        ScanState{{false}, {{}, low}, blocks}, ScanState{{true}, {high, {}}, blocks},
        ScanState{{false, false}, {}, blocks}}) {
    const ScanState read = read_checkpoint(write_checkpoint(state, certificate), "c", certificate);
    CHECK(read.done == state.done);
    CHECK(read.blocks_sha256 == state.blocks_sha256);
    CHECK(same(read.extremes.least_edge, state.extremes.least_edge));
    CHECK(same(read.extremes.greatest_nonedge, state.extremes.greatest_nonedge));
  }
}

TEST_CASE("damaged and foreign checkpoints are refused") {
  const ScanState state{
      {true, false, true}, {Extreme{5, {0, 1}}, Extreme{-2, {1, 1}}}, sha256("b")};
  const std::string bytes = write_checkpoint(state, certificate);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    CAPTURE(i);
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    CHECK_THROWS_AS(read_checkpoint(damaged, "c", certificate), Error);
    CHECK_THROWS_AS(read_checkpoint(bytes.substr(0, i), "c", certificate), FormatError);
  }
  CHECK_THROWS_AS(read_checkpoint(bytes + "\n", "c", certificate), FormatError);
  CHECK_THROWS_AS(read_checkpoint(resealed(bytes, "done 101", "done 121"), "c", certificate),
                  FormatError);
  CHECK_THROWS_AS(read_checkpoint(resealed(bytes, "blocks 3", "blocks 4"), "c", certificate),
                  FormatError);
  CHECK_THROWS_AS(
      read_checkpoint(resealed(bytes, "blocks 3", "blocks 99999999999"), "c", certificate),
      FormatError);
  for (const ScanState& never :
       {ScanState{{false, true}, {}, sha256("b")}, ScanState{{true}, {Extreme{5, {0, 1}}, {}}, {}}})
    CHECK_THROWS_AS(read_checkpoint(write_checkpoint(never, certificate), "c", certificate),
                    FormatError);
  CHECK_THROWS_WITH(read_checkpoint(bytes, "c", sha256("another")),
                    Catch::Contains("another certificate"));
  CHECK_THROWS_WITH(
      read_checkpoint(resealed(bytes, "version " + std::string(version()), "version 0.0.9"), "c",
                      certificate),
      Catch::Contains("version 0.0.9") && Catch::Contains(std::string(version())));
}

TEST_CASE("a saved state is of the rows of its blocks") {
  const std::size_t m = 300;
  Matrix x(m, 1), moved(m, 1);
  for (std::size_t v = 0; v < m; ++v) {
    x.set(v, 0, static_cast<std::int64_t>(v + 2));
    moved.set(v, 0, v == 0 ? std::int64_t{1000} : static_cast<std::int64_t>(v + 2));
  }
  const Channel channel{{{identity(1), identity(1)}}};
  const Graph graph(m, {{0, 1}});
  ScanState saved;
  Execution execution{.threads = 1};
  execution.save = [&](const ScanState& state) {
    if (saved.done.empty()) saved = state;
  };
  const Extremes whole = score_extremes(graph, x, channel, execution);
  CHECK(saved.blocks_sha256.size() == 64);
  const auto resume = [&](const Matrix& rows, const ScanState& state) {
    return score_extremes(graph, rows, channel, {.threads = 1, .resume = &state});
  };
  const Extremes resumed = resume(x, saved);
  CHECK(same(resumed.least_edge, whole.least_edge));
  CHECK(same(resumed.greatest_nonedge, whole.greatest_nonedge));
  // As many blocks, of other rows: the score of the pair (299, 299) is the same, the order is not.
  ScanState other = saved;
  other.extremes.least_edge = {};
  CHECK_THROWS_WITH(resume(moved, other), Catch::Contains("blocks of other rows"));
  other.blocks_sha256 = sha256("");
  CHECK_THROWS_WITH(resume(x, other), Catch::Contains("blocks of other rows"));
}

}  // namespace
}  // namespace qkcert
