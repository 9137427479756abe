// Arrays of vectors need vectors of fixed size, which these targets have not.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "qkcert/constructions/fit_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <qkcert/constructions/fit_kernel.hpp>

HWY_BEFORE_NAMESPACE();
namespace qkcert::fit::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Vector = hn::CappedTag<float, 16>;
constexpr std::size_t group = 4;  ///< rows that a product takes at a time

/// scores (R rows of 64) = R rows of `a` times one panel, in registers of R × 2 vectors.
template <std::size_t R>
void multiply_rows(const float* HWY_RESTRICT a, std::size_t stride, const float* HWY_RESTRICT panel,
                   std::size_t inner, float* HWY_RESTRICT scores) {
  const Vector tag;
  const std::size_t lanes = hn::Lanes(tag);
  for (std::size_t c = 0; c < Panels::width; c += 2 * lanes) {
    hn::Vec<Vector> left[R], right[R];
    for (std::size_t i = 0; i < R; ++i) left[i] = right[i] = hn::Zero(tag);
    for (std::size_t j = 0; j < inner; ++j) {
      const auto b0 = hn::LoadU(tag, panel + j * Panels::width + c);
      const auto b1 = hn::LoadU(tag, panel + j * Panels::width + c + lanes);
      for (std::size_t i = 0; i < R; ++i) {
        const auto factor = hn::Set(tag, a[i * stride + j]);
        left[i] = hn::Add(left[i], hn::Mul(factor, b0));
        right[i] = hn::Add(right[i], hn::Mul(factor, b1));
      }
    }
    for (std::size_t i = 0; i < R; ++i) {
      hn::StoreU(left[i], tag, scores + i * Panels::width + c);
      hn::StoreU(right[i], tag, scores + i * Panels::width + c + lanes);
    }
  }
}

void multiply(const float* a, std::size_t stride, std::size_t rows, const float* panel,
              std::size_t inner, float* scores) {
  if (rows == 1) multiply_rows<1>(a, stride, panel, inner, scores);
  if (rows == 2) multiply_rows<2>(a, stride, panel, inner, scores);
  if (rows == 3) multiply_rows<3>(a, stride, panel, inner, scores);
  if (rows == 4) multiply_rows<4>(a, stride, panel, inner, scores);
}

/// Bit c of the result: whether scores[c] > bar.
std::uint64_t mask_above(const float* scores, float bar) {
  const Vector tag;
  const std::size_t lanes = hn::Lanes(tag);
  const auto limit = hn::Set(tag, bar);
  std::uint64_t bits = 0;
  for (std::size_t c = 0; c < Panels::width; c += lanes) {
    const auto above = hn::Gt(hn::LoadU(tag, scores + c), limit);
    std::uint8_t bytes[8] = {};
    if (hn::AllFalse(tag, above)) continue;
    hn::StoreMaskBits(tag, above, bytes);
    bits |= (std::uint64_t{bytes[0]} | std::uint64_t{bytes[1]} << 8) << c;
  }
  return bits;
}

void hits_above(Block a, const Panels& b, float bar, std::vector<Hit>& hits) {
  HWY_ALIGN float scores[group * Panels::width];
  for (std::size_t index = 0; index < b.count(); ++index) {
    const std::size_t first = index * Panels::width;
    const std::uint64_t inside =
        ~std::uint64_t{0} >> (Panels::width - std::min(Panels::width, b.cols() - first));
    for (std::size_t i = 0; i < a.rows; i += group) {
      const std::size_t rows = std::min(group, a.rows - i);
      multiply(a.data + i * a.stride, a.stride, rows, b.panel(index), a.cols, scores);
      for (std::size_t r = 0; r < rows; ++r)
        for (std::uint64_t bits = mask_above(scores + r * Panels::width, bar) & inside; bits != 0;
             bits &= bits - 1)
          hits.push_back({static_cast<std::uint32_t>(i + r),
                          static_cast<std::uint32_t>(
                              first + static_cast<std::size_t>(std::countr_zero(bits)))});
    }
  }
}

void add_product(Block a, const Panels& b, float* c, std::size_t stride) {
  HWY_ALIGN float products[group * Panels::width];
  for (std::size_t index = 0; index < b.count(); ++index) {
    const std::size_t first = index * Panels::width;
    const std::size_t cols = std::min(Panels::width, b.cols() - first);
    for (std::size_t i = 0; i < a.rows; i += group) {
      const std::size_t rows = std::min(group, a.rows - i);
      multiply(a.data + i * a.stride, a.stride, rows, b.panel(index), a.cols, products);
      for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t j = 0; j < cols; ++j)
          c[(i + r) * stride + first + j] += products[r * Panels::width + j];
    }
  }
}

}  // namespace qkcert::fit::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace qkcert::fit {

void Panels::reshape(std::size_t inner, std::size_t cols) {
  inner_ = inner;
  cols_ = cols;
  floats_.assign(count() * inner * width, 0);
}

void Panels::pack(Block b) {
  reshape(b.rows, b.cols);
  for (std::size_t index = 0; index < count(); ++index)
    for (std::size_t j = 0; j < inner_; ++j) {
      const float* const row = b.data + j * b.stride;
      std::copy(row + index * width, row + std::min(cols_, (index + 1) * width),
                floats_.data() + (index * inner_ + j) * width);
    }
}

void Panels::pack_transposed(Block b) {
  reshape(b.cols, b.rows);
  for (std::size_t v = 0; v < cols_; ++v)
    for (std::size_t j = 0; j < inner_; ++j)
      floats_[(v / width * inner_ + j) * width + v % width] = b.data[v * b.stride + j];
}

HWY_EXPORT(hits_above);
HWY_EXPORT(add_product);

void hits_above(Block a, const Panels& b, float bar, std::vector<Hit>& hits) {
  HWY_DYNAMIC_DISPATCH(hits_above)(a, b, bar, hits);
}

void add_product(Block a, const Panels& b, float* c, std::size_t stride) {
  HWY_DYNAMIC_DISPATCH(add_product)(a, b, c, stride);
}

}  // namespace qkcert::fit
#endif
