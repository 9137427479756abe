#pragma once
/// One question of refute: which of the two exact proofs there is for a set of kept edges.

#include <Eigen/Dense>
#include <chrono>
#include <qkcert/bounds/refute.hpp>
#include <qkcert/bounds/refute_hulls.hpp>
#include <qkcert/bounds/refute_int_matrix.hpp>

namespace qkcert::refutation {

/// X in a basis of its column space — exact, and the other columns' points follow from these — and
/// in real coordinates in which the columns are orthogonal and the mean row has norm 1.
struct Coordinates {
  IntMatrix basis;            // d_model × r
  IntMatrix x;                // X·basis/content: m × r, independent columns
  Integer content;            // the common factor of X·basis
  Eigen::MatrixXd transform;  // r × r
  Eigen::MatrixXd points;     // x·transform
};

Coordinates coordinates_of(const Matrix& embedding);

/// +1 on kept edges, -1 on non-edges, 0 on the other edges.
Eigen::ArrayXXd signs_of(const Graph& graph, const std::vector<Edge>& kept);

/// One question: kept edges against all non-edges, both sides non-empty, X ≠ 0.
class Question {
 public:
  Question(const Coordinates& at, Eigen::ArrayXXd sign, const RefuteOptions& options)
      : at_(at),
        sign_(std::move(sign)),
        options_(options),
        deadline_(std::chrono::steady_clock::now() + options.budget) {}

  Refutation answer() const;
  /// Least score of `form` on sign > 0 minus the greatest on sign < 0.
  double margin(const Eigen::MatrixXd& form) const;

 private:
  std::optional<SeparatingForm> separating(const Eigen::MatrixXd& form) const;
  std::optional<SeparatingForm> separated_by(const IntMatrix& form) const;
  Head head_of(const IntMatrix& form) const;
  std::optional<Multipliers> spelled(const IntMatrix& near) const;
  std::optional<Multipliers> near_interior(const Eigen::ArrayXXd& y) const;
  std::optional<Multipliers> at_vertex(std::uint64_t seed) const;
  std::optional<Multipliers> on_support(const HullPoint& point) const;
  bool late() const { return std::chrono::steady_clock::now() >= deadline_; }

  const Coordinates& at_;
  Eigen::ArrayXXd sign_;
  const RefuteOptions& options_;
  std::chrono::steady_clock::time_point deadline_;
};

}  // namespace qkcert::refutation
