#pragma once
/// Lower bounds and certified D_K against the number of vertices.

#include <functional>
#include <qkcert/reports/class_bounds.hpp>
#include <qkcert/reports/plot.hpp>
#include <qkcert/reports/survey.hpp>
#include <set>

namespace qkcert {

/// One number of vertices.
struct BoundsPoint {
  Family family;
  std::vector<ClassBound> bounds;
  const Surveyed* certificate;  ///< of least D_K, or null
  std::size_t key_dimension() const;
};

struct BoundsCurve {
  std::string family;  ///< its name
  Integer d_model, weight_max;
  std::vector<BoundsPoint> points;  ///< m increasing
  std::string output = {};          ///< the file that was drawn
};

/// The member of a family with so many vertices. Errors: UsageError when there is none.
using FamilyOf = std::function<Family(std::uint64_t vertices)>;

/// The numbers of vertices of the certificates that least_certified() could choose.
std::set<std::uint64_t> vertices_of(std::span<const Surveyed> list, const FamilyOf& family,
                                    const Integer& d_model, const Integer& weight_max);

/// The points at `vertices`. It points into `list`.
BoundsCurve bounds_curve(std::span<const Surveyed> list, const FamilyOf& family,
                         const Integer& d_model, const Integer& weight_max,
                         const std::set<std::uint64_t>& vertices);

/// Both axes logarithmic: a line for each bound, single points for certified channels. What is 0 is
/// left out. Errors: UsageError when nothing is left.
Plot bounds_plot(const BoundsCurve& curve);

/// A table, and one JSON object on one line with the keys kind ("bounds"), family, d_model,
/// weight_max, output, cells: an array of objects with family, vertices, lower_bounds (an array of
/// objects with name and lower_bound), key_dimension, certificate, sha256 (null without one);
/// refused: an array of objects with certificate and reason.
std::string bounds_text(const BoundsCurve& curve);
std::string bounds_json(const BoundsCurve& curve, std::span<const Surveyed> list);

}  // namespace qkcert
