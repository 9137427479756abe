#include <flint/fmpz_mat.h>
#include <flint/nmod_mat.h>

#include <algorithm>
#include <bit>
#include <qkcert/constructions/edge_colouring.hpp>
#include <qkcert/constructions/interpolation.hpp>
#include <qkcert/constructions/storage.hpp>
#include <qkcert/core/decimal.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/random.hpp>
#include <set>

namespace qkcert {

namespace {

/// A FLINT integer matrix that frees itself.
struct FlintMatrix {
  FlintMatrix(std::size_t rows, std::size_t cols) {
    fmpz_mat_init(raw, static_cast<slong>(rows), static_cast<slong>(cols));
  }
  FlintMatrix(const FlintMatrix&) = delete;
  FlintMatrix& operator=(const FlintMatrix&) = delete;
  ~FlintMatrix() { fmpz_mat_clear(raw); }

  fmpz* at(std::size_t i, std::size_t j) {
    return fmpz_mat_entry(raw, static_cast<slong>(i), static_cast<slong>(j));
  }
  fmpz_mat_t raw;
};

Integer to_integer(const fmpz* x) {
  Integer result;
  fmpz_get_mpz(result.backend().data(), x);
  return result;
}

constexpr std::uint64_t prime = 9223372036854775783U;  // the largest below 2^63

using Codes = std::vector<std::vector<int>>;

/// weights/denominator maps the block's rows to their codes.
struct Solution {
  Matrix weights;
  Integer denominator;
};

/// The first vertex whose row depends on the rows before it.
std::size_t first_dependent(FlintMatrix& x, const std::vector<std::size_t>& vertices) {
  const slong cols = fmpz_mat_ncols(x.raw);
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    fmpz_mat_t head;
    fmpz_mat_window_init(head, x.raw, 0, 0, static_cast<slong>(i) + 1, cols);
    const slong rank = fmpz_mat_rank(head);
    fmpz_mat_window_clear(head);
    if (rank <= static_cast<slong>(i)) return vertices[i];
  }
  return vertices.back();
}

void divide_by_content(Solution& solution) {
  Matrix& weights = solution.weights;
  Integer content = solution.denominator;
  for (std::size_t i = 0; i < weights.rows(); ++i)
    for (std::size_t j = 0; j < weights.cols(); ++j) content = gcd(content, weights.at(i, j));
  Matrix divided(weights.rows(), weights.cols());
  for (std::size_t i = 0; i < weights.rows(); ++i)
    for (std::size_t j = 0; j < weights.cols(); ++j)
      divided.set(i, j, Integer(weights.at(i, j) / content));
  weights = std::move(divided);
  solution.denominator /= content;
}

/// The solution of least norm of X_B·W = codes, in lowest terms. Require: vertices not empty.
/// Errors: MethodError, `where` before the vertex.
Solution solve(const Matrix& rows, const std::vector<std::size_t>& vertices, const Codes& codes,
               const std::string& where) {
  const std::size_t b = vertices.size(), d_model = rows.cols(), width = codes[0].size();
  FlintMatrix x(b, d_model), transposed(d_model, b), gram(b, b), code(b, width), y(b, width),
      product(d_model, width);
  for (std::size_t i = 0; i < b; ++i) {
    for (std::size_t j = 0; j < d_model; ++j)
      fmpz_set_mpz(x.at(i, j), rows.at(vertices[i], j).backend().data());
    for (std::size_t j = 0; j < width; ++j) fmpz_set_si(code.at(i, j), codes[i][j]);
  }
  fmpz_mat_transpose(transposed.raw, x.raw);
  fmpz_mat_mul(gram.raw, x.raw, transposed.raw);
  FlintMatrix denominator(1, 1);
  if (fmpz_mat_solve(y.raw, denominator.at(0, 0), gram.raw, code.raw) == 0)
    throw MethodError(where + std::to_string(first_dependent(x, vertices)) +
                      " depends on the rows before it");
  fmpz_mat_mul(product.raw, transposed.raw, y.raw);
  const Integer den = to_integer(denominator.at(0, 0));
  Solution solution{Matrix(d_model, width), abs(den)};
  for (std::size_t i = 0; i < d_model; ++i)
    for (std::size_t j = 0; j < width; ++j) {
      const Integer entry = to_integer(product.at(i, j));
      solution.weights.set(i, j, den < 0 ? Integer(-entry) : entry);
    }
  divide_by_content(solution);
  return solution;
}

/// `count` distinct random codes, then `silent` rows of zeros. Require: count <= 2^width.
Codes distinct_codes(std::size_t count, std::size_t silent, std::size_t width, Random& random) {
  Codes codes;
  std::set<std::vector<int>> drawn;
  while (codes.size() < count) {
    std::vector<int> code(width);
    for (int& sign : code) sign = random.sign();
    if (drawn.insert(code).second) codes.push_back(std::move(code));
  }
  codes.resize(count + silent, std::vector<int>(width, 0));
  return codes;
}

/// Whether all rows of the embedding are independent; false if their determinants are multiples of
/// the prime, which only costs the shortcut.
bool rows_independent(const Matrix& rows) {
  if (rows.rows() > rows.cols()) return false;
  nmod_mat_t residues;
  nmod_mat_init(residues, static_cast<slong>(rows.rows()), static_cast<slong>(rows.cols()), prime);
  for (std::size_t i = 0; i < rows.rows(); ++i)
    for (std::size_t j = 0; j < rows.cols(); ++j) {
      const Integer x = rows.at(i, j);
      const Integer residue = x - floor_quotient(x, prime) * prime;
      nmod_mat_set_entry(residues, static_cast<slong>(i), static_cast<slong>(j),
                         to_uint64(residue).value());
    }
  const slong rank = nmod_mat_rank(residues);
  nmod_mat_clear(residues);
  return rank == static_cast<slong>(rows.rows());
}

struct Solved {
  Solution query;
  Solution key;
};

/// Appends the vertices that are not in `vertices`.
void add_others(std::vector<std::size_t>& vertices, std::size_t m) {
  std::vector<bool> there(m, false);
  for (const std::size_t v : vertices) there[v] = true;
  for (std::size_t v = 0; v < m; ++v)
    if (!there[v]) vertices.push_back(v);
}

/// The heads before they have one scale; nothing for a block without edges.
std::vector<std::optional<Solved>> solve_blocks(const Request& request, std::string_view name,
                                                const Architecture& planned) {
  Random random(request.seed);
  std::vector<Edge> edges = request.graph.edges();
  for (std::size_t i = edges.size(); i > 1; --i) std::swap(edges[i - 1], edges[random.below(i)]);
  const Matrix& rows = request.embedding.rows;
  const bool complete = rows_independent(rows);
  std::vector<std::optional<Solved>> heads;
  for (const auto& block : colour_blocks(request.graph.vertices(), edges, planned.heads)) {
    const std::string where = std::string(name) + ": in block " + std::to_string(heads.size());
    heads.emplace_back();
    if (block.empty()) continue;
    std::vector<std::size_t> sources, targets;
    for (const auto& [source, target] : block) {
      sources.push_back(source);
      targets.push_back(target);
    }
    const std::size_t silent = complete ? rows.rows() - block.size() : 0;
    if (complete) {
      add_others(sources, rows.rows());
      add_others(targets, rows.rows());
    }
    const Codes codes = distinct_codes(block.size(), silent, planned.head_dim, random);
    heads.back() = Solved{solve(rows, sources, codes, where + " the row of the source "),
                          solve(rows, targets, codes, where + " the row of the target ")};
  }
  return heads;
}

Architecture plan_interpolation(const Request& request, std::string_view name) {
  const Graph& graph = request.graph;
  const auto refuse = [&](const std::string& why) {
    throw MethodError(std::string(name) + ": " + why);
  };
  const std::size_t m = std::max<std::size_t>(graph.vertices(), 1);
  const std::size_t edges = graph.edges().size(), d_model = request.embedding.d_model();
  const std::size_t degree = matchings_needed(graph), most = std::max<std::size_t>(edges, 1);
  const bool complete = rows_independent(request.embedding.rows);
  const std::size_t ample = (8 * most - 1) / std::max<std::size_t>(d_model, 1) + 1;
  const std::size_t heads = request.heads.value_or(std::min(
      most, std::max<std::size_t>({std::size_t{1}, degree, complete ? std::size_t{0} : ample})));
  if (heads < degree)
    refuse("needs heads >= the largest out- or in-degree = " + std::to_string(degree) +
           ", asked for " + std::to_string(heads));
  if (heads > most)
    refuse("needs heads <= max(1, edges) = " + std::to_string(most) + ", asked for " +
           std::to_string(heads));
  const auto digits = static_cast<std::size_t>(std::bit_width(m - 1));
  const std::size_t width =
      request.head_dim.value_or(std::max<std::size_t>(complete ? digits : 2 * digits, 1));
  const std::size_t block = (edges + heads - 1) / heads;
  const std::string of_blocks = "blocks of " + std::to_string(block) + " edges need ";
  if (block > d_model) refuse(of_blocks + "d_model >= " + std::to_string(block));
  if (block > 1 && width < static_cast<std::size_t>(std::bit_width(block - 1)))
    refuse(of_blocks + "head-dim >= " + std::to_string(std::bit_width(block - 1)));
  // Hadamard's inequality for the determinant of X_B·X_Bᵀ; its minors are no larger.
  const std::size_t determinant =
      (complete ? m : block) *
      (2 * bit_length(request.embedding.rows.max_abs()) + std::bit_width(d_model));
  require_storable(name, 2 * Integer(heads) * d_model * width, 3 * Integer(determinant) + 128);
  return {heads, width};
}

void multiply(Matrix& weights, const Integer& factor) {
  for (std::size_t i = 0; i < weights.rows(); ++i)
    for (std::size_t j = 0; j < weights.cols(); ++j)
      weights.set(i, j, Integer(factor * weights.at(i, j)));
}

Channel propose_exact(const Request& request) {
  const Architecture planned = plan_interpolation(request, "interpolation");
  auto solved = solve_blocks(request, "interpolation", planned);
  Integer largest = 0, smallest = 0;  // f
  for (const auto& head : solved) {
    if (!head) continue;
    const Integer f = head->query.denominator * head->key.denominator;
    largest = std::max(largest, f);
    smallest = smallest == 0 ? f : std::min(smallest, f);
  }
  const Integer common = smallest == largest ? largest : 1024 * planned.head_dim * largest;
  Channel channel;
  for (auto& head : solved) {
    const std::size_t d_model = request.embedding.d_model();
    channel.heads.push_back({Matrix(d_model, planned.head_dim), Matrix(d_model, planned.head_dim)});
    if (!head) continue;
    multiply(head->query.weights, common / (head->query.denominator * head->key.denominator));
    channel.heads.back() = {std::move(head->query.weights), std::move(head->key.weights)};
  }
  return channel;
}

/// The integers nearest to numerator/denominator·weights, denominator > 0.
Matrix rounded(const Matrix& weights, const Integer& numerator, const Integer& denominator) {
  Matrix result(weights.rows(), weights.cols());
  for (std::size_t i = 0; i < weights.rows(); ++i)
    for (std::size_t j = 0; j < weights.cols(); ++j)
      result.set(i, j,
                 floor_quotient(2 * numerator * weights.at(i, j) + denominator, 2 * denominator));
  return result;
}

Architecture plan_rounded(const Request& request) {
  if (request.weight_max < 1) throw MethodError("interpolation-rounded: needs weight-max >= 1");
  return plan_interpolation(request, "interpolation-rounded");
}

Channel propose_rounded(const Request& request) {
  const Architecture planned = plan_rounded(request);
  const auto solved = solve_blocks(request, "interpolation-rounded", planned);
  const auto rho = [](const Solved& head) {
    return Rational(head.query.weights.max_abs() * head.key.weights.max_abs(),
                    head.query.denominator * head.key.denominator);
  };
  Rational largest = 0;
  for (const auto& head : solved)
    if (head) largest = std::max(largest, rho(*head));
  const Integer one = power_of_two(40);
  Channel channel;
  for (const auto& head : solved) {
    const std::size_t d_model = request.embedding.d_model();
    channel.heads.push_back({Matrix(d_model, planned.head_dim), Matrix(d_model, planned.head_dim)});
    if (!head) continue;
    const Rational ratio = rho(*head) / largest;
    const Integer sigma = sqrt(Integer(numerator(ratio) * one * one / denominator(ratio)));
    const auto scaled = [&](const Solution& solution) {
      return rounded(solution.weights, request.weight_max * sigma,
                     one * solution.weights.max_abs());
    };
    channel.heads.back() = {scaled(head->query), scaled(head->key)};
  }
  return channel;
}

}  // namespace

Method interpolation_method() {
  return {
      .name = "interpolation",
      .summary = "rows independent in each block, any graph: D_K = heads x head-dim, may fail",
      .takes_heads = true,
      .takes_head_dim = true,
      .seeded = true,
      .plan = [](const Request& request) { return plan_interpolation(request, "interpolation"); },
      .propose = propose_exact};
}

Method interpolation_rounded_method() {
  return {.name = "interpolation-rounded",
          .summary = "the same with weights of at most weight-max",
          .takes_heads = true,
          .takes_head_dim = true,
          .seeded = true,
          .plan = plan_rounded,
          .propose = propose_rounded};
}

}  // namespace qkcert
