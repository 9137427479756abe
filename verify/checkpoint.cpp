#include <algorithm>
#include <qkcert/core/decimal.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/version.hpp>
#include <qkcert/verify/checkpoint.hpp>
#include <qkcert/verify/claim_reader.hpp>
#include <qkcert/verify/sha256.hpp>

namespace qkcert {

namespace {

std::string line_of(const char* label, const std::optional<Extreme>& extreme) {
  if (!extreme) return std::string(label) + " -\n";
  return std::string(label) + " " + to_decimal(extreme->score) + " " +
         std::to_string(extreme->pair.source) + " " + std::to_string(extreme->pair.target) + "\n";
}

std::optional<Extreme> extreme_line(ClaimReader& in, const std::string& label) {
  in.text().expect(label + " ");
  const std::optional<Integer> score = in.optional_integer();
  std::optional<Extreme> extreme;
  if (score) {
    in.text().expect(" ");
    const std::uint64_t source = in.count();
    in.text().expect(" ");
    extreme = {*score, {source, in.count()}};
  }
  in.text().expect("\n");
  return extreme;
}

}  // namespace

std::string write_checkpoint(const ScanState& state, const std::string& certificate_sha256) {
  std::string bytes = "qkcert-checkpoint 1\nversion " + std::string(version()) + "\ncertificate " +
                      certificate_sha256 + "\nblocks " + std::to_string(state.done.size()) +
                      "\nsources " + state.blocks_sha256 + "\ndone ";
  for (const bool done : state.done) bytes += done ? '1' : '0';
  bytes += "\n" + line_of("least-edge", state.extremes.least_edge) +
           line_of("greatest-nonedge", state.extremes.greatest_nonedge) + "end\n";
  return bytes + "sha256 " + sha256(bytes) + "\n";
}

ScanState read_checkpoint(std::string_view bytes, const std::string& source,
                          const std::string& certificate_sha256) {
  ClaimReader in(bytes, source);
  in.text().expect("qkcert-checkpoint 1\nversion ");
  const std::string_view of_version = in.text().line();
  in.text().expect("certificate ");
  const std::string_view of_certificate = in.text().line();
  const std::uint64_t blocks = in.count_line("blocks", 0);
  in.text().expect("sources ");
  ScanState state{{}, {}, std::string(in.text().line())};
  in.text().expect("done ");
  for (const char c : in.text().take(blocks, "blocks")) {
    if (c != '0' && c != '1') in.text().fail("a block's 0 or 1");
    state.done.push_back(c == '1');
  }
  in.text().expect("\n");
  state.extremes.least_edge = extreme_line(in, "least-edge");
  state.extremes.greatest_nonedge = extreme_line(in, "greatest-nonedge");
  in.footer();
  const bool any = std::find(state.done.begin(), state.done.end(), true) != state.done.end();
  if (any && !state.extremes.least_edge && !state.extremes.greatest_nonedge)
    throw FormatError(source + ": a checkpoint with a block done and no score");
  if (state.blocks_sha256.empty()) throw FormatError(source + ": a checkpoint of no blocks");
  if (of_version != version())
    throw UsageError(source + ": a checkpoint of version " + std::string(of_version) +
                     ", this is " + std::string(version()));
  if (of_certificate != certificate_sha256)
    throw UsageError(source + ": a checkpoint of another certificate: sha256 " +
                     quoted(of_certificate) + ", this one's is " + certificate_sha256);
  return state;
}

}  // namespace qkcert
