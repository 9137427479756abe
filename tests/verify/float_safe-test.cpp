#include <bit>
#include <cmath>
#include <functional>
#include <qkcert/core/errors.hpp>
#include <qkcert/search/attempt.hpp>
#include <qkcert/search/float_safe.hpp>
#include <qkcert/verify/certificate.hpp>
#include <qkcert/verify/float_safe.hpp>

#include "support.hpp"
#include "verify/slow_checker.hpp"

namespace qkcert {
namespace {

using namespace test;

std::string refusal(const FloatSafeClaim& claim) {
  const Verdict verdict = check(claim, 1);
  CHECK_FALSE(verdict.holds);
  CHECK_FALSE(SlowChecker::accepts(write_certificate(claim)));
  return verdict.text;
}

// ---- Γ

TEST_CASE("round_off is the product of both gammas, exactly") {
  for (const FloatFormat& format : float_formats)
    for (const std::size_t d_model : {0, 1, 7, 4096})
      for (const std::size_t width : {1, 12, 300}) {
        const Rational u(1, power_of_two(24));
        const Rational v(1, power_of_two(static_cast<std::size_t>(format.precision)));
        const Rational n(2 * d_model + width);
        const Rational gamma = n * u / (1 - n * u), other = 2 * v / (1 - 2 * v);
        const RoundOff found = round_off(format, d_model, width);
        CHECK(Rational(found.numerator, found.denominator) == (1 + gamma) * (1 + other) - 1);
        CHECK(bit_length(found.numerator) <= 48);
        CHECK(bit_length(found.denominator) <= 48);
      }
  CHECK_NOTHROW(round_off(bf16, (1 << 23) - 1, 1));
  CHECK_THROWS_AS(round_off(bf16, 1 << 23, 0), ShapeError);
}

// ---- real arithmetic

/// x rounded to the nearest number of a format of so many bits, ties to even; no range.
double rounded(double x, int precision) {
  if (x == 0) return 0;
  const int shift = precision - 1 - std::ilogb(x);
  return std::ldexp(std::nearbyint(std::ldexp(x, shift)), -shift);
}

/// A sum in fp32, in one of many orders.
float sum_in_order(std::vector<float> terms, std::uint64_t order, Random& random) {
  if (order == 1) std::reverse(terms.begin(), terms.end());
  if (order >= 2) {  // merges two of the partial sums, random ones or neighbours, until one is left
    while (terms.size() > 1) {
      const std::size_t i = order == 2 ? random.below(terms.size()) : 0;
      std::swap(terms[i], terms.back());
      const float taken = terms.back();
      terms.pop_back();
      const std::size_t j = order == 2 ? random.below(terms.size()) : terms.size() - 1;
      volatile float sum = terms[j] + taken;
      terms[j] = sum;
      if (order == 3) std::rotate(terms.begin(), terms.begin() + 1, terms.end());
    }
    return terms.empty() ? 0 : terms[0];
  }
  volatile float sum = 0;
  for (const float term : terms) sum = sum + term;
  return sum;
}

float product_sum(const std::vector<float>& a, const std::vector<float>& b, std::uint64_t order,
                  Random& random) {
  if (order == 4) {  // fused
    float sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum = std::fma(a[i], b[i], sum);
    return sum;
  }
  std::vector<float> terms;
  for (std::size_t i = 0; i < a.size(); ++i) {
    volatile float product = a[i] * b[i];
    terms.push_back(float{product});
  }
  return sum_in_order(std::move(terms), order, random);
}

float to_float(const Integer& x, const Integer& scale) {
  return std::ldexp(static_cast<float>(static_cast<double>(x)), static_cast<int>(scale));
}

std::vector<float> project(const FloatSafeClaim& claim, std::size_t u, const Matrix& weights,
                           std::uint64_t order, Random& random) {
  std::vector<float> row, result;
  for (std::size_t i = 0; i < weights.rows(); ++i)
    row.push_back(to_float(claim.embedding.at(u, i), claim.embedding_scale));
  for (std::size_t j = 0; j < weights.cols(); ++j) {
    std::vector<float> column;
    for (std::size_t i = 0; i < weights.rows(); ++i)
      column.push_back(to_float(weights.at(i, j), claim.weight_scale));
    result.push_back(static_cast<float>(
        rounded(product_sum(row, column, order, random), claim.format.precision)));
  }
  return result;
}

/// The exact integers S and A of a pair in a head.
std::pair<Integer, Integer> exact_score(const FloatSafeClaim& claim, const Head& head, Edge pair) {
  Integer score, size;
  for (std::size_t j = 0; j < head.width(); ++j) {
    Integer q, k, abs_q, abs_k;
    for (std::size_t i = 0; i < claim.embedding.cols(); ++i) {
      const Integer a = claim.embedding.at(pair.source, i) * head.query.at(i, j);
      const Integer b = claim.embedding.at(pair.target, i) * head.key.at(i, j);
      q += a, k += b, abs_q += abs(a), abs_k += abs(b);
    }
    score += q * k;
    size += abs_q * abs_k;
  }
  return {score, size};
}

Rational exact(float x) {
  int exponent;
  const auto fraction = static_cast<std::int64_t>(std::ldexp(std::frexp(x, &exponent), 24));
  exponent -= 24;
  const Integer two = power_of_two(static_cast<std::size_t>(std::abs(exponent)));
  return exponent < 0 ? Rational(fraction, two) : Rational(Integer(fraction * two));
}

/// A random channel with the graph that it recognises at some threshold between two of its scores.
FloatSafeClaim random_claim(Random& random, const FloatFormat& format) {
  const std::size_t m = 2 + random.below(4), d_model = 1 + random.below(12);
  const auto bits = static_cast<unsigned>(1 + random.below(format.precision == 24 ? 12 : 5));
  FloatSafeClaim claim{format,
                       Integer(static_cast<int>(random.below(7)) - 3),
                       Integer(static_cast<int>(random.below(7)) - 3),
                       {},
                       random_matrix(random, m, d_model, bits),
                       0,
                       random_channel(random, d_model, 3, 6, bits)};
  std::vector<Integer> best(m * m);
  for (std::size_t i = 0; i < m * m; ++i)
    for (std::size_t k = 0; k < claim.channel.heads.size(); ++k) {
      const Integer score = exact_score(claim, claim.channel.heads[k], {i / m, i % m}).first;
      best[i] = k == 0 ? score : std::max(best[i], score);
    }
  std::vector<Integer> sorted = best;
  std::sort(sorted.begin(), sorted.end());
  const std::size_t at = random.below(sorted.size() - 1);
  claim.threshold = floor_quotient(sorted[at] + sorted[at + 1], 2);
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < m * m; ++i)
    if (best[i] > claim.threshold) edges.push_back({i / m, i % m});
  claim.graph = Graph(m, std::move(edges));
  return claim;
}

TEST_CASE("hardware floats decide as the claim says, in every order of summation") {
  std::size_t holding = 0, wrong_outside = 0;
  repeat(1500, [&](Random& random) {
    const FloatFormat& format = float_formats[random.below(3)];
    const FloatSafeClaim claim = random_claim(random, format);
    const bool holds = check(claim, 1).holds;
    CHECK(SlowChecker::accepts(write_certificate(claim)) == holds);
    holding += holds;
    const Integer scale = 2 * (claim.embedding_scale + claim.weight_scale);
    const float threshold = to_float(claim.threshold, scale);
    const Rational unit = exact(to_float(1, scale));
    bool wrong = false;
    for (std::uint64_t order = 0; order < 5; ++order)
      for (std::size_t u = 0; u < claim.embedding.rows(); ++u)
        for (std::size_t v = 0; v < claim.embedding.rows(); ++v) {
          bool above = false;
          for (const Head& head : claim.channel.heads) {
            const float score =
                product_sum(project(claim, u, head.query, order, random),
                            project(claim, v, head.key, order, random), order, random);
            above = above || score > threshold;
            const auto [exact_value, size] = exact_score(claim, head, {u, v});
            const RoundOff gamma = round_off(format, claim.embedding.cols(), head.width());
            const Rational error = abs(exact(score) / unit - Rational(exact_value));
            if (error * gamma.denominator > Rational(gamma.numerator * size))
              FAIL("a score is outside its bound at the pair " << u << " " << v);
          }
          wrong = wrong || above != claim.graph.contains({u, v});
        }
    if (wrong && holds) FAIL("a decision differs although the claim holds");
    wrong_outside += wrong;
  });
  CHECK(holding >= 200 * multiplier());
  CHECK(wrong_outside >= 1);  // the claim is not empty
}

// ---- each condition at its limit, by hand

/// One vertex, d_model 1: S = x·q·x·k in a head of width one.
FloatSafeClaim one(const FloatFormat& format, const Integer& x, const Integer& query,
                   const Integer& key, const Integer& threshold, bool edge, int a = 0, int b = 0) {
  const auto single = [](const Integer& entry) {
    Matrix matrix(1, 1);
    matrix.set(0, 0, entry);
    return matrix;
  };
  std::vector<Edge> edges;
  if (edge) edges.push_back({0, 0});
  return {format,
          Integer(a),
          Integer(b),
          Graph(1, std::move(edges)),
          single(x),
          threshold,
          {{{single(query), single(key)}}}};
}

TEST_CASE("the margins are decided exactly: strictly on edges, not strictly elsewhere") {
  // n = 3, p = 8: G = (2^24 - 3)·127, F = 2^31 - G. With S = A the edge needs (S - τ)·G > F·S.
  const RoundOff gamma = round_off(bf16, 1, 1);
  const Integer total = gamma.numerator + gamma.denominator;
  for (const int tau : {1, 100, 12345}) {
    // The least safe S on an edge, and the greatest safe S = A off it.
    const Integer edge = floor_quotient(gamma.denominator * tau, 2 * gamma.denominator - total) + 1;
    const Integer other = floor_quotient(gamma.denominator * tau, total);
    for (const int offset : {-1, 0, 1}) {
      const auto holds = [&](const Integer& score, bool is_edge) {
        if (score <= 0) return;
        // S in pieces that fit: x = 1, q = 1, k = score may have too many bits for bf16.
        FloatSafeClaim claim = one(bf16, 1, 1, 1, tau, is_edge);
        claim.format = bf16;
        Channel& channel = claim.channel;
        std::vector<Integer> keys;
        for (Integer rest = score; rest > 0;) {
          const std::size_t bits = bit_length(rest);
          const Integer piece = power_of_two(bits - 1);
          keys.push_back(piece);
          rest -= piece;
        }
        channel.heads[0] = {Matrix(1, keys.size()), Matrix(1, keys.size())};
        for (std::size_t j = 0; j < keys.size(); ++j) {
          channel.heads[0].query.set(0, j, std::int64_t{1});
          channel.heads[0].key.set(0, j, keys[j]);
        }
        const RoundOff here = round_off(bf16, 1, keys.size());
        const bool expected = is_edge ? (score - tau) * here.denominator > here.numerator * score
                                      : (tau - score) * here.denominator >= here.numerator * score;
        CHECK(check(claim, 1).holds == expected);
        CHECK(SlowChecker::accepts(write_certificate(claim)) == expected);
      };
      holds(edge + offset, true);
      holds(other + offset, false);
    }
  }
}

TEST_CASE("a margin of exactly one error bound is enough off edges and not on them") {
  // n = 2 + 62: G is divisible by 64, so that τ is an fp32 number. S = A = G as a sum of powers of two.
  const auto [numerator, denominator] = round_off(bf16, 1, 62);
  FloatSafeClaim claim = one(bf16, 1, 1, 1, 0, false);
  Head& head = claim.channel.heads[0];
  head = {Matrix(1, 62), Matrix(1, 62)};
  for (std::size_t j = 0; j < 62; ++j) {
    head.query.set(0, j, std::int64_t{1});
    if (bit_test(denominator, static_cast<unsigned>(j))) head.key.set(0, j, power_of_two(j));
  }
  claim.threshold = denominator + numerator;
  CHECK(check(claim, 1).holds);
  claim.threshold -= 128;
  CHECK(refusal(claim).ends_with("is 0.999 times the error bound in head 0"));
  claim.graph = Graph(1, {{0, 0}});
  claim.threshold = denominator - numerator;
  CHECK(refusal(claim).ends_with("is 1.000 times the error bound in head 0"));
  claim.threshold -= 128;
  CHECK(check(claim, 1).holds);
}

TEST_CASE("the error bound itself is reached by the margin off edges, and is not enough on them") {
  // Γ·A is no integer here unless A is 0: where it is, the margin of an edge must exceed it.
  const FloatSafeClaim zero = one(bf16, 1, 0, 1, 0, false);
  const Verdict verdict = check(zero, 1);
  CHECK(verdict.holds);
  CHECK(
      verdict.text ==
      "float-safe: 1 vertices, 0 edges, d_model 1: 1 head, D_K 1, embedding times 2^0 and weights "
      "times 2^0 in bf16, sums in fp32 in any order: decides every pair as exact arithmetic does "
      "under threshold-max 0 (every score is exact); not covered: accumulators that truncate or "
      "align in blocks (tensor cores), TF32, scores rounded below fp32, reassociation into "
      "X(W_QW_K^T)X^T, a factor 1/√d_k");
  CHECK(refusal(one(bf16, 1, 0, 1, 0, true)).starts_with("the edge (0, 0) is not safe in floats"));
  CHECK(check(one(bf16, 1, 0, 1, -1, true), 1).holds);
  CHECK(refusal(one(bf16, 1, 0, 1, -1, false)).starts_with("the non-edge (0, 0) is not safe"));
}

TEST_CASE("entries must be numbers of the format") {
  for (const FloatFormat& format : float_formats) {
    const auto p = static_cast<std::size_t>(format.precision);
    CHECK(check(one(format, power_of_two(p) - 1, 1, 1, 0, true), 1).holds);
    const FloatSafeClaim wide = one(format, power_of_two(p) + 1, 1, 1, 0, true);
    CHECK(refusal(wide) == "the embedding at row 0, column 0, " +
                               to_decimal(Integer(power_of_two(p) + 1)) + ", has " +
                               std::to_string(p + 1) + " significant bits, and " +
                               std::string(format.name) + " holds " + std::to_string(p));
    CHECK(refusal(one(format, 1, power_of_two(p) + 1, 1, 0, true)).starts_with("head 0: query at"));
    CHECK(refusal(one(format, 1, 1, power_of_two(p) + 1, 0, true)).starts_with("head 0: key at"));
    // Exponents: the greatest and the least, by the scale of the embedding against that of weights.
    const int most = format.greatest_exponent, least = format.least_exponent;
    CHECK(check(one(format, 1, 1, 1, 0, true, most, 1 - most), 1).holds);
    CHECK(refusal(one(format, 1, 1, 1, 0, true, most + 1, -most - 1)) ==
          "the embedding at row 0, column 0, 1, has the exponent " + std::to_string(most + 1) +
              ", and " + std::string(format.name) + " has those from " + std::to_string(least) +
              " to " + std::to_string(most));
    CHECK(check(one(format, 1, 1, 1, 0, true, least, -least - 1), 1).holds);
    CHECK(refusal(one(format, 1, 1, 1, 0, true, least - 1, -least)).starts_with("the embedding"));
  }
  CHECK(refusal(one(bf16, 3, 1, 1, power_of_two(24) + 1, false)) ==
        "the threshold 16777217 has 25 significant bits, and fp32 holds 24");
  CHECK(check(one(bf16, 3, 1, 1, power_of_two(24) - 1, false), 1).holds);
}

TEST_CASE("intermediates must be normal") {
  CHECK(check(one(fp16, 1, 1, 1, 0, true, -7, -7), 1).holds);
  CHECK(refusal(one(fp16, 1, 1, 1, 0, true, -7, -8)) ==
        "the scales add up to -15, which leaves room for subnormal intermediates");
  for (const FloatFormat& format : {fp32, bf16}) {
    CHECK(check(one(format, 1, 1, 1, 0, true, -31, -32), 1).holds);
    CHECK(refusal(one(format, 1, 1, 1, 0, true, -32, -32)).starts_with("the scales add up to -64"));
  }
}

TEST_CASE("queries, keys and scores must stay finite") {
  // (1 + Γ)·|q| <= 65504 in fp16: |q| = 2^15 does, 2^15 + 2^15 - 2^5 = 65504 does not.
  CHECK(check(one(fp16, 1, 1 << 15, 1, 0, true), 1).holds);
  CHECK(refusal(one(fp16, 1, 65504, 1, 0, true)) ==
        "head 0: queries may reach (1 + Γ)·65504·2^0, which is beyond the range of fp16");
  CHECK(refusal(one(fp16, 1, 1, 65504, 0, true)) ==
        "head 0: keys may reach (1 + Γ)·65504·2^0, which is beyond the range of fp16");
  CHECK(check(one(fp32, 1, 1, 1, 0, true, 0, 63), 1).holds);
  CHECK(refusal(one(fp32, 1, 1, 1, 0, true, 0, 64)) ==
        "head 0: scores may reach (1 + Γ)·1·2^128, which is beyond the range of fp32");
  CHECK(refusal(one(fp32, 1, 3, 1, 0, true, 64, 64)).starts_with("head 0: queries may reach"));
}

TEST_CASE("one safe head is enough for an edge, and no head may endanger a non-edge") {
  FloatSafeClaim claim = one(bf16, 1, 100, 1, 50, true);
  claim.channel.heads.push_back(one(bf16, 1, -100, 1, 50, true).channel.heads[0]);
  CHECK(check(claim, 1).holds);
  claim = one(bf16, 1, -100, 1, 50, false);
  CHECK(check(claim, 1).holds);
  claim.channel.heads.push_back(one(bf16, 1, 50, 1, 50, true).channel.heads[0]);
  CHECK(
      refusal(claim) ==
      "the non-edge (0, 0) is not safe in floats: its distance to the threshold 50 is 0.000 times "
      "the error bound in head 1");
}

TEST_CASE("the least margin is found by all three arithmetics and any number of threads") {
  repeat(60, [](Random& random) {
    FloatSafeClaim claim = random_claim(random, fp32);
    const std::string text = check(claim, 1).text;
    const auto margin = [](const std::string& all) {
      const std::size_t at = all.find(" times the error bound");
      if (at == std::string::npos) return std::string("none");
      return all.substr(all.rfind(' ', at - 1),
                        all.find_first_of(";", at) - all.rfind(' ', at - 1));
    };
    // Powers of two change neither margins nor ratios; the sums outgrow 64 and 128 bits.
    for (const std::size_t shift : {std::size_t{12}, std::size_t{28}, std::size_t{57}}) {
      FloatSafeClaim larger = claim;
      for (std::size_t i = 0; i < claim.embedding.rows(); ++i)
        for (std::size_t j = 0; j < claim.embedding.cols(); ++j)
          larger.embedding.set(i, j, Integer(claim.embedding.at(i, j) * power_of_two(shift)));
      larger.embedding_scale -= Integer(shift);
      larger.threshold *= power_of_two(2 * shift);
      if (larger.embedding_scale + larger.weight_scale < -63) continue;
      for (const unsigned threads : {1U, 3U}) {
        const Verdict verdict = check(larger, threads);
        CHECK(verdict.holds == check(claim, 1).holds);
        CHECK(margin(verdict.text) == margin(text));
      }
    }
  });
}

// ---- scales

TEST_CASE("the scales that are chosen bring a channel into the format's range") {
  const auto holds = [](const FloatSafeClaim& claim, const FloatFormat& format) {
    RecoveryClaim recovery{claim.graph, claim.embedding, claim.threshold, claim.channel, {}, {}};
    return check(float_safe_claim(recovery, format), 1);
  };
  for (const FloatFormat& format : float_formats) {
    CHECK(holds(one(format, 1, 1, 1, 0, true), format).holds);
    // Scores must stay multiples of 2^-126, and in fp16 queries and keys multiples of 2^-14.
    for (const std::size_t bits : {20, format == fp16 ? 28 : 120}) {
      const Integer far = power_of_two(bits);
      CHECK(holds(one(format, far, 1, 1, 0, true), format).holds);
      CHECK(holds(one(format, 1, far, far, 0, true), format).holds);
      CHECK(holds(one(format, 1, 0, far, 0, false), format).holds);
    }
  }
  CHECK_FALSE(holds(one(bf16, power_of_two(200), 1, 1, 0, true), bf16).holds);
  // τ is rounded to 24 bits.
  for (const int sign : {1, -1})
    for (const auto& [given, rounded] :
         std::vector<std::pair<std::int64_t, std::int64_t>>{{16777215, 16777215},
                                                            {33554429, 33554428},
                                                            {33554431, 33554432},
                                                            {50331653, 50331652}}) {
      const FloatSafeClaim odd = one(fp32, 1, 1, 1, Integer(sign * given), false);
      const RecoveryClaim recovery{odd.graph, odd.embedding, odd.threshold, odd.channel, {}, {}};
      const Integer found = float_safe_claim(recovery, fp32).threshold;
      CHECK(abs(Integer(found - odd.threshold)) == abs(Integer(rounded - given)));
      CHECK(check(float_safe_claim(recovery, fp32), 1).holds == (sign > 0));
    }
  // In fp16 2^40 and 1 are not both normal whatever the scale.
  FloatSafeClaim claim = one(fp16, 1, 1, 1, 0, true);
  claim.channel.heads.push_back({claim.channel.heads[0].query, claim.embedding});
  claim.channel.heads[1].key.set(0, 0, Integer(power_of_two(40)));
  CHECK_FALSE(holds(claim, fp16).holds);
  CHECK(holds(claim, bf16).holds);
}

TEST_CASE("float-safe claims are written and read back, and odd ones are refused") {
  const std::string bytes = write_certificate(one(fp16, 3, 5, 7, 1, true, -2, 4));
  const auto read = std::get<FloatSafeClaim>(read_certificate(bytes, "c"));
  CHECK(write_certificate(read) == bytes);
  CHECK((read.format == fp16 && read.embedding_scale == -2 && read.weight_scale == 4));
  FloatSafeClaim claim = one(fp16, 3, 5, 7, 1, true);
  claim.embedding = Matrix(2, 1);
  CHECK_THROWS_AS(write_certificate(claim), ShapeError);
  CHECK_FALSE(check(claim, 1).holds);
}

}  // namespace
}  // namespace qkcert
