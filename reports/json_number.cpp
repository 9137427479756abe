#include <qkcert/core/decimal.hpp>
#include <qkcert/reports/json_number.hpp>

namespace qkcert {

using Json = nlohmann::ordered_json;

Json json_number(const Integer& value) {
  if (abs(value) > power_of_two(53)) return to_decimal(value);
  return to_int64(value).value();
}

Json json_number(const std::optional<Integer>& value) {
  return value ? json_number(*value) : Json();
}

std::string json_line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace qkcert
