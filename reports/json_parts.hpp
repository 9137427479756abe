#pragma once
/// What the JSON of several reports is made of.

#include <qkcert/reports/json_number.hpp>
#include <qkcert/reports/survey.hpp>

namespace qkcert {

/// Objects with certificate and reason for those of the list that do not hold.
nlohmann::ordered_json refused_json(std::span<const Surveyed> list);

/// The keys key_dimension, certificate and sha256 of a certified channel, null without one.
void add_certified(nlohmann::ordered_json& json, const Surveyed* certificate);

}  // namespace qkcert
