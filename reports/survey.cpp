#include <algorithm>
#include <filesystem>
#include <new>
#include <qkcert/core/errors.hpp>
#include <qkcert/io/folder.hpp>
#include <qkcert/io/gzip.hpp>
#include <qkcert/reports/survey.hpp>
#include <qkcert/verify/certificate.hpp>
#include <qkcert/verify/check.hpp>
#include <qkcert/verify/sha256.hpp>

namespace qkcert {

Report Surveyed::report() const {
  using Status = Report::Status;
  Report result{.status = holds    ? Status::holds
                          : sha256 ? Status::does_not_hold
                                   : Status::unreadable,
                .claim = claim,
                .certificate = path,
                .sha256 = sha256};
  if (!holds) result.reason = text;
  return result;
}

std::optional<ChannelView> channel_of(const Claim& claim) {
  return std::visit(
      [](const auto& each) -> std::optional<ChannelView> {
        if constexpr (requires { each.channel; })
          return ChannelView{each.graph, each.embedding, each.channel, each.threshold};
        else
          return std::nullopt;
      },
      claim);
}

bool is_certificate_name(const std::string& name) {
  return name.ends_with(".qkc") || name.ends_with(".qkc.gz");
}

std::vector<std::string> certificate_paths(const std::vector<std::string>& paths) {
  std::vector<std::string> found;
  for (const std::string& path : paths) {
    std::error_code error;
    if (!std::filesystem::is_directory(path, error)) {
      if (!file_exists(path)) throw FileError(path + ": No such file or directory");
      found.push_back(path);
      continue;
    }
    const std::size_t before = found.size();
    for (const std::string& name : list_folder(path))
      if (is_certificate_name(name))
        found.push_back(path + (path.ends_with('/') ? "" : "/") + name);
    if (found.size() == before)
      throw UsageError(path + ": expected certificates (.qkc, .qkc.gz), found none");
  }
  return found;
}

Surveyed survey(const std::string& path, unsigned threads, const Progress& progress) {
  Surveyed result{path, {}, {}, false, {}};
  try {
    const std::string bytes = read_packed_file(path);
    result.sha256 = sha256(bytes);
    result.claim = read_certificate(bytes, path);
    const Verdict verdict = check(*result.claim, threads, progress);
    result.holds = verdict.holds;
    result.text = verdict.text;
  } catch (const Error& error) {
    result.text = error.what();
  } catch (const std::bad_alloc&) {
    result.text = path + ": cannot be decided: out of memory";
  }
  // A file's name may hold a newline.
  std::replace(result.text.begin(), result.text.end(), '\n', ' ');
  return result;
}

const Surveyed* least_certified(std::span<const Surveyed> list, const Family& family,
                                const Integer& d_model, const Integer& weight_max) {
  const Surveyed* best = nullptr;
  std::size_t least = 0;
  for (const Surveyed& each : list) {
    const auto view = each.holds ? channel_of(*each.claim) : std::nullopt;
    if (!view || view->graph.vertices() != family.vertices() ||
        Integer(view->embedding.cols()) != d_model || view->channel.weight_max() > weight_max)
      continue;
    const std::size_t key_dimension = view->channel.key_dimension();
    if ((best && key_dimension >= least) || !family.contains(view->graph)) continue;
    best = &each;
    least = key_dimension;
  }
  return best;
}

}  // namespace qkcert
