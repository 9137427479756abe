#pragma once
/// The loss that `fit` descends, in floats: a proposal's score, never a verdict.

#include <Eigen/Core>
#include <qkcert/constructions/fit_kernel.hpp>
#include <qkcert/constructions/method.hpp>
#include <vector>

namespace qkcert::fit {

using Eigen::Index;
using MatrixF = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Eigen::MatrixXd;

/// A block of a matrix for the kernel.
inline Block block(const MatrixF& matrix, Index row, Index rows, Index col, Index cols) {
  return {matrix.data() + row * matrix.cols() + col, static_cast<std::size_t>(rows),
          static_cast<std::size_t>(cols), static_cast<std::size_t>(matrix.cols())};
}

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

/// Which non-edges an evaluation looks at: all, or those of the list that the last look at all made,
/// which holds every non-edge that scored above t⁻ - slack in some head.
enum class Pairs { all, close };

/// Σ over non-edges and heads of max(S - t⁻, 0)² + Σ over edges of max(1 - max_k S, 0)².
///
/// While `sharpness` β > 0 the maximum over heads is the soft one, log Σ e^{βS}/β, so that every
/// head feels every edge.
/// Cost    m²·D_K multiply-adds for all pairs, and D_K for each close one and each edge; memory
///         O(m·D_K + tile + close_limit). The sums are taken in the same order for any thread count
///         and instruction set.
/// Source  theory.md, section 3, `fit`.
class Loss {
 public:
  static constexpr float slack = 0.1F;

  Loss(const Graph& graph, Layout layout, unsigned threads);

  double t_minus = 0.97;
  double sharpness = 0;
  /// The longest list that is kept; where it would be longer, Pairs::close looks at all pairs.
  std::size_t close_limit;

  /// The loss of the projections P = [X W_Q | X W_K] (m × 2·D_K), and its gradient (as P).
  /// Pairs::close needs an earlier evaluation of all pairs with the same t⁻.
  double evaluate(const MatrixF& projections, MatrixF& gradient, Pairs pairs = Pairs::all);

  /// The extremes, after an evaluation of all pairs; greatest_nonedge() is t⁻ - slack where all
  /// non-edges score less.
  float least_edge() const { return least_edge_; }
  float greatest_nonedge() const { return greatest_nonedge_; }
  bool separated() const { return least_edge_ > greatest_nonedge_; }
  /// Edges whose best score was below t⁻ at the last evaluation.
  std::size_t low_edges() const { return low_edges_; }

  const Layout& layout() const { return layout_; }
  const Graph& graph() const { return graph_; }
  unsigned threads() const { return threads_; }

 private:
  struct Close {
    std::uint32_t u, v, head;
  };
  /// What a chunk of rows adds; the chunks are fixed, whatever the threads.
  struct Part {
    double loss;
    float greatest;
    MatrixF key_gradient;
    std::vector<Close> close;
  };

  double edge_loss(const MatrixF& projections, MatrixF& gradient);
  void scan(const MatrixF& projections, MatrixF& gradient, Index row_begin, Index row_end,
            Part& part) const;
  void add_nonedge(const MatrixF& projections, MatrixF& gradient, Close pair, Part& part) const;
  void pack_keys(const MatrixF& projections);

  const Graph& graph_;
  Layout layout_;
  unsigned threads_;
  std::vector<Part> parts_;
  std::vector<Panels> keys_;  ///< of every head
  bool listed_ = false;       ///< the parts' lists are whole
  float least_edge_ = 0;
  float greatest_nonedge_ = 0;
  std::size_t low_edges_ = 0;
};

}  // namespace qkcert::fit
