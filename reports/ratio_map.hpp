#pragma once
/// Certified D_K over the strongest lower bound, for each m and d_model.

#include <qkcert/reports/bounds_plot.hpp>
#include <qkcert/reports/heat_map.hpp>

namespace qkcert {

struct RatioCell {
  Family family;
  Integer d_model;
  std::optional<ClassBound> bound;  ///< the strongest; absent when none applies
  const Surveyed* certificate;      ///< of least D_K
  std::size_t key_dimension() const;
  /// D_K / bound, exactly; absent without a bound or when it is 0.
  std::optional<Rational> ratio() const;
};

struct RatioMap {
  std::string family;  ///< its name
  Integer weight_max;
  std::vector<RatioCell> cells;  ///< by m, then d_model
  std::string output = {};       ///< the file that was drawn
};

/// A cell for each m and d_model of which there is a certificate for the family with no |weight|
/// above `weight_max`. It points into `list`. Errors: UsageError when there is none.
RatioMap ratio_map(std::span<const Surveyed> list, const FamilyOf& family,
                   const Integer& weight_max);

/// Ratios are printed with two digits, rounded up; greys are of the exact ones.
HeatMap ratio_heat_map(const RatioMap& map);

/// A table, and one JSON object on one line with the keys kind ("ratio"), family, weight_max, output,
/// cells: an array of objects with family, vertices, d_model, lower_bound, lower_bound_method, ratio
/// (numerator and denominator, null as in RatioCell), key_dimension, certificate, sha256; refused as
/// in bounds_json.
std::string ratio_text(const RatioMap& map);
std::string ratio_json(const RatioMap& map, std::span<const Surveyed> list);

}  // namespace qkcert
