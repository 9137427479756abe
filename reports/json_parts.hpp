#pragma once
/// What the JSON of several reports is made of.

#include <nlohmann/json.hpp>
#include <qkcert/reports/survey.hpp>

namespace qkcert {

/// A number, or a string beyond ±2^53.
nlohmann::ordered_json json_number(const Integer& value);

/// One line. Paths and quoted input need not be UTF-8.
std::string json_line(const nlohmann::ordered_json& json);

/// Objects with certificate and reason for those of the list that do not hold.
nlohmann::ordered_json refused_json(std::span<const Surveyed> list);

/// The keys key_dimension, certificate and sha256 of a certified channel, null without one.
void add_certified(nlohmann::ordered_json& json, const Surveyed* certificate);

}  // namespace qkcert
