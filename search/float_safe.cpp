#include <algorithm>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/row_products.hpp>
#include <qkcert/search/float_safe.hpp>

namespace qkcert {

namespace {

/// Exponents from `least` to `most`; none when they cross.
struct Exponents {
  std::int64_t least, most;

  void narrow(std::int64_t from, std::int64_t to) {
    least = std::max(least, from);
    most = std::min(most, to);
  }
  std::int64_t nearest_to_zero() const {
    return least > most ? least : std::clamp<std::int64_t>(0, least, most);
  }
};

/// The bit lengths of non-zero entries.
struct Bits {
  std::size_t least = 0, most = 0;

  void add(const Matrix& matrix) {
    for (std::size_t i = 0; i < matrix.rows(); ++i)
      for (std::size_t j = 0; j < matrix.cols(); ++j) {
        const std::size_t bits = bit_length(matrix.at(i, j));
        if (bits == 0) continue;
        least = least == 0 ? bits : std::min(least, bits);
        most = std::max(most, bits);
      }
  }

  /// The scales at which all are normal.
  Exponents scales(const FloatFormat& format) const {
    if (most == 0) return {-1000, 1000};
    return {format.least_exponent + 1 - static_cast<std::int64_t>(least),
            format.greatest_exponent + 1 - static_cast<std::int64_t>(most)};
  }
};

/// For each column j of the weights max_u Σ_i |x_ui|·|w_ij|.
std::vector<Integer> largest_projections(const RowProducts& abs_rows, const Matrix& weights) {
  std::vector<Integer> largest(weights.cols());
  std::vector<Integer> column(weights.rows());
  for (std::size_t j = 0; j < weights.cols(); ++j) {
    for (std::size_t i = 0; i < weights.rows(); ++i) column[i] = abs(weights.at(i, j));
    for (const Integer& product : abs_rows.with(column)) largest[j] = std::max(largest[j], product);
  }
  return largest;
}

/// The sums of both scales at which queries, keys and scores are in range. As 1 + Γ < 2 (fp16 and
/// bf16 round by little, and heads of millions of columns are refused anyway), one bit is enough.
Exponents sum_scales(const RecoveryClaim& claim, const FloatFormat& format) {
  Matrix abs_rows(claim.embedding.rows(), claim.embedding.cols());
  for (std::size_t i = 0; i < abs_rows.rows(); ++i)
    for (std::size_t j = 0; j < abs_rows.cols(); ++j)
      abs_rows.set(i, j, Integer(abs(claim.embedding.at(i, j))));
  const RowProducts products(abs_rows);
  Exponents sums{std::max(format.least_exponent, fp32.least_exponent / 2), 1000};
  std::int64_t score_bits = static_cast<std::int64_t>(bit_length(claim.threshold));
  for (const Head& head : claim.channel.heads) {
    if (claim.embedding.cols() == 0) break;
    const auto query = largest_projections(products, head.query);
    const auto key = largest_projections(products, head.key);
    Integer score = 0;
    for (std::size_t j = 0; j < query.size(); ++j) score += query[j] * key[j];
    score_bits = std::max(score_bits, static_cast<std::int64_t>(bit_length(score)));
    for (const auto& largest : {query, key})
      for (const Integer& x : largest)
        if (x != 0)
          sums.most = std::min(sums.most,
                               format.greatest_exponent - static_cast<std::int64_t>(bit_length(x)));
  }
  if (score_bits > 0) sums.most = std::min(sums.most, (fp32.greatest_exponent - score_bits) >> 1);
  return sums;
}

/// The nearest integer that has at most 24 significant bits.
Integer rounded_to_fp32(const Integer& x) {
  const auto precision = static_cast<std::size_t>(fp32.precision);
  if (bit_length(x) <= precision) return x;
  const Integer step = power_of_two(bit_length(x) - precision);
  return floor_quotient(x + step / 2, step) * step;
}

}  // namespace

FloatSafeClaim float_safe_claim(const RecoveryClaim& recovery, const FloatFormat& format) {
  require(recovery.graph.vertices() == recovery.embedding.rows(),
          "float_safe_claim: one row per vertex is required");
  require_valid(recovery.channel, recovery.embedding.cols());
  Bits entries, weights;
  entries.add(recovery.embedding);
  for (const Head& head : recovery.channel.heads) weights.add(head.query), weights.add(head.key);
  const Exponents sums = sum_scales(recovery, format);
  Exponents embedding = entries.scales(format);
  Exponents weight = weights.scales(format);
  embedding.narrow(sums.least - weight.most, std::max(sums.least, sums.most) - weight.least);
  const std::int64_t embedding_scale = embedding.nearest_to_zero();
  weight.narrow(sums.least - embedding_scale, std::max(sums.least, sums.most) - embedding_scale);
  return {format,          Integer(embedding_scale), Integer(weight.nearest_to_zero()),
          recovery.graph,  recovery.embedding,       rounded_to_fp32(recovery.threshold),
          recovery.channel};
}

}  // namespace qkcert
