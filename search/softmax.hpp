#pragma once
/// From a channel to a softmax certificate: the heads that recover the edges, the least β, the θ.

#include <optional>
#include <qkcert/verify/softmax.hpp>

namespace qkcert {

/// A channel and how it is read out, all but β and θ.
struct SoftmaxInstance {
  Graph graph;
  Matrix embedding;
  Channel channel;
  Integer threshold;
  Integer context_size;  ///< >= 2
};

/// The channel of a certificate of recovery or softmax-recovery, with its τ and contexts of two.
/// Errors: UsageError, which names `source`, for another claim.
SoftmaxInstance softmax_instance(const Claim& claim, const std::string& source);

/// What an outcome that does not hold says of the channel.
struct SoftmaxFailure {
  /// Whether some context is not recovered. With several heads an edge that none of them recovers in
  /// its own worst context may be recovered by one head here and by another there: undecided.
  bool refuted;
  std::string reason;  ///< one line, with the pair
};

/// Require: !outcome.holds(), an outcome of this instance.
SoftmaxFailure softmax_failure(const SoftmaxInstance& instance, const SoftmaxOutcome& outcome);

/// The θ of a grid for which a channel recovers, at one β.
///
/// The non-edges are safe (condition (1) of verify/softmax.hpp) from some θ₀ on, and the edges are
/// recovered (2) below some θ₁: both are monotone in θ, so the set of all θ that work is [θ₀, θ₁).
struct ThetaGrid {
  std::size_t bits;
  Integer least;     ///< (least-1)/2^bits < θ₀ <= least/2^bits
  Integer greatest;  ///< greatest/2^bits < θ₁ <= (greatest+1)/2^bits

  bool empty() const { return greatest < least; }
};

/// Every answer is decided by softmax_outcome(), exactly, and is the same for any thread count.
///
/// Require  one embedding row per vertex, a valid channel, context_size >= 2.
/// Errors   ShapeError, SizeError.
class SoftmaxSearch {
 public:
  explicit SoftmaxSearch(SoftmaxInstance instance, unsigned threads = 0, Progress progress = {});

  const SoftmaxInstance& instance() const { return instance_; }

  SoftmaxOutcome outcome(const Rational& beta, const Rational& theta) const;
  /// The claim with the heads of an outcome. Require: outcome.holds().
  SoftmaxRecovery claim(const Rational& beta, const Rational& theta,
                        const SoftmaxOutcome& outcome) const;

  /// i such that β = i/2^bits works and β = (i-1)/2^bits does not, or i is 1; absent when none of
  /// β = 2^j/2^bits up to 2^16 works. Whether a larger β always works too is not claimed: it does
  /// not when a non-edge scores above τ.
  /// Cost: at most 2·(16 + bits) + 2 outcomes.
  std::optional<Integer> find_beta(const Rational& theta, std::size_t bits) const;

  /// Cost: at most 2·bits outcomes. Require: 1 <= bits <= 64.
  ThetaGrid find_theta(const Rational& beta, std::size_t bits) const;

  /// The least i such that the closed form of Theorem 2(d) promises that β = i/2^bits works: with
  /// γ > 0 the least distance of edge scores (in the head where each is largest) and of non-edge
  /// scores (in any head) to τ,
  ///   θ = 1/2 and at most one edge a row:  e^(-βγ) + (ℓ-1)·e^(-2βγ) < 1;
  ///   out-degrees up to Δ, θ·Δ < 1:        e^(-βγ) <= θ and θ·(e^(-βγ) + Δ + ℓ·e^(-2βγ)) < 1.
  /// Absent when γ = 0, or when in the head of an edge another edge of the row scores more (δ > 0),
  /// or when θ·Δ >= 1 in the second case. Both left sides fall with β, so the least i is exact.
  std::optional<Integer> closed_form_beta(const Rational& theta, std::size_t bits) const;

 private:
  SoftmaxInstance instance_;
  ScoresByHead scores_;
  unsigned threads_;
  Progress progress_;
};

}  // namespace qkcert
