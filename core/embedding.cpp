#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <qkcert/core/embedding.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/random.hpp>

namespace qkcert {

namespace {

/// 2^30 entries are 8 GiB.
void require_storable(std::size_t vertices, std::size_t d_model) {
  if (Integer(vertices) * d_model > power_of_two(30))
    throw SizeError("an embedding of " + std::to_string(vertices) + " × " +
                    std::to_string(d_model) + " entries is too large: at most 2^30 are made");
}

}  // namespace

Embedding one_hot(std::size_t vertices) {
  require_storable(vertices, vertices);
  return {identity(vertices), 0};
}

bool is_one_hot(const Embedding& embedding) {
  if (embedding.vertices() != embedding.d_model()) return false;
  for (std::size_t v = 0; v < embedding.vertices(); ++v)
    for (std::size_t j = 0; j < embedding.d_model(); ++j)
      if (embedding.rows.at(v, j) != (v == j ? 1 : 0)) return false;
  return true;
}

Embedding gaussian_embedding(std::size_t vertices, std::size_t d_model, unsigned bits,
                             std::uint64_t seed) {
  if (vertices == 0 || d_model == 0)
    throw UsageError("a Gaussian embedding needs at least one vertex and one dimension");
  if (bits < 1 || bits > 52) throw UsageError("a Gaussian embedding needs 1 to 52 bits");
  require_storable(vertices, d_model);
  Random random(seed);
  Embedding embedding{Matrix(vertices, d_model), -std::int64_t{bits}};
  std::vector<double> row(d_model);
  for (std::size_t v = 0; v < vertices; ++v) {
    bool zero = true;
    for (int draws = 0; zero; ++draws) {
      if (draws == 100)
        throw UsageError("a Gaussian embedding of " + std::to_string(d_model) +
                         " dimensions needs more bits than " + std::to_string(bits));
      double squares = 0;
      for (double& x : row) {
        x = random.normal();
        squares += x * x;
      }
      for (std::size_t j = 0; j < d_model; ++j) {
        const auto entry =
            std::llround(std::ldexp(row[j] / std::sqrt(squares), static_cast<int>(bits)));
        embedding.rows.set(v, j, std::int64_t{entry});
        zero = zero && entry == 0;
      }
    }
  }
  return embedding;
}

Embedding dyadic_embedding(std::size_t vertices, std::size_t d_model,
                           const std::function<Dyadic(std::size_t)>& entry) {
  Embedding embedding{Matrix(vertices, d_model), 0};
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  std::int64_t least = none;
  for (std::size_t i = 0; i < vertices * d_model; ++i)
    if (const Dyadic x = entry(i); x.magnitude != 0)
      least = std::min<std::int64_t>(least, x.exponent + std::countr_zero(x.magnitude));
  if (least == none) return embedding;
  embedding.scale = least;
  for (std::size_t i = 0; i < vertices * d_model; ++i) {
    const Dyadic x = entry(i);
    if (x.magnitude == 0) continue;
    // The magnitude's own power of two joins the shift, which is then >= 0.
    const int zeros = std::countr_zero(x.magnitude);
    const std::int64_t shift = std::int64_t{x.exponent} + zeros - least;
    if (shift > (std::int64_t{1} << 20))
      throw SizeError("dyadic_embedding: the exponents are too far apart");
    const Integer size =
        Integer(x.magnitude >> zeros) * power_of_two(static_cast<std::size_t>(shift));
    embedding.rows.set(i / d_model, i % d_model, x.negative ? Integer(-size) : size);
  }
  return embedding;
}

}  // namespace qkcert
