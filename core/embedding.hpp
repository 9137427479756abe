#pragma once
/// Embeddings: one row of exact numbers per vertex.

#include <cstdint>
#include <functional>
#include <qkcert/core/matrix.hpp>

namespace qkcert {

/// The embedding is rows·2^scale. Scores of a channel on it are those on `rows` times 2^(2·scale),
/// so every certificate speaks of the integers alone (theory.md, section 1).
///
/// Shapes  rows: m × d_model.
struct Embedding {
  Matrix rows;
  std::int64_t scale = 0;

  std::size_t vertices() const { return rows.rows(); }
  std::size_t d_model() const { return rows.cols(); }
};

/// Row v is the unit vector e_v; m = d_model. Errors: SizeError above 2^30 entries.
Embedding one_hot(std::size_t vertices);

/// Whether the rows are the identity matrix.
bool is_one_hot(const Embedding& embedding);

/// Independent standard normal rows, each divided by its Euclidean norm, multiplied by 2^bits and
/// rounded to the nearest integers; scale = -bits. A row that is zero after rounding is drawn
/// again, at most 100 times (no row is when d_model <= 4^bits, since some |entry| >= 1/√d_model).
///
/// Require  vertices·d_model >= 1, 1 <= bits <= 52 (what a double's mantissa holds).
/// Ensure   0 < |row|, |entry| <= 2^bits; the same arguments give the same rows.
/// Errors   UsageError, also when the bits are too few for so many dimensions; SizeError above 2^30
///          entries.
Embedding gaussian_embedding(std::size_t vertices, std::size_t d_model, unsigned bits,
                             std::uint64_t seed);

/// A number ±magnitude·2^exponent.
struct Dyadic {
  bool negative;
  std::uint64_t magnitude;
  int exponent;
};

/// Exact dyadic numbers brought to integers by the largest common power of two: some stored entry
/// is odd, unless all are zero, when the scale is 0.
///
/// Require  entry(i) is the number at row i / d_model, column i % d_model; it is asked twice.
/// Errors   SizeError when the exponents are more than 2^20 apart (IEEE doubles: below 2^12).
Embedding dyadic_embedding(std::size_t vertices, std::size_t d_model,
                           const std::function<Dyadic(std::size_t)>& entry);

}  // namespace qkcert
