#include <algorithm>
#include <cmath>
#include <limits>
#include <qkcert/constructions/fit_loss.hpp>
#include <qkcert/core/parallel.hpp>

namespace qkcert::fit {

namespace {

constexpr Index row_block = 64;
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
  const std::size_t m = graph.vertices();
  const auto key_dimension = static_cast<std::size_t>(layout_.key_dimension());
  close_limit = 8 * m * key_dimension;
  const double work =
      static_cast<double>(m) * static_cast<double>(m) * static_cast<double>(key_dimension);
  threads_ = work < worth_threads ? 1 : threads;
}

double Loss::evaluate(const MatrixF& projections, MatrixF& gradient, Pairs pairs) {
  const Index m = projections.rows(), width = layout_.key_dimension();
  const bool all = pairs == Pairs::all || !listed_;
  gradient.setZero(m, projections.cols());
  const Index blocks = (m + row_block - 1) / row_block;
  parts_.resize(static_cast<std::size_t>(std::min(chunks, blocks)));
  const auto count = static_cast<Index>(parts_.size());
  if (all) pack_keys(projections);
  parallel_for(parts_.size(), threads_, [&](std::size_t index, unsigned) {
    const auto chunk = static_cast<Index>(index);
    Part& part = parts_[index];
    part.loss = 0;
    part.key_gradient.setZero(m, width);
    if (all)
      scan(projections, gradient, chunk * blocks / count * row_block,
           std::min((chunk + 1) * blocks / count * row_block, m), part);
    else
      for (const Close& pair : part.close) add_nonedge(projections, gradient, pair, part);
  });
  parallel_for(parts_.size(), threads_, [&](std::size_t index, unsigned) {
    const auto chunk = static_cast<Index>(index);
    const Index begin = chunk * m / count, rows = (chunk + 1) * m / count - begin;
    for (const Part& part : parts_)
      gradient.block(begin, width, rows, width) += part.key_gradient.middleRows(begin, rows);
  });
  double total = 0;
  for (const Part& part : parts_) total += part.loss;
  total += edge_loss(projections, gradient);
  if (!all) return total;
  listed_ = true;
  greatest_nonedge_ = -infinity;
  for (const Part& part : parts_) {
    greatest_nonedge_ = std::max(greatest_nonedge_, part.greatest);
    listed_ &= part.close.size() <= close_limit / parts_.size();
  }
  return total;
}

void Loss::pack_keys(const MatrixF& projections) {
  keys_.resize(static_cast<std::size_t>(layout_.heads()));
  parallel_for(keys_.size(), threads_, [&](std::size_t head, unsigned) {
    const auto k = static_cast<Index>(head);
    keys_[head].pack_transposed(
        block(projections, 0, projections.rows(), layout_.key(k), layout_.width(k)));
  });
}

double Loss::edge_loss(const MatrixF& projections, MatrixF& gradient) {
  const auto beta = static_cast<float>(sharpness);
  Eigen::VectorXf share(layout_.heads());
  double total = 0;
  least_edge_ = infinity;
  low_edges_ = 0;
  for (const Edge& edge : graph_.edges()) {
    const auto u = static_cast<Index>(edge.source), v = static_cast<Index>(edge.target);
    for (Index k = 0; k < layout_.heads(); ++k)
      share(k) = projections.row(u)
                     .segment(layout_.query(k), layout_.width(k))
                     .dot(projections.row(v).segment(layout_.key(k), layout_.width(k)));
    Index best = 0;
    const float top = share.maxCoeff(&best);
    least_edge_ = std::min(least_edge_, top);
    if (top < static_cast<float>(t_minus)) ++low_edges_;
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

void Loss::scan(const MatrixF& projections, MatrixF& gradient, Index row_begin, Index row_end,
                Part& part) const {
  const float bar = static_cast<float>(t_minus) - slack;
  const std::size_t limit = close_limit / parts_.size();
  part.greatest = bar;
  part.close.clear();
  std::vector<Hit> hits;
  for (Index u0 = row_begin; u0 < row_end; u0 += row_block)
    for (std::size_t head = 0; head < keys_.size(); ++head) {
      hits.clear();
      const auto k = static_cast<Index>(head);
      hits_above(block(projections, u0, std::min(row_block, row_end - u0), layout_.query(k),
                       layout_.width(k)),
                 keys_[head], bar, hits);
      for (const auto& [row, v] : hits) {
        const auto u = static_cast<std::uint32_t>(u0) + row;
        if (std::ranges::binary_search(graph_.edges_from(u), Edge{u, v})) continue;
        const Close pair{u, v, static_cast<std::uint32_t>(head)};
        add_nonedge(projections, gradient, pair, part);
        if (part.close.size() <= limit) part.close.push_back(pair);
      }
    }
}

/// Adds what a non-edge costs in one head. Its score is summed as the kernel sums it.
void Loss::add_nonedge(const MatrixF& projections, MatrixF& gradient, Close pair,
                       Part& part) const {
  const auto k = static_cast<Index>(pair.head);
  const Index q = layout_.query(k), r = layout_.key(k), width = layout_.width(k);
  const float* const query = projections.row(pair.u).data() + q;
  const float* const key = projections.row(pair.v).data() + r;
  float score = 0;
  for (Index j = 0; j < width; ++j) score += query[j] * key[j];
  part.greatest = std::max(part.greatest, score);
  const float excess = score - static_cast<float>(t_minus);
  if (excess <= 0) return;
  part.loss += double{excess} * excess;
  float* const query_slope = gradient.row(pair.u).data() + q;
  float* const key_slope = part.key_gradient.row(pair.v).data() + q;
  for (Index j = 0; j < width; ++j) {
    query_slope[j] += 2 * excess * key[j];
    key_slope[j] += 2 * excess * query[j];
  }
}

}  // namespace qkcert::fit
