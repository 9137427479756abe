#include <qkcert/core/errors.hpp>
#include <qkcert/verify/kernel.hpp>

// Highway compiles what stands between HWY_BEFORE_NAMESPACE and HWY_AFTER_NAMESPACE once for each
// instruction set, by including this file again. Its scalable vectors cannot be kept in arrays.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE_256 | HWY_SVE2 | HWY_SVE2_128 | HWY_RVV)
#define HWY_TARGET_INCLUDE "qkcert/verify/kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace qkcert {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

// No vectors: the definitions.
void score_tile(const std::int16_t* queries, std::size_t rows, const std::int16_t* keys,
                std::size_t key_count, std::span<const std::uint32_t> head_pairs, std::size_t pairs,
                std::int32_t* scores, std::int32_t* row_max) {
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t v = 0; v < key_count; ++v) {
      const std::int16_t* q = queries + r * pairs * 2;
      const std::int16_t* k = keys + (v / panel_keys * pairs * panel_keys + v % panel_keys) * 2;
      std::int32_t& best = scores[r * key_count + v];
      for (std::size_t head = 0; head < head_pairs.size(); ++head) {
        std::int32_t sum = 0;
        for (std::uint32_t p = 0; p < head_pairs[head]; ++p, q += 2, k += 2 * panel_keys)
          sum += q[0] * k[0] + q[1] * k[1];
        if (head == 0 || sum > best) best = sum;
      }
      if (v == 0 || best > row_max[r]) row_max[r] = best;
    }
}

#else

namespace hn = hwy::HWY_NAMESPACE;

using D16 = hn::CappedTag<std::int16_t, 2 * panel_keys>;
using D32 = hn::CappedTag<std::int32_t, panel_keys>;
using V16 = hn::Vec<D16>;
using V32 = hn::Vec<D32>;

/// sum + the products of both halves of each 32-bit lane.
HWY_INLINE V32 add_pair_products(V32 sum, V16 a, V16 b) {
#if HWY_ARCH_X86
  // VPMADDWD and VPADDD. VPDPWSSD (AVX512-VNNI) does both in one, and was slower where measured:
  // 163 against 205 G multiply-adds/s on Zen 5.
  V32 unused = sum;
  return hn::ReorderWidenMulAccumulate(D32(), a, b, sum, unused);
#else
  // Highway promises no order for the instruction above: the halves by sign-extending shifts.
  const V32 a32 = hn::BitCast(D32(), a), b32 = hn::BitCast(D32(), b);
  const V32 low = hn::Mul(hn::ShiftRight<16>(hn::ShiftLeft<16>(a32)),
                          hn::ShiftRight<16>(hn::ShiftLeft<16>(b32)));
  return sum + low + hn::Mul(hn::ShiftRight<16>(a32), hn::ShiftRight<16>(b32));
#endif
}

/// Two 16-bit entries as one 32-bit lane, in memory's order.
HWY_INLINE std::int32_t load_pair(const std::int16_t* at) {
  std::int32_t pair;
  __builtin_memcpy(&pair, at, sizeof pair);
  return pair;
}

/// Rows × two vectors of keys at a time: sums and maxima stay in registers (32 with AVX-512, else
/// 16, where some maxima spill).
constexpr std::size_t block_rows = HWY_TARGET <= HWY_AVX3 ? 6 : 3;  // lower is better
static_assert(kernel_rows % block_rows == 0);

HWY_INLINE void score_block(const std::int16_t* queries, const std::int16_t* keys0,
                            const std::int16_t* keys1, std::span<const std::uint32_t> head_pairs,
                            std::size_t pairs, std::int32_t* out0, std::int32_t* out1,
                            std::size_t out_stride) {
  V32 best[block_rows][2];
  std::size_t at = 0;
  for (std::size_t head = 0; head < head_pairs.size(); ++head) {
    V32 sum[block_rows][2];
    for (std::size_t r = 0; r < block_rows; ++r) sum[r][0] = sum[r][1] = hn::Zero(D32());
    for (const std::size_t end = at + head_pairs[head]; at < end; ++at) {
      const V16 k0 = hn::LoadU(D16(), keys0 + at * 2 * panel_keys);
      const V16 k1 = hn::LoadU(D16(), keys1 + at * 2 * panel_keys);
#pragma GCC unroll 6
      for (std::size_t r = 0; r < block_rows; ++r) {
        const V16 q = hn::BitCast(D16(), hn::Set(D32(), load_pair(queries + (r * pairs + at) * 2)));
        sum[r][0] = add_pair_products(sum[r][0], q, k0);
        sum[r][1] = add_pair_products(sum[r][1], q, k1);
      }
    }
#pragma GCC unroll 6
    for (std::size_t r = 0; r < block_rows; ++r)
      for (std::size_t c = 0; c < 2; ++c)
        best[r][c] = head == 0 ? sum[r][c] : hn::Max(best[r][c], sum[r][c]);
  }
#pragma GCC unroll 6
  for (std::size_t r = 0; r < block_rows; ++r) {
    hn::StoreU(best[r][0], D32(), out0 + r * out_stride);
    hn::StoreU(best[r][1], D32(), out1 + r * out_stride);
  }
}

void score_tile(const std::int16_t* queries, std::size_t rows, const std::int16_t* keys,
                std::size_t key_count, std::span<const std::uint32_t> head_pairs, std::size_t pairs,
                std::int32_t* scores, std::int32_t* row_max) {
  const std::size_t lanes = hn::Lanes(D32());
  const auto keys_at = [&](std::size_t v) {
    return keys + (v / panel_keys) * pairs * 2 * panel_keys + v % panel_keys * 2;
  };
  for (std::size_t v = 0; v < key_count; v += 2 * lanes)
    for (std::size_t r = 0; r < rows; r += block_rows) {
      std::int32_t* const out = scores + r * key_count + v;
      score_block(queries + r * pairs * 2, keys_at(v), keys_at(v + lanes), head_pairs, pairs, out,
                  out + lanes, key_count);
    }
  for (std::size_t r = 0; r < rows; ++r) {
    V32 best = hn::LoadU(D32(), scores + r * key_count);
    for (std::size_t v = lanes; v < key_count; v += lanes)
      best = hn::Max(best, hn::LoadU(D32(), scores + r * key_count + v));
    row_max[r] = hn::GetLane(hn::MaxOfLanes(D32(), best));
  }
}

#endif  // HWY_SCALAR

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_SSSE3  // no signed 32-bit products

void product_rows(const std::int64_t* a, std::size_t rows, std::size_t inner, const std::int64_t* b,
                  std::size_t cols, std::int64_t* out) {
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < cols; ++c) {
      std::int64_t sum = 0;
      for (std::size_t i = 0; i < inner; ++i) sum += a[r * inner + i] * b[i * cols + c];
      out[r * cols + c] = sum;
    }
}

#else

using D64 = hn::CappedTag<std::int64_t, product_columns>;
using V64 = hn::Vec<D64>;

/// Rows × one vector of columns at a time.
template <std::size_t Rows>
HWY_INLINE void product_block(const std::int64_t* a, std::size_t inner, const std::int64_t* b,
                              std::size_t cols, std::int64_t* out) {
  const hn::RepartitionToNarrow<D64> d32;
  V64 sum[Rows];
  for (std::size_t r = 0; r < Rows; ++r) sum[r] = hn::Zero(D64());
  for (std::size_t i = 0; i < inner; ++i) {
    const auto row = hn::BitCast(d32, hn::LoadU(D64(), b + i * cols));
#pragma GCC unroll 8
    for (std::size_t r = 0; r < Rows; ++r)
      sum[r] = sum[r] + hn::MulEven(hn::BitCast(d32, hn::Set(D64(), a[r * inner + i])), row);
  }
  for (std::size_t r = 0; r < Rows; ++r) hn::StoreU(sum[r], D64(), out + r * cols);
}

void product_rows(const std::int64_t* a, std::size_t rows, std::size_t inner, const std::int64_t* b,
                  std::size_t cols, std::int64_t* out) {
  for (std::size_t c = 0; c < cols; c += hn::Lanes(D64())) {
    std::size_t r = 0;
    for (; r + 8 <= rows; r += 8)
      product_block<8>(a + r * inner, inner, b + c, cols, out + r * cols + c);
    for (; r < rows; ++r) product_block<1>(a + r * inner, inner, b + c, cols, out + r * cols + c);
  }
}

#endif  // HWY_SCALAR || HWY_SSSE3

}  // namespace HWY_NAMESPACE
}  // namespace qkcert
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace qkcert {

HWY_EXPORT(score_tile);
HWY_EXPORT(product_rows);

namespace {

/// Highway's name in lower case.
std::string target_name(std::int64_t target) {
  std::string name = hwy::TargetName(target);
  for (char& c : name)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return name;
}

}  // namespace

std::string simd_names() {
  std::string names;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets())
    names += (names.empty() ? "" : " ") + target_name(target);
  return names;
}

Kernels kernels(const std::string& name) {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets())
    if (name.empty() || target_name(target) == name) {
      hwy::ChosenTarget chosen;
      chosen.Update(target);
      const std::size_t index = chosen.GetIndex();
      return {target_name(target), HWY_DISPATCH_TABLE(score_tile)[index],
              HWY_DISPATCH_TABLE(product_rows)[index]};
    }
  throw UsageError("no instruction set '" + name + "' here; there are: " + simd_names());
}

}  // namespace qkcert
#endif  // HWY_ONCE
