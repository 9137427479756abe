#include <algorithm>
#include <cmath>
#include <limits>
#include <qkcert/constructions/fit_loss.hpp>
#include <qkcert/core/parallel.hpp>

namespace qkcert::fit {

namespace {

constexpr Index row_block = 64;
constexpr Index column_block = 512;
constexpr Index chunks = 8;
constexpr float infinity = std::numeric_limits<float>::infinity();
/// Multiply-adds below which threads cost more than they bring.
constexpr double worth_threads = 4e5;

}  // namespace

Layout::Layout(const Architecture& architecture) : offsets_{0} {
  for (std::size_t k = 0; k < architecture.heads; ++k) {
    widths_.push_back(static_cast<Index>(architecture.width(k)));
    offsets_.push_back(offsets_.back() + widths_.back());
  }
}

Loss::Loss(const Graph& graph, Layout layout, unsigned threads)
    : graph_(graph), layout_(std::move(layout)) {
  const auto m = static_cast<double>(graph.vertices());
  threads_ = m * m * static_cast<double>(layout_.key_dimension()) < worth_threads ? 1 : threads;
}

double Loss::evaluate(const MatrixF& projections, MatrixF& gradient) {
  const Index m = projections.rows();
  gradient.setZero(m, projections.cols());
  double total = edge_loss(projections, gradient);
  const Index blocks = (m + row_block - 1) / row_block;
  std::vector<Part> parts(static_cast<std::size_t>(std::min(chunks, blocks)));
  const auto count = static_cast<Index>(parts.size());
  parallel_for(parts.size(), threads_, [&](std::size_t index, unsigned) {
    const auto chunk = static_cast<Index>(index);
    nonedge_loss(projections, gradient, chunk * blocks / count * row_block,
                 std::min((chunk + 1) * blocks / count * row_block, m), parts[index]);
  });
  greatest_nonedge_ = -infinity;
  for (const Part& part : parts) {
    total += part.loss;
    greatest_nonedge_ = std::max(greatest_nonedge_, part.greatest);
    gradient.rightCols(layout_.key_dimension()) += part.key_gradient;
  }
  return total;
}

double Loss::edge_loss(const MatrixF& projections, MatrixF& gradient) {
  const auto beta = static_cast<float>(sharpness);
  Eigen::VectorXf share(layout_.heads());
  double total = 0;
  least_edge_ = infinity;
  for (const Edge& edge : graph_.edges()) {
    const auto u = static_cast<Index>(edge.source), v = static_cast<Index>(edge.target);
    for (Index k = 0; k < layout_.heads(); ++k)
      share(k) = projections.row(u)
                     .segment(layout_.query(k), layout_.width(k))
                     .dot(projections.row(v).segment(layout_.key(k), layout_.width(k)));
    Index best = 0;
    const float top = share.maxCoeff(&best);
    least_edge_ = std::min(least_edge_, top);
    float maximum = top;  // and share becomes its derivative by each head's score
    if (beta > 0) {
      share = (beta * (share.array() - top)).exp();
      const float sum = share.sum();
      maximum += std::log(sum) / beta;
      share /= sum;
    } else {
      share.setZero();
      share(best) = 1;
    }
    const float residual = 1 - maximum;
    if (residual <= 0) continue;
    total += double{residual} * residual;
    for (Index k = 0; k < layout_.heads(); ++k) {
      if (share(k) < 1e-6F) continue;
      const float slope = -2 * residual * share(k);
      const Index q = layout_.query(k), r = layout_.key(k), w = layout_.width(k);
      gradient.row(u).segment(q, w) += slope * projections.row(v).segment(r, w);
      gradient.row(v).segment(r, w) += slope * projections.row(u).segment(q, w);
    }
  }
  return total;
}

void Loss::nonedge_loss(const MatrixF& projections, MatrixF& gradient, Index row_begin,
                        Index row_end, Part& part) const {
  const Index m = projections.rows();
  const auto low = static_cast<float>(t_minus);
  part = {0, -infinity, MatrixF::Zero(m, layout_.key_dimension())};
  MatrixF scores, queries, keys;
  for (Index u0 = row_begin; u0 < row_end; u0 += row_block)
    for (Index k = 0; k < layout_.heads(); ++k) {
      const Index q = layout_.query(k), r = layout_.key(k), w = layout_.width(k);
      const Index rows = std::min(row_block, row_end - u0);
      queries = projections.block(u0, q, rows, w);
      for (Index v0 = 0; v0 < m; v0 += column_block) {
        const Index cols = std::min(column_block, m - v0);
        keys = projections.block(v0, r, cols, w);
        scores.noalias() = queries * keys.transpose();
        for (Index i = 0; i < rows; ++i) {
          for (const Edge& edge : graph_.edges_from(static_cast<std::size_t>(u0 + i))) {
            const Index j = static_cast<Index>(edge.target) - v0;
            if (j >= 0 && j < cols) scores(i, j) = -infinity;
          }
          const float top = scores.row(i).maxCoeff();
          part.greatest = std::max(part.greatest, top);
          if (top <= low) continue;  // few rows pass t⁻: only they have a gradient
          for (Index j = 0; j < cols; ++j) {
            const float excess = scores(i, j) - low;
            if (excess <= 0) continue;
            part.loss += double{excess} * excess;
            gradient.row(u0 + i).segment(q, w) += 2 * excess * keys.row(j);
            part.key_gradient.row(v0 + j).segment(q, w) += 2 * excess * queries.row(i);
          }
        }
      }
    }
}

}  // namespace qkcert::fit
