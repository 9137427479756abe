#include <qkcert/core/errors.hpp>
#include <qkcert/core/version.hpp>
#include <qkcert/verify/checkpoint.hpp>
#include <qkcert/verify/sha256.hpp>

#include "support.hpp"

namespace qkcert {
namespace {

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
  for (const ScanState& state : {ScanState{{}, {}}, ScanState{{true, false, true}, {low, high}},
                                 ScanState{{false}, {{}, low}}, ScanState{{true}, {high, {}}}}) {
    const ScanState read = read_checkpoint(write_checkpoint(state, certificate), "c", certificate);
    CHECK(read.done == state.done);
    CHECK(same(read.extremes.least_edge, state.extremes.least_edge));
    CHECK(same(read.extremes.greatest_nonedge, state.extremes.greatest_nonedge));
  }
}

TEST_CASE("damaged and foreign checkpoints are refused") {
  const ScanState state{{true, false, true}, {Extreme{5, {0, 1}}, Extreme{-2, {1, 1}}}};
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
  CHECK_THROWS_WITH(read_checkpoint(bytes, "c", sha256("another")),
                    Catch::Contains("another certificate"));
  CHECK_THROWS_WITH(
      read_checkpoint(resealed(bytes, "version " + std::string(version()), "version 0.0.9"), "c",
                      certificate),
      Catch::Contains("version 0.0.9") && Catch::Contains(std::string(version())));
}

}  // namespace
}  // namespace qkcert
