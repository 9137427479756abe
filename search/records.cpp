#include <algorithm>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/version.hpp>
#include <qkcert/io/gzip.hpp>
#include <qkcert/search/certify.hpp>
#include <qkcert/search/records.hpp>
#include <qkcert/verify/certificate.hpp>
#include <qkcert/verify/check.hpp>
#include <qkcert/verify/sha256.hpp>
#include <set>

namespace qkcert {

namespace {

constexpr const char* certificate_ending = ".qkc.gz";

std::string state_path(const std::string& folder) { return folder + "/records.json"; }

/// The certificate that the record's construction gives when no time limit cuts it, if it verifies.
std::optional<std::string> replay(const Cell& cell, const CellInstance& instance,
                                  const Record& record, unsigned threads) {
  const Method& method = find_method(record.method);
  const Architecture& planned = record.architecture;
  const Request request = with_architecture(method,
                                            {.graph = instance.graph,
                                             .embedding = instance.embedding,
                                             .weight_max = cell.weight_max,
                                             .seed = record.seed,
                                             .threads = threads,
                                             .patience = record.patience},
                                            planned);
  const Attempt again = attempt(method, request, true);
  if (!again.claim || again.architecture != planned) return std::nullopt;
  return write_certificate(*again.claim);
}

/// The same, with nothing for a construction that refuses the instance.
std::optional<std::string> try_replay(const Cell& cell, const CellInstance& instance,
                                      const Record& record, unsigned threads) {
  try {
    return replay(cell, instance, record, threads);
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// The record's certificate, constructed again; nothing when other bytes come out.
std::optional<std::string> replay_exactly(const Cell& cell, const CellInstance& instance,
                                          const Record& record, unsigned threads) {
  auto again = try_replay(cell, instance, record, threads);
  if (again && sha256(*again) != record.sha256) again.reset();
  return again;
}

/// Why `bytes` are not the record's certificate; empty when they are.
std::string fault_of(const std::string& bytes, const std::string& path, const Cell& cell,
                     const CellInstance& instance, const Record& record, unsigned threads) {
  if (const std::string found = sha256(bytes); found != record.sha256)
    return "expected the sha256 " + record.sha256 + ", found " + found;
  const Claim claim = read_certificate(bytes, path);
  const auto* recovery = std::get_if<RecoveryClaim>(&claim);
  if (recovery == nullptr) return "expected a recovery, found " + std::string(claim_name(claim));
  if (recovery->graph != instance.graph) return "it speaks of another graph than the cell's";
  if (recovery->embedding != instance.embedding.rows)
    return "it speaks of another embedding than the cell's";
  const std::vector<Head>& heads = recovery->channel.heads;
  bool planned = heads.size() == record.architecture.heads;
  for (std::size_t k = 0; planned && k < heads.size(); ++k)
    planned = heads[k].width() == record.architecture.width(k);
  if (!planned) return "its heads are not those of the record";
  if (recovery->channel.weight_max() > cell.weight_max)
    return "a |weight| exceeds " + std::to_string(cell.weight_max);
  const Verdict verdict = check(claim, threads);
  return verdict.holds ? "" : verdict.text;
}

}  // namespace

std::optional<Attempt> search_cell(const Cell& cell, const CellInstance& instance,
                                   const RecordsOptions& options) {
  return certify(instance.graph, instance.embedding,
                 {.weight_max = cell.weight_max,
                  .seed = options.seed,
                  .threads = options.threads,
                  .budget = options.budget,
                  .stop = options.stop,
                  .effort = Splits::many,
                  .tries = options.tries,
                  .below = options.below,
                  .on_finish = options.on_finish})
      .best;
}

std::string certificate_name(const Cell& cell, const Record& record) {
  return cell.name + "-dk" + std::to_string(record.key_dimension()) + certificate_ending;
}

std::string replay_options(const Cell& cell, const Record& record) {
  const Method& method = find_method(record.method);
  const Architecture& planned = record.architecture;
  std::string text = cell.options() + " --method " + record.method;
  if (method.takes_heads) text += " --heads " + std::to_string(planned.heads);
  if (planned.wider > 0)
    text += " --key-dimension " + std::to_string(planned.key_dimension());
  else if (method.takes_head_dim)
    text += " --head-dim " + std::to_string(planned.head_dim);
  if (record.patience > 1) text += " --patience " + std::to_string(record.patience);
  return text + " --seed " + std::to_string(record.seed) + " --weight-max " +
         std::to_string(cell.weight_max) + " --budget 1000000";
}

RecordsState load_records(const std::string& folder) {
  const std::vector<std::string> names = list_folder(folder);
  if (std::find(names.begin(), names.end(), "records.json") == names.end()) return {};
  return parse_records(read_file(state_path(folder)), state_path(folder));
}

std::string record_fault(const Cell& cell, const CellInstance& instance, const Record& record,
                         const std::string& folder, unsigned threads) {
  const std::string path = folder + "/" + certificate_name(cell, record);
  try {
    const std::string fault =
        fault_of(gunzip(read_file(path), path), path, cell, instance, record, threads);
    return fault.empty() ? fault : path + ": " + fault;
  } catch (const Error& error) {  // FileError, FormatError: the path is in the message
    return error.what();
  }
}

std::vector<std::string> check_records(const std::string& folder, const RecordsState& state,
                                       bool and_replay, unsigned threads,
                                       const std::function<void(const std::string&)>& on_cell) {
  std::vector<std::string> faults;
  std::set<std::string> named;
  for (const auto& [name, history] : state) {
    if (history.empty()) continue;
    if (on_cell) on_cell(name);
    const Cell cell = find_cell(name);
    const CellInstance instance = load_cell(cell, folder);
    const Record& record = history.back();
    named.insert(certificate_name(cell, record));
    if (std::string fault = record_fault(cell, instance, record, folder, threads); !fault.empty())
      faults.push_back(std::move(fault));
    if (and_replay && !replay_exactly(cell, instance, record, threads))
      faults.push_back(name + ": the replay does not give its certificate");
  }
  for (const std::string& name : list_folder(folder))
    if (name.ends_with(certificate_ending) && !named.contains(name))
      faults.push_back(folder + "/" + name + ": no record names it");
  return faults;
}

RecordsFolder::RecordsFolder(std::string path)
    : path_(std::move(path)), lock_(path_), state_(load_records(path_)) {
  require_writable(state_path(path_));
  if (!state_.empty()) return;
  for (const std::string& file : list_folder(path_))
    if (file.ends_with(certificate_ending))
      throw FormatError(state_path(path_) +
                        ": expected the state of the folder's certificates, of " + file +
                        " and maybe others; it is missing or empty");
}

CellOutcome RecordsFolder::improve(const Cell& cell, const RecordsOptions& options) {
  const CellInstance instance = load_cell(cell, path_);
  if (state_.try_emplace(cell.name).second) write_file(state_path(path_), format_records(state_));
  const CellHistory history = state_[cell.name];
  CellOutcome outcome;
  if (!history.empty()) {
    const Record& record = history.back();
    outcome.fault = record_fault(cell, instance, record, path_, options.threads);
    if (!outcome.fault.empty()) {
      const auto again = replay_exactly(cell, instance, record, options.threads);
      outcome.restored = again.has_value();
      if (again) write_file(path_ + "/" + certificate_name(cell, record), gzip(*again));
    }
  }
  RecordsOptions asked = options;
  if (!history.empty()) asked.below = history.back().key_dimension();
  const std::optional<Attempt> found = options.search(cell, instance, asked);
  if (!found || !found->claim) return outcome;
  Record record{found->method,          found->architecture, found->seed, found->patience,
                std::string(version()), options.date,        ""};
  if (!history.empty() && record.key_dimension() >= history.back().key_dimension()) return outcome;
  // The search may have been cut by its budget, but what the record says gives its certificate.
  const auto certificate = try_replay(cell, instance, record, options.threads);
  if (!certificate) {
    outcome.without_replay = record.key_dimension();
    return outcome;
  }
  record.sha256 = sha256(*certificate);
  store(cell, instance, std::move(record), *certificate, options.threads);
  outcome.improved = true;
  return outcome;
}

void RecordsFolder::store(const Cell& cell, const CellInstance& instance, Record record,
                          const std::string& certificate, unsigned threads) {
  write_file(path_ + "/" + certificate_name(cell, record), gzip(certificate));
  if (const std::string fault = record_fault(cell, instance, record, path_, threads);
      !fault.empty())
    throw Error("the new certificate does not pass its check: " + fault);
  RecordsState next = state_;
  next[cell.name].push_back(std::move(record));
  write_file(state_path(path_), format_records(next));
  state_ = std::move(next);
  tidy();
}

void RecordsFolder::tidy() const {
  for (const auto& [name, history] : state_) {
    const std::string prefix = name + "-dk";
    for (const std::string& file : list_folder(path_)) {
      if (!file.starts_with(prefix) || !file.ends_with(certificate_ending)) continue;
      if (history.empty() || file != certificate_name(find_cell(name), history.back()))
        remove_file(path_ + "/" + file);
    }
  }
}

}  // namespace qkcert
