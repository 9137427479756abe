#include <algorithm>
#include <qkcert/verify/score_block.hpp>

namespace qkcert {

namespace {

const std::vector<std::int32_t>& entries(const Projections& side, std::size_t head) {
  return std::get<std::vector<std::int32_t>>(side.heads[head].entries);
}

}  // namespace

bool fits_score_block(const Projections& a, const Projections& b) {
  const auto small = [](const ExactRows& head) { return head.entries.index() == 0; };
  return std::all_of(a.heads.begin(), a.heads.end(), small) &&
         std::all_of(b.heads.begin(), b.heads.end(), small) && fits_int64(a, b);
}

std::size_t score_block(const Projections& a, std::span<const std::size_t> rows,
                        const Projections& b, std::span<const std::size_t> keys,
                        const Kernels& kernels, std::vector<std::int64_t>& scores) {
  constexpr std::size_t strip = 16;  // rows whose scores stay in the first cache
  const std::size_t stride =
      (keys.size() + product_columns - 1) / product_columns * product_columns;
  scores.resize(rows.size() * stride);
  std::vector<std::int64_t> left, right, out(strip * stride);
  for (std::size_t k = 0; k < a.heads.size(); ++k) {
    const std::size_t width = a.heads[k].cols;
    left.resize(rows.size() * width);
    for (std::size_t i = 0; i < rows.size(); ++i)
      std::copy_n(entries(a, k).data() + rows[i] * width, width, left.data() + i * width);
    right.assign(width * stride, 0);
    for (std::size_t j = 0; j < keys.size(); ++j)
      for (std::size_t c = 0; c < width; ++c)
        right[c * stride + j] = entries(b, k)[keys[j] * width + c];
    for (std::size_t i = 0; i < rows.size(); i += strip) {
      const std::size_t count = std::min(strip, rows.size() - i);
      std::int64_t* const best = scores.data() + i * stride;
      kernels.product_rows(left.data() + i * width, count, width, right.data(), stride,
                           k == 0 ? best : out.data());
      if (k == 0) continue;
      for (std::size_t at = 0; at < count * stride; ++at) best[at] = std::max(best[at], out[at]);
    }
  }
  return stride;
}

}  // namespace qkcert
