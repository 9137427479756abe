#include <qkcert/bounds/refute_vertex.hpp>

#include <flint/fmpq_mat.h>
#include <flint/nmod_mat.h>

namespace qkcert::refutation {

namespace {

/// One column per pair: sign·x_uᵀx_v row by row, then sign.
IntMatrix columns_of(const IntMatrix& x, const std::vector<SignedPair>& support) {
  const slong d = x.cols();
  IntMatrix columns(d * d + 1, static_cast<slong>(support.size()));
  for (slong c = 0; c < columns.cols(); ++c) {
    const auto& [pair, sign] = support[static_cast<std::size_t>(c)];
    const auto u = static_cast<slong>(pair.source), v = static_cast<slong>(pair.target);
    for (slong i = 0; i < d; ++i)
      for (slong j = 0; j < d; ++j) {
        fmpz* entry = columns.at(i * d + j, c);
        fmpz_mul(entry, x.at(u, i), x.at(v, j));
        if (sign < 0) fmpz_neg(entry, entry);
      }
    fmpz_set_si(columns.at(d * d, c), sign);
  }
  return columns;
}

}  // namespace

/// Row numbers of `a` that are a basis of its row space modulo a 62-bit prime; independent over Q.
std::vector<slong> independent_rows(const IntMatrix& a) {
  nmod_mat_t reduced;
  nmod_mat_init(reduced, a.cols(), a.rows(), n_nextprime(UWORD(1) << 62, 1));
  fmpz_mat_get_nmod_mat(reduced, a.transposed().raw());
  const slong rank = nmod_mat_rref(reduced);
  std::vector<slong> rows;
  for (slong i = 0, j = 0; i < rank; ++i, ++j) {
    while (nmod_mat_entry(reduced, i, j) == 0) ++j;
    rows.push_back(j);
  }
  nmod_mat_clear(reduced);
  return rows;
}

std::optional<std::vector<Integer>> exact_multipliers(const IntMatrix& x,
                                                      const std::vector<SignedPair>& support) {
  const IntMatrix columns = columns_of(x, support);
  const std::vector<slong> rows = independent_rows(columns);
  const auto k = static_cast<slong>(rows.size());
  if (k + 1 != columns.cols()) return std::nullopt;
  IntMatrix left(k, k), right(k, 1);
  for (slong i = 0; i < k; ++i) {
    const slong row = rows[static_cast<std::size_t>(i)];
    for (slong j = 0; j < k; ++j) fmpz_set(left.at(i, j), columns.at(row, j));
    fmpz_neg(right.at(i, 0), columns.at(row, k));
  }
  fmpq_mat_t solution;
  fmpq_mat_init(solution, k, 1);
  IntMatrix y(k + 1, 1), head(k, 1);
  const int solved = fmpq_mat_solve_fmpz_mat_dixon(solution, left.raw(), right.raw());
  if (solved) fmpq_mat_get_fmpz_mat_matwise(head.raw(), y.at(k, 0), solution);
  fmpq_mat_clear(solution);
  if (!solved) return std::nullopt;
  for (slong i = 0; i < k; ++i) fmpz_set(y.at(i, 0), head.at(i, 0));
  for (slong i = 0; i <= k; ++i)
    if (fmpz_sgn(y.at(i, 0)) <= 0) return std::nullopt;
  const IntMatrix rest = columns * y;
  if (!fmpz_mat_is_zero(rest.raw())) return std::nullopt;
  std::vector<Integer> result;
  for (slong i = 0; i <= k; ++i) result.push_back(y.value(i, 0));
  return result;
}

}  // namespace qkcert::refutation
