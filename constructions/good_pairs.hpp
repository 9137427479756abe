#pragma once
/// Exact vectors that single out one or two rows of an embedding (theory.md, section 3,
/// `edge-pairs`).
///
/// {i, j} is a *good pair* when some z has ⟨z,x_i⟩ = n, ⟨z,x_j⟩ = -n and |⟨z,x_v⟩| < n for all
/// other v, n > 0; i is a *good single* when some z has ⟨z,x_i⟩ = n > 0 and |⟨z,x_v⟩| < n for all
/// other v. A rational z is found in floats (constructions/minimax.hpp), brought onto the
/// hyperplane ⟨z, x_i + x_j⟩ = 0 exactly, and checked in integers.

#include <memory>
#include <optional>
#include <qkcert/core/matrix.hpp>
#include <vector>

namespace qkcert {

struct GoodVector {
  std::vector<Integer> z;
  Integer n;         ///< ⟨z,x_i⟩
  Integer greatest;  ///< the largest |⟨z,x_v⟩| over all other v; below n
};

class GoodVectors {
 public:
  /// Require  `rows` outlives this.
  explicit GoodVectors(const Matrix& rows);
  ~GoodVectors();

  /// A vector for the pair: n at i, -n at j. Nothing when the pair is not good, or so nearly bad
  /// that 40 bits do not show it.
  ///
  /// Require  i ≠ j, both below m.
  /// Ensure   the definition, exactly; entries of about as many bits as those of x_i + x_j and 6 to
  ///          40 more, without a common factor. Safe to call from several threads.
  /// Cost     O(m + d) floats for an easy pair and O(m·d²) for each step of a hard one; m·d exact
  ///          multiply-adds for each rounding tried.
  /// Errors   ShapeError.
  std::optional<GoodVector> pair(std::size_t i, std::size_t j) const;

  /// The same for a single; entries of 6 to 40 bits.
  std::optional<GoodVector> single(std::size_t i) const;

 private:
  struct Solver;
  std::unique_ptr<Solver> solver_;
};

}  // namespace qkcert
