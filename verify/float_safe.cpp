#include <algorithm>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/row_products.hpp>
#include <qkcert/verify/float_safe.hpp>
#include <qkcert/verify/margins.hpp>
#include <qkcert/verify/text.hpp>

namespace qkcert {

FloatSafeClaim read_float_safe(ClaimReader& in) {
  FloatSafeClaim claim;
  in.text().expect("format ");
  const std::size_t at = in.text().offset();
  const auto format = find_float_format(in.text().word());
  if (!format) in.text().fail_at(at, "fp32, fp16 or bf16");
  claim.format = *format;
  in.text().expect("\nscale ");
  claim.embedding_scale = in.integer();
  in.text().expect(" ");
  claim.weight_scale = in.integer();
  in.text().expect("\n");
  claim.graph = in.graph();
  claim.embedding = in.embedding(claim.graph.vertices());
  in.text().expect("decoder threshold-max ");
  claim.threshold = in.integer();
  in.text().expect("\n");
  claim.channel = in.channel(claim.embedding.cols());
  return claim;
}

void write_body(ClaimWriter& out, const FloatSafeClaim& claim) {
  require(claim.graph.vertices() == claim.embedding.rows(), "one row per vertex is required");
  require_valid(claim.channel, claim.embedding.cols());
  out.line("format ", std::string(claim.format.name));
  out.line("scale ", to_decimal(claim.embedding_scale), " ", to_decimal(claim.weight_scale));
  out.graph(claim.graph);
  out.embedding(claim.embedding);
  out.integer_line("decoder threshold-max", claim.threshold);
  out.channel(claim.channel);
}

RoundOff round_off(const FloatFormat& format, std::size_t d_model, std::size_t width) {
  const Integer roundings = 2 * Integer(d_model) + width;
  require(roundings < power_of_two(24), "round_off: fewer than 2^24 roundings are required");
  const auto p = static_cast<std::size_t>(format.precision);
  const Integer denominator = (power_of_two(24) - roundings) * (power_of_two(p - 1) - 1);
  return {power_of_two(p + 23) - denominator, denominator};
}

namespace {

/// Why x·2^scale is no normal number of the format; empty when it is, or is 0.
std::string unfit(const Integer& x, const Integer& scale, const FloatFormat& format) {
  if (x == 0) return "";
  const std::size_t bits = bit_length(x);
  const std::size_t significant = bits - boost::multiprecision::lsb(Integer(abs(x)));
  if (significant > static_cast<std::size_t>(format.precision))
    return "has " + std::to_string(significant) + " significant bits, and " +
           std::string(format.name) + " holds " + std::to_string(format.precision);
  const Integer exponent = scale + bits - 1;
  if (exponent < format.least_exponent || exponent > format.greatest_exponent)
    return "has the exponent " + to_decimal(exponent) + ", and " + std::string(format.name) +
           " has those from " + std::to_string(format.least_exponent) + " to " +
           std::to_string(format.greatest_exponent);
  return "";
}

/// The same of the first such entry of a matrix.
std::string unfit(const Matrix& matrix, const std::string& name, const Integer& scale,
                  const FloatFormat& format) {
  for (std::size_t i = 0; i < matrix.rows(); ++i)
    for (std::size_t j = 0; j < matrix.cols(); ++j)
      if (const std::string reason = unfit(matrix.at(i, j), scale, format); !reason.empty())
        return name + " at row " + std::to_string(i) + ", column " + std::to_string(j) + ", " +
               count_text(matrix.at(i, j)) + ", " + reason;
  return "";
}

/// Whether (1+Γ)·x·2^scale is at most the format's greatest number, (2^p - 1)·2^(e-p+1). x >= 0.
bool in_range(const Integer& x, const RoundOff& gamma, const Integer& scale,
              const FloatFormat& format) {
  if (x == 0) return true;
  if (scale > format.greatest_exponent) return false;  // x >= 1
  const Integer left = x * (gamma.numerator + gamma.denominator);
  const Integer right =
      (power_of_two(static_cast<std::size_t>(format.precision)) - 1) * gamma.denominator;
  // By condition 3 the scale is above -2^8, and the shift below 2^9.
  const std::int64_t shift =
      format.greatest_exponent - format.precision + 1 - to_int64(scale).value();
  const Integer power = power_of_two(static_cast<std::size_t>(std::abs(shift)));
  return shift >= 0 ? left <= right * power : left * power <= right;
}

Matrix absolute(const Matrix& matrix) {
  Matrix result(matrix.rows(), matrix.cols());
  for (std::size_t i = 0; i < matrix.rows(); ++i)
    for (std::size_t j = 0; j < matrix.cols(); ++j) result.set(i, j, Integer(abs(matrix.at(i, j))));
  return result;
}

/// rows·weights. Without d_model all of it is 0 whatever its width, and none is stored.
Matrix projected(const Matrix& rows, const Matrix& weights) {
  if (rows.cols() == 0) return Matrix(rows.rows(), 0);
  const RowProducts products(rows);
  Matrix result(rows.rows(), weights.cols());
  std::vector<Integer> column(weights.rows());
  for (std::size_t j = 0; j < weights.cols(); ++j) {
    for (std::size_t i = 0; i < weights.rows(); ++i) column[i] = weights.at(i, j);
    const std::vector<Integer> entries = products.with(column);
    for (std::size_t v = 0; v < entries.size(); ++v) result.set(v, j, entries[v]);
  }
  return result;
}

std::string head_name(std::size_t k) { return "head " + std::to_string(k); }

/// Conditions 1 to 3.
std::string unfit(const FloatSafeClaim& claim) {
  const FloatFormat& format = claim.format;
  const Integer scale = claim.embedding_scale + claim.weight_scale;
  for (std::size_t k = 0; k < claim.channel.heads.size(); ++k)
    if (2 * Integer(claim.embedding.cols()) + claim.channel.heads[k].width() >= power_of_two(24))
      return head_name(k) + " is too wide: 2·d_model + width must be below 2^24";
  if (const std::string reason =
          unfit(claim.embedding, "the embedding", claim.embedding_scale, format);
      !reason.empty())
    return reason;
  for (std::size_t k = 0; k < claim.channel.heads.size(); ++k)
    for (const auto& [weights, name] : {std::pair(&claim.channel.heads[k].query, ": query"),
                                        std::pair(&claim.channel.heads[k].key, ": key")})
      if (const std::string reason =
              unfit(*weights, head_name(k) + name, claim.weight_scale, format);
          !reason.empty())
        return reason;
  if (const std::string reason = unfit(claim.threshold, 2 * scale, fp32); !reason.empty())
    return "the threshold " + count_text(claim.threshold) + " " + reason;
  if (scale < format.least_exponent || 2 * scale < fp32.least_exponent)
    return "the scales add up to " + to_decimal(scale) +
           ", which leaves room for subnormal intermediates";
  return "";
}

std::string outside(const std::string& what, std::size_t k, const Integer& x, const Integer& scale,
                    const FloatFormat& format) {
  return head_name(k) + ": " + what + " may reach (1 + Γ)·" + count_text(x) + "·2^" +
         to_decimal(scale) + ", which is beyond the range of " + std::string(format.name);
}

/// The margin, rounded down.
std::string margin_text(const Margin& margin) {
  return to_decimal(Rational(margin.distance, margin.error), 3, Rounding::down) +
         " times the error bound";
}

std::string not_safe(const char* kind, const Margin& margin, const Integer& threshold) {
  return "the " + std::string(kind) + " " + show(margin.pair) +
         " is not safe in floats: its distance to the threshold " + count_text(threshold) + " is " +
         margin_text(margin) + " in " + head_name(margin.head);
}

std::string holds_text(const FloatSafeClaim& claim, const Margins& margins) {
  const std::size_t heads = claim.channel.heads.size();
  std::string text =
      "float-safe: " + instance_text(claim.graph, claim.embedding) + ": " + std::to_string(heads) +
      (heads == 1 ? " head" : " heads") + ", D_K " + std::to_string(claim.channel.key_dimension()) +
      ", embedding times 2^" + to_decimal(claim.embedding_scale) + " and weights times 2^" +
      to_decimal(claim.weight_scale) + " in " + std::string(claim.format.name) +
      ", sums in fp32 in any order: decides every pair as exact arithmetic does under "
      "threshold-max " +
      count_text(claim.threshold);
  const Margin* least = margins.edge ? &*margins.edge : nullptr;
  if (const auto& other = margins.nonedge;
      other && (!least || other->distance * least->error < least->distance * other->error))
    least = &*other;
  text += least ? " (least margin " + margin_text(*least) + " at the pair " + show(least->pair) +
                      ", " + head_name(least->head) + ")"
                : " (every score is exact)";
  return text +
         "; not covered: accumulators that truncate or align in blocks (tensor cores), TF32, "
         "scores "
         "rounded below fp32, reassociation into X(W_QW_K^T)X^T, a factor 1/√d_k";
}

}  // namespace

Verdict decide(const FloatSafeClaim& claim, unsigned threads, const Progress& progress) {
  require(claim.graph.vertices() == claim.embedding.rows(), "one row per vertex is required");
  require_valid(claim.channel, claim.embedding.cols());
  if (const std::string reason = unfit(claim); !reason.empty()) return {false, reason};
  const Integer scale = claim.embedding_scale + claim.weight_scale;
  const Matrix abs_rows = absolute(claim.embedding);
  std::vector<MarginHead> heads;
  for (std::size_t k = 0; k < claim.channel.heads.size(); ++k) {
    const auto& [query, key] = claim.channel.heads[k];
    const RoundOff gamma = round_off(claim.format, claim.embedding.cols(), query.cols());
    heads.push_back({projected(claim.embedding, query), projected(claim.embedding, key),
                     projected(abs_rows, absolute(query)), projected(abs_rows, absolute(key)),
                     gamma.numerator, gamma.denominator});
    for (const auto& [rows, name] :
         {std::pair(&heads[k].abs_query, "queries"), std::pair(&heads[k].abs_key, "keys")})
      if (const Integer largest = rows->max_abs(); !in_range(largest, gamma, scale, claim.format))
        return {false, outside(name, k, largest, scale, claim.format)};
  }
  const Margins margins = least_margins(claim.graph, heads, claim.threshold, threads, progress);
  for (std::size_t k = 0; k < heads.size(); ++k)
    if (!in_range(margins.largest[k], {heads[k].numerator, heads[k].denominator}, 2 * scale, fp32))
      return {false, outside("scores", k, margins.largest[k], 2 * scale, fp32)};
  if (const auto& edge = margins.edge; edge && edge->distance <= edge->error)
    return {false, not_safe("edge", *edge, claim.threshold)};
  if (const auto& other = margins.nonedge; other && other->distance < other->error)
    return {false, not_safe("non-edge", *other, claim.threshold)};
  return {true, holds_text(claim, margins)};
}

}  // namespace qkcert
