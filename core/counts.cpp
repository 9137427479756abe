#include <algorithm>
#include <map>
#include <qkcert/core/counts.hpp>
#include <string>
#include <vector>

namespace qkcert {

namespace {

const Integer e_over = 27182818285;  // e < e_over / e_under
const Integer e_under = 10000000000;

SizeError not_computed(const std::string& what, std::uint64_t limit) {
  return SizeError("not computed: " + what + " beyond the limit of " + std::to_string(limit));
}

/// floor((8·e·N/n)^n), Warren's bound on the sign vectors of N polynomials of degree 2.
Magnitude sign_vectors(const Integer& polynomials, std::uint64_t variables, std::size_t bits) {
  return floor_quotient(power(Magnitude(8 * e_over * polynomials, bits), variables),
                        power(Magnitude(e_under * variables, bits), variables));
}

}  // namespace

// ---- B1+

std::uint64_t least_columns(const Integer& d_model, const Integer& weight_max,
                            const Integer& target) {
  require(d_model >= 1 && weight_max >= 1, "least_columns: d_model, weight_max >= 1 are required");
  if (target <= 1) return 0;
  const Integer levels = 2 * weight_max + 1;
  // With t = target and L^d >= 2t there are (2t-1)²/2 >= t heads of width 1.
  if (power_at_least(levels, d_model, 2 * target)) return 1;
  // The count at D is at most L^(2dD) (docs/bounds.md, step 3).
  if (!power_at_least(levels, 2 * d_model * max_columns, target))
    throw not_computed("multisets of heads with more columns,", max_columns);
  const Integer side = power(levels, to_uint64(d_model).value()) - 1;  // L^d < 2·target
  const Integer forms = side * side / 2;
  return decide_by_enclosures([&](std::size_t bits) -> std::optional<std::uint64_t> {
    // With a_j = [t^j] of the product and c_k = Σ_{w | k} w·M_w, its logarithmic derivative gives
    // n·a_n = Σ_{k<=n} c_k·a_{n-k}.
    const Magnitude goal(target, bits);
    std::vector<Magnitude> counts{Magnitude(1, bits)}, divisor_sums(1, Magnitude(0, bits));
    divisor_sums.resize(max_columns + 1, Magnitude(0, bits));
    Magnitude heads(1, bits), total(1, bits);
    for (std::uint64_t n = 1; n <= max_columns; ++n) {
      heads = floor_quotient(heads * Magnitude(forms + (n - 1), bits), Magnitude(n, bits));
      for (std::uint64_t k = n; k <= max_columns; k += n)
        divisor_sums[k] += heads * Magnitude(n, bits);
      Magnitude sum(0, bits);
      for (std::uint64_t k = 1; k <= n; ++k) sum += divisor_sums[k] * counts[n - k];
      counts.push_back(floor_quotient(sum, Magnitude(n, bits)));
      total += counts.back();
      const auto reached = at_least(total, goal);
      if (!reached) return std::nullopt;
      if (*reached) return n;
    }
    throw not_computed("multisets of heads with more columns,", max_columns);
  });
}

// ---- B2

namespace {

/// The number of partitions of n, by Euler's pentagonal numbers.
Integer partitions(std::uint64_t n) {
  std::vector<Integer> counts{1};
  for (std::uint64_t i = 1; i <= n; ++i) {
    Integer sum = 0;
    for (std::uint64_t k = 1, at = 1; at <= i; ++k, at = k * (3 * k - 1) / 2) {
      Integer both = counts[i - at];
      if (at + k <= i) both += counts[i - at - k];
      if (k % 2 == 1)
        sum += both;
      else
        sum -= both;
    }
    counts.push_back(std::move(sum));
  }
  return counts[n];
}

}  // namespace

bool warren_applies(std::uint64_t vertices, std::uint64_t d) {
  return Integer(vertices) * vertices >= 2 * Integer(d) + 1;
}

bool warren_reaches(std::uint64_t vertices, std::uint64_t d, const Integer& key_dimension,
                    const Integer& target) {
  require(d >= 1 && key_dimension >= 0 && warren_applies(vertices, d),
          "warren_reaches: d >= 1, D >= 0 and m² >= 2·d + 1 are required");
  if (target <= 1) return true;
  if (key_dimension == 0) return false;
  const Integer variables = 2 * d * key_dimension + 1;
  if (4 * variables >= bit_length(target)) return true;
  const std::uint64_t n = to_uint64(variables).value();
  const Integer polynomials = key_dimension * vertices * vertices;
  const Integer root = sqrt(Integer(137 * key_dimension / 10));
  const Integer most = power_of_two(to_uint64(root).value() + 1);
  const auto reaches = [&](const Integer& splits) {
    return decide_by_enclosures([&](std::size_t bits) {
      return at_least(Magnitude(splits, bits) * sign_vectors(polynomials, n, bits),
                      Magnitude(target, bits));
    });
  };
  if (!reaches(most)) return false;
  if (key_dimension >= exact_partitions || reaches(1)) return true;
  return reaches(partitions(to_uint64(key_dimension).value()));
}

// ---- B2+

namespace {

/// Heads and Σ w_k².
using Shape = std::pair<std::uint64_t, std::uint64_t>;

/// For every T <= columns the sums of Π C(d, w_k) over the multisets of widths of total T, by
/// shape.
std::vector<std::map<Shape, Integer>> column_choices(std::uint64_t d, std::uint64_t columns) {
  std::vector<std::map<Shape, Integer>> choices(columns + 1);
  choices[0][{0, 0}] = 1;
  for (std::uint64_t w = 1; w <= std::min(d, columns); ++w) {
    const Integer sets = binomial(d, w);
    for (std::uint64_t total = w; total <= columns; ++total)  // rising: w may be taken again
      for (const auto& [shape, count] : choices[total - w])
        choices[total][{shape.first + 1, shape.second + w * w}] += sets * count;
  }
  return choices;
}

}  // namespace

std::uint64_t least_rank_columns(std::uint64_t vertices, std::uint64_t d, const Integer& target) {
  require(d >= 1 && d <= vertices, "least_rank_columns: 1 <= d <= m is required");
  if (target <= 1) return 0;
  // One head of width 1 has n = 2d-1 and a base of at least 16. Hence d is small below.
  if (4 * (2 * Integer(d) - 1) >= bit_length(target)) return 1;
  const Integer pairs = Integer(vertices) * vertices;
  for (std::uint64_t columns = 8; columns <= max_rank_columns; columns *= 2) {
    const auto choices = column_choices(d, columns);
    const std::uint64_t least = decide_by_enclosures([&](std::size_t bits) {
      Magnitude total(1, bits);
      for (std::uint64_t t = 1; t <= columns; ++t) {
        for (const auto& [shape, count] : choices[t])
          total += Magnitude(2 * count, bits) *
                   sign_vectors(shape.first * pairs, 2 * d * t - shape.second, bits);
        const auto reached = at_least(total, Magnitude(target, bits));
        if (!reached) return std::optional<std::uint64_t>();
        if (*reached) return std::optional(t);
      }
      return std::optional(columns + 1);
    });
    if (least <= columns) return least;
  }
  throw not_computed("splits into ranks with more columns,", max_rank_columns);
}

// ---- B2' and B2''

bool dichotomies_reach(std::uint64_t vertices, std::uint64_t d, const Integer& heads,
                       const Integer& target) {
  require(d >= 1 && heads >= 0, "dichotomies_reach: d >= 1 and heads >= 0 are required");
  if (target <= 1) return true;
  if (heads == 0) return false;
  if (heads >= bit_length(target)) return true;  // the count is at least 2
  const std::uint64_t power_of = to_uint64(heads).value();
  const Integer others = Integer(vertices) * vertices - 1;
  const Integer most = std::min(Integer(Integer(d) * d), others);
  // C(n, k) >= (n/k)^k for k <= n: often enough by itself.
  const Integer some = std::min(most, Integer(bit_length(target)));
  if (some > 0 && some * (bit_length(others / some) - 1) * heads >= bit_length(target)) return true;
  if (most > max_subset_size) throw not_computed("sums of more binomials", max_subset_size);
  return decide_by_enclosures([&](std::size_t bits) -> std::optional<bool> {
    const Magnitude goal(target, bits);
    Magnitude binomial(1, bits), sum(1, bits);
    for (std::uint64_t i = 0; i < most; ++i) {
      binomial = floor_quotient(binomial * Magnitude(others - i, bits), Magnitude(i + 1, bits));
      sum += binomial;
    }
    sum *= Magnitude(2, bits);
    return at_least(power(sum, power_of), goal);
  });
}

}  // namespace qkcert
