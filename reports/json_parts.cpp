#include <qkcert/reports/json_parts.hpp>

namespace qkcert {

using Json = nlohmann::ordered_json;

Json refused_json(std::span<const Surveyed> list) {
  Json refused = Json::array();
  for (const Surveyed& each : list)
    if (!each.holds) refused.push_back({{"certificate", each.path}, {"reason", each.text}});
  return refused;
}

void add_certified(Json& json, const Surveyed* certificate) {
  for (const char* key : {"key_dimension", "certificate", "sha256"}) json[key] = nullptr;
  if (!certificate) return;
  json["key_dimension"] = channel_of(certificate->claim.value())->channel.key_dimension();
  json["certificate"] = certificate->path;
  json["sha256"] = certificate->sha256.value();
}

}  // namespace qkcert
