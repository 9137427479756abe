#include <algorithm>
#include <cmath>
#include <qkcert/core/errors.hpp>
#include <qkcert/search/splits.hpp>
#include <span>

namespace qkcert {

namespace {

constexpr double few_factors[] = {0.8, 1.3, 0.5};
constexpr double many_factors[] = {0.8, 1.3, 0.5, 2.1, 0.3, 3.4, 0.2};

}  // namespace

std::vector<std::size_t> head_counts(std::size_t key_dimension, std::size_t d_model, Splits splits,
                                     std::optional<double> favourite) {
  require(key_dimension >= 1, "head_counts: a key dimension of at least 1 is required");
  const double total = static_cast<double>(key_dimension);
  const double root = std::sqrt(static_cast<double>(std::max<std::size_t>(d_model, 1)));
  const std::span<const double> factors =
      splits == Splits::few ? std::span<const double>(few_factors) : many_factors;
  std::vector<std::size_t> counts;
  const auto add = [&](std::size_t count) {
    if (std::find(counts.begin(), counts.end(), count) == counts.end()) counts.push_back(count);
  };
  for (const double factor : factors)
    add(std::clamp<std::size_t>(static_cast<std::size_t>(std::llround(total / (factor * root))), 1,
                                key_dimension));
  // More columns than d_model bring one head nothing.
  if (splits == Splits::many && key_dimension <= d_model) add(1);
  if (favourite)
    std::stable_sort(counts.begin(), counts.end(), [&](std::size_t a, std::size_t b) {
      const auto distance = [&](std::size_t count) {
        return std::abs(std::log(total / static_cast<double>(count) / *favourite));
      };
      return distance(a) < distance(b);
    });
  return counts;
}

std::optional<Request> with_split(const Method& method, const Request& base,
                                  std::size_t key_dimension, std::size_t heads) {
  Request request = base;
  if (method.takes_key_dimension) {
    request.key_dimension = key_dimension;
    if (!base.heads && !base.head_dim && method.takes_heads) request.heads = heads;
    return request;
  }
  if (!method.takes_heads && !method.takes_head_dim) return std::nullopt;
  if (!method.takes_heads) heads = 1;
  if (base.heads) heads = *base.heads;
  const std::size_t width = base.head_dim.value_or(key_dimension / heads);
  if (base.head_dim && !base.heads && method.takes_heads) heads = key_dimension / width;
  if (heads == 0 || width == 0) return std::nullopt;
  if (method.takes_heads) request.heads = heads;
  if (method.takes_head_dim) request.head_dim = width;
  return request;
}

Request with_architecture(const Method& method, const Request& base,
                          const Architecture& architecture) {
  Request request = base;
  request.heads.reset();
  request.head_dim.reset();
  request.key_dimension.reset();
  if (method.takes_heads) request.heads = architecture.heads;
  if (architecture.wider > 0)
    request.key_dimension = architecture.key_dimension();
  else if (method.takes_head_dim)
    request.head_dim = architecture.head_dim;
  return request;
}

}  // namespace qkcert
