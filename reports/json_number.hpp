#pragma once
/// Numbers and lines of all JSON that reports write.

#include <nlohmann/json.hpp>
#include <optional>
#include <qkcert/core/integer.hpp>
#include <string>

namespace qkcert {

/// A number, or a string of its digits beyond ±2^53; null for none.
nlohmann::ordered_json json_number(const Integer& value);
nlohmann::ordered_json json_number(const std::optional<Integer>& value);

/// One line. Paths and quoted input need not be UTF-8.
std::string json_line(const nlohmann::ordered_json& json);

}  // namespace qkcert
