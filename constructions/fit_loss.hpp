#pragma once
/// The loss that `fit` descends, in floats: a proposal's score, never a verdict.

#include <Eigen/Core>
#include <qkcert/constructions/method.hpp>
#include <vector>

namespace qkcert::fit {

using Eigen::Index;
using MatrixF = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Eigen::MatrixXd;

/// Where the heads stand in a matrix of 2·D_K columns: head k owns the columns query(k), … of its
/// left half (queries) and key(k), … of its right half (keys), width(k) each.
class Layout {
 public:
  explicit Layout(const Architecture& architecture);
  Index heads() const { return static_cast<Index>(widths_.size()); }
  Index key_dimension() const { return offsets_.back(); }
  Index width(Index k) const { return widths_[static_cast<std::size_t>(k)]; }
  Index query(Index k) const { return offsets_[static_cast<std::size_t>(k)]; }
  Index key(Index k) const { return key_dimension() + query(k); }

 private:
  std::vector<Index> widths_;
  std::vector<Index> offsets_;
};

/// Σ over non-edges and heads of max(S - t⁻, 0)² + Σ over edges of max(1 - max_k S, 0)².
///
/// While `sharpness` β > 0 the maximum over heads is the soft one, log Σ e^{βS}/β, so that every
/// head feels every edge. Cost    m²·D_K multiply-adds per evaluation, plus D_K for each non-edge
/// above t⁻; memory
///         O(m·D_K + tile). The sums are taken in the same order for any thread count.
/// Source  theory.md, section 3, `fit`.
class Loss {
 public:
  Loss(const Graph& graph, Layout layout, unsigned threads);

  double t_minus = 0.97;
  double sharpness = 0;

  /// The loss of the projections P = [X W_Q | X W_K] (m × 2·D_K), and its gradient (as P).
  double evaluate(const MatrixF& projections, MatrixF& gradient);

  /// The extremes at the last evaluation.
  float least_edge() const { return least_edge_; }
  float greatest_nonedge() const { return greatest_nonedge_; }
  bool separated() const { return least_edge_ > greatest_nonedge_; }

  const Layout& layout() const { return layout_; }
  const Graph& graph() const { return graph_; }

 private:
  /// What a chunk of rows adds; the chunks are fixed, whatever the threads.
  struct Part {
    double loss;
    float greatest;
    MatrixF key_gradient;
  };

  double edge_loss(const MatrixF& projections, MatrixF& gradient);
  void nonedge_loss(const MatrixF& projections, MatrixF& gradient, Index row_begin, Index row_end,
                    Part& part) const;

  const Graph& graph_;
  Layout layout_;
  unsigned threads_;
  float least_edge_ = 0;
  float greatest_nonedge_ = 0;
};

}  // namespace qkcert::fit
