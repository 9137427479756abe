#pragma once
/// The read-out of softmax with a null key, decided for one weight at a time.

#include <qkcert/core/errors.hpp>
#include <qkcert/verify/exponentials.hpp>
#include <qkcert/verify/score_rows.hpp>
#include <span>
#include <vector>

namespace qkcert {

/// Inverse temperature, read-out level, and the null key's score.
struct Softmax {
  Integer threshold;  ///< τ
  Rational beta;      ///< > 0
  Rational theta;     ///< 0 < θ < 1
};

/// Whether the weight α = e^(βs) / (e^(βτ) + e^(βs) + Σ_i e^(βr_i)) of a score s beside other scores
/// r_i exceeds θ; multiplied out, whether (1-θ)·e^(βs) > θ·(e^(βτ) + Σ_i e^(βr_i)).
///
/// With M the greatest of τ and all r_i, and n their number, the right side is between θ·e^(βM) and
/// n·θ·e^(βM). So with D_c = floor(ln(c·θ/(1-θ)) / β), computed once for c = 1, 2, 4, …, the weight
///   exceeds θ          if s - M > D_c for some c >= n,
///   does not exceed θ  if s - M <= D_1.
/// In between the sum is bounded by the table, and at last enclosed by intervals: always decided.
class SoftmaxDecoder {
 public:
  /// Errors: ShapeError unless beta > 0 and 0 < theta < 1; SizeError.
  explicit SoftmaxDecoder(const Softmax& softmax);

  const Integer& threshold() const { return softmax_.threshold; }

  /// What the greatest of τ and the other scores and their number (τ counted) decide alone.
  std::optional<bool> exceeds_by_bounds(const Integer& score, const Integer& greatest,
                                        std::size_t terms) const;

  /// Whether the weight of `score` beside `others` exceeds θ. Exact.
  template <class Score>
  bool exceeds(const Integer& score, std::span<const Score> others) const;

 private:
  Softmax softmax_;
  Rational odds_;                ///< θ/(1-θ)
  std::vector<Integer> limits_;  ///< D_c for c = 2^0, 2^1, …
  ExponentialTable table_;
};

}  // namespace qkcert
