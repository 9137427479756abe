#include <qkcert/bounds/margin.hpp>
#include <qkcert/core/errors.hpp>

namespace qkcert {

namespace {

Rational rational_power(const Rational& base, std::uint64_t exponent) {
  return Rational(power(numerator(base), exponent), power(denominator(base), exponent));
}

}  // namespace

MarginBound margin_bound(const Integer& vertices, const Rational& edge_ratio,
                         const Rational& nonedge_ratio) {
  if (vertices < 1) throw UsageError("the margin bound needs a vertex");
  if (edge_ratio < 1) throw UsageError("the margin bound needs an edge ratio of at least 1");
  if (nonedge_ratio < 0) throw UsageError("the margin bound needs a non-edge ratio of at least 0");
  MarginBound best{vertices, edge_ratio, nonedge_ratio, 1, 1};
  for (std::uint64_t t = 1; t <= max_margin_power; ++t) {
    const Rational ratio =
        Rational(vertices) / (rational_power(edge_ratio, 2 * t) +
                              Rational(vertices - 1) * rational_power(nonedge_ratio, 2 * t));
    // Invariant: `low` has the property and `high` has not.
    Integer low = 1, high = vertices + 1;
    while (high - low > 1) {
      const Integer middle = (low + high) / 2;
      (Rational(binomial(middle + t - 2, t)) < ratio ? low : high) = middle;
    }
    if (low > best.rank) best.power = t, best.rank = low;
  }
  return best;
}

}  // namespace qkcert
