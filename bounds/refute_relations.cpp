#include <qkcert/bounds/refute_relations.hpp>

#include <flint/fmpz_lll.h>

namespace qkcert::refutation {

namespace {

void sum_of(fmpz_t sum, const IntMatrix& values) {
  fmpz_zero(sum);
  for (slong i = 0; i < values.rows(); ++i)
    for (slong j = 0; j < values.cols(); ++j) fmpz_add(sum, sum, values.at(i, j));
}

bool zero_row(const IntMatrix& values, slong row, slong cols) {
  for (slong j = 0; j < cols; ++j)
    if (!fmpz_is_zero(values.at(row, j))) return false;
  return true;
}

/// [2^a·X | 2^b·1 | I], reduced; a > b so that kernel vectors of X come first.
IntMatrix reduced_rows(const IntMatrix& x, flint_bitcnt_t strength) {
  const slong m = x.rows(), r = x.cols();
  IntMatrix rows(m, r + 1 + m);
  for (slong i = 0; i < m; ++i) {
    for (slong j = 0; j < r; ++j) fmpz_mul_2exp(rows.at(i, j), x.at(i, j), 2 * strength);
    fmpz_one(rows.at(i, r));
    fmpz_mul_2exp(rows.at(i, r), rows.at(i, r), strength);
    fmpz_one(rows.at(i, r + 1 + i));
  }
  fmpz_lll_t context;
  fmpz_lll_context_init_default(context);
  fmpz_lll(rows.raw(), nullptr, context);
  return rows;
}

}  // namespace

std::optional<Relations> Relations::of(const IntMatrix& x) {
  const slong m = x.rows(), r = x.cols();
  for (flint_bitcnt_t strength = 16; strength <= 256; strength *= 2) {
    const IntMatrix rows = reduced_rows(x, strength);
    bool split = true;
    for (slong i = 0; i < m - r && split; ++i) split = zero_row(rows, i, i < m - r - 1 ? r + 1 : r);
    if (!split) continue;
    const bool last_sums = !fmpz_is_zero(rows.at(m - r - 1, r));
    IntMatrix kernel = rows.block(0, r + 1, m - r, m).transposed();
    IntMatrix inverse = rows.block(m - r, r + 1, r, m).transposed();
    // X₀ᵀ = R⁻ᵀXᵀ
    const IntMatrix corner = inverse.transposed() * x;
    IntMatrix primitive(r, m);
    fmpz_t denominator;
    fmpz_init(denominator);
    const int solved = fmpz_mat_solve(primitive.raw(), denominator, corner.transposed().raw(),
                                      x.transposed().raw());
    if (solved) fmpz_mat_scalar_divexact_fmpz(primitive.raw(), primitive.raw(), denominator);
    fmpz_clear(denominator);
    if (!solved) continue;
    return Relations(std::move(kernel), last_sums, std::move(inverse), primitive.transposed());
  }
  return std::nullopt;
}

Relations::Relations(IntMatrix kernel, bool last_sums, IntMatrix inverse, IntMatrix primitive)
    : kernel_(std::move(kernel)),
      last_sums_(last_sums),
      inverse_(std::move(inverse)),
      primitive_(std::move(primitive)) {
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(kernel_.doubles());
  q_ = qr.householderQ() * Eigen::MatrixXd::Identity(kernel_.rows(), kernel_.cols());
  r_ = qr.matrixQR().topRows(kernel_.cols()).triangularView<Eigen::Upper>();
}

void Relations::reduce(IntMatrix& columns, slong rank) const {
  const IntMatrix basis = kernel_.block(0, 0, kernel_.rows(), rank);
  for (int pass = 0; pass < 40; ++pass) {  // each pass takes about 50 bits off
    Eigen::MatrixXd along = q_.leftCols(rank).transpose() * columns.doubles();
    Eigen::MatrixXd steps(rank, along.cols());
    for (slong i = rank; i-- > 0;) {
      steps.row(i) = (along.row(i) / r_(i, i)).array().round().matrix();
      along.topRows(i).noalias() -= r_.col(i).head(i) * steps.row(i);
    }
    if (!steps.allFinite() || steps.isZero(0)) return;
    columns -= basis * rounded(steps);
  }
}

/// Makes ΣY = 0 by multiples of z, spread over Y's columns. When z is absent it holds already:
/// 1 = Xc gives ΣY = cᵀXᵀYXc.
void Relations::balance(IntMatrix& y) const {
  if (!last_sums_) return;
  const slong m = y.rows(), last = kernel_.cols() - 1;
  fmpz_t quotient, unit, share;
  fmpz_init(quotient);
  fmpz_init(unit);
  fmpz_init(share);
  sum_of(quotient, y);
  sum_of(unit, kernel_.block(0, last, m, 1));
  fmpz_divexact(quotient, quotient, unit);  // every member's sum is a multiple of z's
  IntMatrix steps(m, m);
  for (slong j = 0; j < m; ++j) {
    fmpz_fdiv_q_si(share, quotient, m - j);
    fmpz_sub(quotient, quotient, share);
    for (slong i = 0; i < m; ++i) fmpz_mul(steps.at(i, j), kernel_.at(i, last), share);
  }
  fmpz_clear(share);
  fmpz_clear(unit);
  fmpz_clear(quotient);
  reduce(steps, last);
  y -= steps;
}

IntMatrix Relations::near(const Eigen::MatrixXd& target) const {
  IntMatrix y = rounded(target);
  IntMatrix left = inverse_ * (primitive_.transposed() * y * primitive_);
  reduce(left, kernel_.cols());
  IntMatrix rows = inverse_ * left.transposed();
  reduce(rows, kernel_.cols());
  y -= rows.transposed();
  balance(y);
  return y;
}

}  // namespace qkcert::refutation
