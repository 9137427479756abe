#include <algorithm>
#include <array>
#include <cmath>
#include <qkcert/constructions/good_pairs.hpp>
#include <qkcert/constructions/minimax.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/row_products.hpp>

namespace qkcert {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// z in floats, largest entry 2^bits, rounded.
std::vector<Integer> rounded(const MatrixXd& z, int bits) {
  const double scale = std::ldexp(1.0, bits) / std::max(z.cwiseAbs().maxCoeff(), 1e-300);
  std::vector<Integer> entries;
  for (Index j = 0; j < z.rows(); ++j)
    entries.emplace_back(static_cast<std::int64_t>(std::llround(z(j) * scale)));
  return entries;
}

/// Moves z onto ⟨z,s⟩ = 0 by the entry where |s| is largest, all other entries multiplied by that.
void onto_hyperplane(std::vector<Integer>& z, const std::vector<Integer>& s) {
  const auto larger = [](const Integer& a, const Integer& b) { return abs(a) < abs(b); };
  const auto pivot = std::max_element(s.begin(), s.end(), larger);
  if (pivot == s.end() || pivot->is_zero()) return;
  const auto p = static_cast<std::size_t>(pivot - s.begin());
  Integer rest = 0;
  for (std::size_t j = 0; j < z.size(); ++j)
    if (j != p) rest += z[j] * s[j];
  const Integer common = gcd(rest, s[p]);
  const Integer factor = abs(s[p]) / common;
  for (Integer& entry : z) entry *= factor;
  z[p] = s[p] > 0 ? Integer(-rest / common) : Integer(rest / common);
}

void without_common_factor(std::vector<Integer>& z) {
  Integer common = 0;
  for (const Integer& entry : z) common = gcd(common, entry);
  if (common > 1)
    for (Integer& entry : z) entry /= common;
}

}  // namespace

struct GoodVectors::Solver {
  explicit Solver(const Matrix& x) : rows(x), minimax(x), products(x) {}

  /// j == i: a single.
  std::optional<GoodVector> find(std::size_t i, std::size_t j) const {
    require(i < rows.rows() && j < rows.rows(), "GoodVectors: a vertex below m is required");
    if (rows.cols() == 0) return std::nullopt;
    const std::array<std::size_t, 2> tuple = {i, j};
    const std::size_t size = i == j ? 1 : 2;
    const Eigen::Vector2d images(1, -1);
    const auto map =
        minimax.shortest({tuple.data(), size}, images.head(static_cast<Index>(size)), 1);
    if (map.longest >= 1) return std::nullopt;
    std::vector<Integer> sum(rows.cols(), 0);
    for (std::size_t k = 0; k < sum.size() && i != j; ++k) sum[k] = rows.at(i, k) + rows.at(j, k);
    for (int bits = 6; bits <= 40; bits += bits < 16 ? 2 : 8) {
      GoodVector found{rounded(map.weights, bits), 0, 0};
      onto_hyperplane(found.z, sum);
      without_common_factor(found.z);
      if (is_good(found, i, j)) return found;
    }
    return std::nullopt;
  }

  /// Fills in n and greatest.
  bool is_good(GoodVector& vector, std::size_t i, std::size_t j) const {
    const std::vector<Integer> at = products.with(vector.z);
    vector.n = at[i];
    for (std::size_t v = 0; v < at.size(); ++v)
      if (v != i && v != j) vector.greatest = std::max<Integer>(vector.greatest, abs(at[v]));
    return vector.n > vector.greatest && (i == j || at[j] == -vector.n);
  }

  const Matrix& rows;
  Minimax minimax;
  RowProducts products;
};

GoodVectors::GoodVectors(const Matrix& rows) : solver_(std::make_unique<Solver>(rows)) {}
GoodVectors::~GoodVectors() = default;

std::optional<GoodVector> GoodVectors::pair(std::size_t i, std::size_t j) const {
  require(i != j, "GoodVectors: two distinct vertices are required");
  return solver_->find(i, j);
}

std::optional<GoodVector> GoodVectors::single(std::size_t i) const { return solver_->find(i, i); }

}  // namespace qkcert
