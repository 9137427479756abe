#include <algorithm>
#include <nlohmann/json.hpp>
#include <qkcert/core/decimal.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/version.hpp>
#include <qkcert/search/journal.hpp>
#include <qkcert/verify/certificate.hpp>
#include <qkcert/verify/claim_writer.hpp>
#include <qkcert/verify/sha256.hpp>

namespace qkcert {

namespace {

using Json = nlohmann::ordered_json;

/// What tells one question from another about the same graph and embedding.
std::string question(const Method& method, const Request& request) {
  const auto show = [](const std::optional<std::size_t>& value) {
    return value ? std::to_string(*value) : "-";
  };
  return std::string(method.name) + " heads " + show(request.heads) + " head-dim " +
         show(request.head_dim) + " key-dimension " + show(request.key_dimension) + " seed " +
         std::to_string(request.seed) + " patience " + std::to_string(request.patience);
}

Json to_json(const std::optional<Extreme>& extreme) {
  if (!extreme) return {};
  return {to_decimal(extreme->score), extreme->pair.source, extreme->pair.target};
}

std::optional<Extreme> to_extreme(const Json& json) {
  if (json.is_null()) return std::nullopt;
  return Extreme{parse_integer(json.at(0).get<std::string>()).value(),
                 {json.at(1).get<std::uint32_t>(), json.at(2).get<std::uint32_t>()}};
}

Json to_json(const Answer& answer) {
  const Tried& tried = answer.tried;
  Json json{{"method", tried.method},
            {"seed", tried.seed},
            {"outcome", tried.outcome},
            {"patience", tried.patience}};
  if (!tried.reason.empty()) json["reason"] = tried.reason;
  if (const auto& planned = tried.architecture)
    json["architecture"] = {planned->heads, planned->head_dim, planned->wider};
  if (!answer.attempt) return json;
  const Attempt& attempt = *answer.attempt;
  json["weight_max"] = to_decimal(attempt.weight_max);
  if (attempt.extremes)
    json["extremes"] = {to_json(attempt.extremes->least_edge),
                        to_json(attempt.extremes->greatest_nonedge)};
  if (attempt.claim) json["certificate"] = write_certificate(*attempt.claim);
  return json;
}

Answer to_answer(const Json& json, const std::string& path) {
  Answer answer{{json.at("method"),
                 {},
                 json.at("seed"),
                 json.at("outcome"),
                 json.value("reason", ""),
                 json.at("patience")}};
  if (!json.contains("architecture")) return answer;
  const Json& planned = json.at("architecture");
  answer.tried.architecture = {planned.at(0), planned.at(1), planned.at(2)};
  if (!json.contains("weight_max")) return answer;
  Attempt attempt{answer.tried.method, *answer.tried.architecture, answer.tried.seed, {}, {}};
  attempt.patience = answer.tried.patience;
  attempt.weight_max = parse_integer(json.at("weight_max").get<std::string>()).value();
  if (json.contains("extremes"))
    attempt.extremes = {to_extreme(json["extremes"].at(0)), to_extreme(json["extremes"].at(1))};
  if (json.contains("certificate"))
    attempt.claim =
        std::get<RecoveryClaim>(read_certificate(json["certificate"].get<std::string>(), path));
  answer.attempt = std::move(attempt);
  return answer;
}

}  // namespace

Journal::Journal(const std::string& path, std::string key) : file_(path, std::move(key)) {
  if (const std::string payload = file_.load(); !payload.empty()) parse(payload, path);
}

Answer Journal::ask(const Method& method, const Request& request) {
  const std::string name = question(method, request);
  Request resumed = request;
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = answers_.find(name); known != answers_.end()) return known->second;
    if (const auto state = states_.find(name); state != states_.end())
      resumed.resume = state->second;
  }
  if (method.resumes)
    resumed.on_checkpoint = [&](const std::string& state) {
      const std::lock_guard lock(mutex_);
      states_[name] = state;
      file_.save([this] { return payload(); });
    };
  Answer answer = qkcert::ask(method, resumed);
  const std::lock_guard lock(mutex_);
  // What ended when its time was up might have ended otherwise.
  if (!resumed.out_of_time()) {
    states_.erase(name);
    answers_[name] = answer;
    drop_larger_claims();
  }
  file_.save([this] { return payload(); });
  return answer;
}

void Journal::flush() {
  const std::lock_guard lock(mutex_);
  file_.flush();
}

void Journal::remove() {
  const std::lock_guard lock(mutex_);
  file_.remove();
}

std::string Journal::payload() const {
  Json json{{"answers", Json::object()}, {"states", states_}};
  for (const auto& [name, answer] : answers_) json["answers"][name] = to_json(answer);
  return json.dump();
}

void Journal::parse(const std::string& payload, const std::string& path) {
  try {
    const Json json = Json::parse(payload);
    for (const auto& [name, answer] : json.at("answers").items())
      answers_.emplace(name, to_answer(answer, path));
    states_ = json.at("states");
  } catch (const nlohmann::json::exception& error) {
    throw FormatError(path + ": the state of a search is expected: " + error.what());
  }
}

/// Only the claims of the least D_K can become the result.
void Journal::drop_larger_claims() {
  std::size_t least = SIZE_MAX;
  for (const auto& [name, answer] : answers_)
    if (answer.verified()) least = std::min(least, answer.attempt->architecture.key_dimension());
  for (auto& [name, answer] : answers_)
    if (answer.verified() && answer.attempt->architecture.key_dimension() > least)
      answer.attempt->claim.reset();
}

std::string journal_key(const Graph& graph, const Matrix& embedding, const Integer& weight_max) {
  ClaimWriter writer;
  writer.line("qkcert ", version());
  writer.integer_line("weight-max", weight_max);
  writer.graph(graph);
  writer.embedding(embedding);
  return sha256(writer.finish());
}

}  // namespace qkcert
