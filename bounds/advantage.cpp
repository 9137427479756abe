#include <cmath>
#include <qkcert/bounds/advantage.hpp>
#include <qkcert/core/errors.hpp>

namespace qkcert {

namespace {

constexpr std::uint64_t most_steps = std::uint64_t{1} << 26;

/// floor(√x) for 0 <= x < 2^52: a double's square root is off by less than one.
std::int64_t square_root(std::int64_t x) {
  auto root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(x)));
  while (root * root > x) --root;
  while ((root + 1) * (root + 1) <= x) ++root;
  return root;
}

/// Enumerates the integer points of one norm in lexicographic order, one for each line.
class Points {
 public:
  Points(std::size_t count, std::size_t d_model) : count_(count), point_(d_model) {}

  /// The first points of squared norm `norm`, at most `count`.
  std::vector<std::vector<std::int64_t>> of_norm(std::int64_t norm) {
    found_.clear();
    extend(0, norm, false);
    return std::move(found_);
  }

 private:
  /// Fills coordinate j and those behind it, whose squares add up to `rest`.
  void extend(std::size_t j, std::int64_t rest, bool positive) {
    if (++steps_ > most_steps)
      throw UsageError("no " + std::to_string(count_) + " points of one norm were found");
    if (j == point_.size()) {
      if (rest == 0) found_.push_back(point_);
      return;
    }
    const std::int64_t root = square_root(rest);
    const bool last = j + 1 == point_.size();
    if (last && root * root != rest) return;
    const std::int64_t step = last && root > 0 ? 2 * root : 1;  // only ±root is left
    for (std::int64_t x = positive ? -root : (last ? root : 0); x <= root; x += step) {
      if (found_.size() == count_) return;
      point_[j] = x;
      extend(j + 1, rest - x * x, positive || x > 0);
    }
  }

  std::size_t count_;
  std::vector<std::int64_t> point_;
  std::vector<std::vector<std::int64_t>> found_;
  std::uint64_t steps_ = 0;
};

}  // namespace

Matrix points_of_one_norm(std::size_t count, std::size_t d_model) {
  require(count >= 1 && d_model >= 1, "points_of_one_norm: a point and a dimension are required");
  if (d_model == 1 && count > 1) throw UsageError("d_model 1 has a single line");
  Points points(count, d_model);
  for (std::int64_t norm = 1;; ++norm) {
    const auto found = points.of_norm(norm);
    if (found.size() < count) continue;
    Matrix rows(count, d_model);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < d_model; ++j) rows.set(i, j, found[i][j]);
    return rows;
  }
}

ClassAdvantage class_advantage(const Family& family, std::size_t d_model) {
  if (d_model < 1) throw UsageError("the advantage theorem needs d_model >= 1");
  const Integer pairs = Integer(family.vertices()) * family.vertices();
  const Integer size = family.size();
  const Integer factor = 2 * family.edges() == pairs ? 2 : 1;
  Integer count = factor * binomial_sum(pairs - 1, Integer(d_model) * d_model, size);
  if (count >= size)
    throw UsageError("the count does not exclude that single heads of d_model " +
                     std::to_string(d_model) + " serve the whole class " + family.to_string());
  return {family, points_of_one_norm(family.vertices(), d_model), std::move(count)};
}

}  // namespace qkcert
