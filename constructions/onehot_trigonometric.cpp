#include <algorithm>
#include <array>
#include <qkcert/constructions/onehot_trigonometric.hpp>
#include <qkcert/constructions/storage.hpp>
#include <qkcert/core/errors.hpp>

namespace qkcert {

namespace {

constexpr std::string_view name = "onehot-trigonometric";

/// A Gaussian integer.
struct Gaussian {
  Integer re = 0;
  Integer im = 0;

  friend Gaussian operator*(const Gaussian& a, const Gaussian& b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  friend Gaussian operator*(const Integer& a, const Gaussian& b) { return {a * b.re, a * b.im}; }
  friend Gaussian operator-(const Gaussian& a, const Gaussian& b) {
    return {a.re - b.re, a.im - b.im};
  }
};

Gaussian conj(const Gaussian& a) { return {a.re, -a.im}; }

/// Primes 1 mod 4 and x, y with x² + y² = p.
struct SplitPrime {
  int p, x, y;
};
constexpr std::array<SplitPrime, 14> primes = {{{5, 2, 1},
                                                {13, 3, 2},
                                                {17, 4, 1},
                                                {29, 5, 2},
                                                {37, 6, 1},
                                                {41, 5, 4},
                                                {53, 7, 2},
                                                {61, 6, 5},
                                                {73, 8, 3},
                                                {89, 8, 5},
                                                {97, 9, 4},
                                                {101, 10, 1},
                                                {109, 10, 3},
                                                {113, 8, 7}}};
using Exponents = std::vector<unsigned>;

/// Looks for exponents from prime `i` on, at most `most`, that multiply to a smaller n than `best`.
void search(std::size_t i, unsigned most, std::size_t missing, const Integer& n,
            Exponents& exponents, Integer& best, Exponents& best_exponents) {
  if (best != 0 && n >= best) return;
  if (missing <= 1) {
    best = n;
    best_exponents = exponents;
    return;
  }
  if (i == primes.size()) return;
  Integer next = n;
  for (unsigned e = 1; e <= most; ++e) {
    next *= primes[i].p;
    exponents.push_back(e);
    search(i + 1, e, (missing + e) / (e + 1), next, exponents, best, best_exponents);
    exponents.pop_back();
  }
}

}  // namespace

CirclePoints circle_points(std::size_t count) {
  require(count >= 1 && count <= std::size_t{1} << 16, "circle_points: 1 to 2^16 are possible");
  CirclePoints result{0, {}, {}};
  Exponents scratch, exponents;
  // The first branch is all exponents 1, which 14 primes make enough.
  search(0, 16, (count + 3) / 4, 1, scratch, result.n, exponents);
  std::vector<Gaussian> points = {{1, 0}};
  for (std::size_t i = 0; i < exponents.size(); ++i) {
    const Gaussian pi{primes[i].x, primes[i].y};
    std::vector<Gaussian> factors = {{1, 0}};  // π^a·conj(π)^(e-a)
    for (unsigned e = 0; e < exponents[i]; ++e) {
      factors.push_back(factors.back() * pi);
      for (std::size_t a = 0; a + 1 < factors.size(); ++a) factors[a] = factors[a] * conj(pi);
    }
    std::vector<Gaussian> products;
    for (const Gaussian& point : points)
      for (const Gaussian& factor : factors) products.push_back(point * factor);
    points = std::move(products);
  }
  for (std::size_t k = 0; k < count; ++k) {
    Gaussian point = points[k / 4];
    for (std::size_t turn = 0; turn < k % 4; ++turn) point = {-point.im, point.re};
    result.x.push_back(point.re);
    result.y.push_back(point.im);
  }
  return result;
}

namespace {

/// The coefficients C, c_1, …, c_r of Π |ζ - ζ_w|² over the targets w of `edges`.
std::vector<Gaussian> squared_distances(std::span<const Edge> edges, const CirclePoints& points) {
  const Integer& n = points.n;
  std::vector<Gaussian> c = {{1, 0}};
  for (const Edge& edge : edges) {
    const Gaussian w{points.x[edge.target], points.y[edge.target]};
    c.resize(c.size() + 2);  // c_{r+1}, and the zero behind it
    std::vector<Gaussian> next(c.size() - 1);
    next[0].re = 2 * n * (c[0].re - (w * c[1]).re);
    for (std::size_t j = 1; j < next.size(); ++j)
      next[j] = 2 * n * c[j] - conj(w) * c[j - 1] - n * (w * c[j + 1]);
    c = std::move(next);
  }
  return c;
}

Architecture plan_trigonometric(const Request& request) {
  if (!is_one_hot(request.embedding))
    throw MethodError("onehot-trigonometric: the embedding is not one-hot");
  const std::size_t m = std::max<std::size_t>(request.graph.vertices(), 1);
  const std::size_t degree = request.graph.max_out_degree();
  const std::size_t width = std::max<std::size_t>(2 * degree, 1);
  const std::size_t bits = bit_length(circle_points(m).n) + 2;  // of 4n
  require_storable(name, 2 * Integer(m) * width, 2 * Integer(degree) * bits + 1);
  return {1, width};
}

/// T of the header's claim.
Integer common_score(const std::vector<std::vector<Gaussian>>& rows) {
  Integer largest = 1;
  for (const auto& row : rows) largest = std::max(largest, row[0].re);
  const Integer square = largest * largest;
  Integer common = 1;
  for (const auto& row : rows) {
    common = lcm(common, row[0].re);
    if (common >= square) return square;
  }
  return common;
}

void divide_by_content(Matrix& weights) {
  Integer content = 0;
  for (std::size_t i = 0; i < weights.rows(); ++i)
    for (std::size_t j = 0; j < weights.cols(); ++j) content = gcd(content, weights.at(i, j));
  if (content <= 1) return;
  Matrix divided(weights.rows(), weights.cols());
  for (std::size_t i = 0; i < weights.rows(); ++i)
    for (std::size_t j = 0; j < weights.cols(); ++j)
      divided.set(i, j, Integer(weights.at(i, j) / content));
  weights = std::move(divided);
}

Channel propose_trigonometric(const Request& request) {
  const Graph& graph = request.graph;
  const std::size_t m = graph.vertices();
  const std::size_t width = plan_trigonometric(request).head_dim;
  Head head{Matrix(m, width), Matrix(m, width)};
  if (width == 1) return {{std::move(head)}};
  const CirclePoints points = circle_points(m);
  std::vector<std::vector<Gaussian>> rows;
  for (std::size_t u = 0; u < m; ++u)
    rows.push_back(squared_distances(graph.edges_from(u), points));
  const Integer common = common_score(rows);
  for (std::size_t u = 0; u < m; ++u) {
    const Integer factor = 2 * (common / rows[u][0].re);
    for (std::size_t j = 1; j < rows[u].size(); ++j) {
      head.query.set(u, 2 * j - 2, Integer(-factor * rows[u][j].re));
      head.query.set(u, 2 * j - 1, Integer(factor * rows[u][j].im));
    }
    const Gaussian point{points.x[u], points.y[u]};
    Gaussian power_of_point = point;
    for (std::size_t j = 0; j < width; j += 2, power_of_point = power_of_point * point) {
      head.key.set(u, j, power_of_point.re);
      head.key.set(u, j + 1, power_of_point.im);
    }
  }
  divide_by_content(head.query);
  return {{std::move(head)}};
}

}  // namespace

Method onehot_trigonometric_method() {
  return {
      .name = name,
      .summary = "one-hot embedding, any graph: D_K = max(1, 2·(largest out-degree)), long weights",
      .takes_heads = false,
      .takes_head_dim = false,
      .seeded = false,
      .plan = plan_trigonometric,
      .propose = propose_trigonometric};
}

}  // namespace qkcert
