#pragma once
/// Certificates as they are found in files, each decided again.

#include <optional>
#include <qkcert/core/parallel.hpp>
#include <qkcert/reports/report.hpp>
#include <span>
#include <string>
#include <vector>

namespace qkcert {

struct Surveyed {
  std::string path;
  std::optional<std::string> sha256;  ///< of the certificate, uncompressed; absent: not even read
  std::optional<Claim> claim;         ///< absent: not a canonical certificate
  bool holds = false;
  std::string text;  ///< the claim restated, or why it is refused

  /// The same for text and JSON.
  Report report() const;
};

/// The graph, embedding, channel and threshold of a claim that has a channel.
struct ChannelView {
  const Graph& graph;
  const Matrix& embedding;
  const Channel& channel;
  const Integer& threshold;
};
std::optional<ChannelView> channel_of(const Claim& claim);

/// Whether the name ends in `.qkc` or `.qkc.gz`.
bool is_certificate_name(const std::string& name);

/// `paths` with every folder replaced by its certificates, in the order of their names; those of its
/// folders are not looked for. Errors: FileError for what is not there; UsageError when a folder has no
/// certificate.
std::vector<std::string> certificate_paths(const std::vector<std::string>& paths);

/// Reads and decides the certificate at `path`. Whatever is wrong with it makes it refused.
Surveyed survey(const std::string& path, unsigned threads, const Progress& progress = {});

/// The certificate of least D_K among those that hold whose channel is of this d_model with no |weight| above
/// `weight_max`, and whose graph is in the family; the first of equals.
const Surveyed* least_certified(std::span<const Surveyed> list, const Family& family,
                                const Integer& d_model, const Integer& weight_max);

}  // namespace qkcert
