#pragma once
/// The binary floating-point formats of hardware, as integers: nothing here computes in them.

#include <array>
#include <optional>
#include <string_view>

namespace qkcert {

/// The finite normal numbers of a format are f·2^(e-precision+1) with 2^(precision-1) <= |f| <
/// 2^precision and least_exponent <= e <= greatest_exponent. Rounding to nearest has a relative
/// error of at most 2^-precision.
struct FloatFormat {
  std::string_view name;
  int precision;
  int least_exponent;
  int greatest_exponent;

  friend bool operator==(const FloatFormat&, const FloatFormat&) = default;
};

inline constexpr FloatFormat fp32{"fp32", 24, -126, 127};
inline constexpr FloatFormat fp16{"fp16", 11, -14, 15};
inline constexpr FloatFormat bf16{"bf16", 8, -126, 127};
inline constexpr std::array float_formats{fp32, fp16, bf16};

/// The format of that name.
constexpr std::optional<FloatFormat> find_float_format(std::string_view name) {
  for (const FloatFormat& format : float_formats)
    if (format.name == name) return format;
  return std::nullopt;
}

}  // namespace qkcert
