#include <algorithm>
#include <cmath>
#include <qkcert/constructions/fit.hpp>
#include <qkcert/constructions/fit_rounding.hpp>
#include <qkcert/core/errors.hpp>

namespace qkcert {

namespace {

using namespace fit;

constexpr int iterations = 1500;
constexpr int growth_iterations = 300;
/// Rounds of repair: many pay at low precision only.
constexpr int repairs_below_16 = 40;
constexpr int repairs_from_16 = 4;
const Integer weight_limit = 1 << 30;

Architecture plan_fit(const Request& request) {
  const std::size_t d_model = request.embedding.d_model();
  if (d_model == 0) throw MethodError("fit: needs an embedding of d_model >= 1");
  if (request.weight_max < 1) throw MethodError("fit: needs weight-max >= 1");
  const auto m = static_cast<double>(request.graph.vertices());
  const auto edges = static_cast<double>(request.graph.edges().size());
  const double guess = 0.5 * edges * std::log2(std::max(m, 2.0)) / static_cast<double>(d_model);
  const auto key_dimension =
      request.key_dimension.value_or(std::max<std::size_t>(1, static_cast<std::size_t>(guess)));
  if (request.heads && request.head_dim) return {*request.heads, *request.head_dim};
  if (request.heads) {
    const std::size_t heads = *request.heads;
    if (key_dimension < heads) return {heads, 1};
    return {heads, key_dimension / heads, request.key_dimension ? key_dimension % heads : 0};
  }
  if (request.head_dim)
    return {std::max<std::size_t>(1, key_dimension / *request.head_dim), *request.head_dim};
  // Heads about as wide as the root of d_model; other seeds try narrower and wider ones.
  static constexpr double factors[] = {0.8, 1.3, 0.5};
  const double width = factors[(request.seed + 2) % 3] * std::sqrt(static_cast<double>(d_model));
  const auto heads = std::clamp<std::size_t>(
      static_cast<std::size_t>(std::llround(static_cast<double>(key_dimension) / width)), 1,
      key_dimension);
  return {heads, key_dimension / heads, key_dimension % heads};
}

/// The embedding in doubles, |entries| <= 1: entry / largest to 60 bits.
MatrixXd to_doubles(const Matrix& rows) {
  MatrixXd x = MatrixXd::Zero(static_cast<Index>(rows.rows()), static_cast<Index>(rows.cols()));
  const Integer largest = rows.max_abs();
  if (largest == 0) return x;
  for (std::size_t i = 0; i < rows.rows(); ++i)
    for (std::size_t j = 0; j < rows.cols(); ++j) {
      const Integer scaled = floor_quotient(rows.at(i, j) * power_of_two(60), largest);
      x(static_cast<Index>(i), static_cast<Index>(j)) =
          std::ldexp(static_cast<double>(to_int64(scaled).value()), -60);
    }
  return x;
}

Channel to_channel(const MatrixXd& weights, const Layout& layout) {
  Channel channel;
  const auto block = [&](Index first, Index width) {
    Matrix matrix(static_cast<std::size_t>(weights.rows()), static_cast<std::size_t>(width));
    for (std::size_t i = 0; i < matrix.rows(); ++i)
      for (std::size_t j = 0; j < matrix.cols(); ++j)
        matrix.set(i, j,
                   static_cast<std::int64_t>(
                       weights(static_cast<Index>(i), first + static_cast<Index>(j))));
    return matrix;
  };
  for (Index k = 0; k < layout.heads(); ++k)
    channel.heads.push_back(
        {block(layout.query(k), layout.width(k)), block(layout.key(k), layout.width(k))});
  return channel;
}

class Fit {
 public:
  explicit Fit(const Request& request)
      : request_(request),
        x_(to_doubles(request.embedding.rows)),
        loss_(request.graph, Layout(plan_fit(request)), request.threads),
        random_(request.seed),
        weight_max_(static_cast<double>(std::min(request.weight_max, weight_limit))) {}

  Channel run() {
    const Layout& layout = loss_.layout();
    const MatrixXd whiten = whitener(x_, x_.rows());
    MatrixXd z = start();
    const MatrixF design = (x_ * whiten).cast<float>();
    const MatrixF base = MatrixF::Zero(x_.rows(), 2 * layout.key_dimension());
    if (!separate(base, design, z)) return to_channel(round_plainly(whiten * z), layout);
    grow_margin(base, design, z);
    MatrixXd weights = whiten * z;
    equalise(weights, layout, random_);
    Rounder rounder(loss_, x_, weight_max_, random_, [this] { return request_.out_of_time(); });
    return to_channel(
        rounder.round(std::move(weights), weight_max_ < 16 ? repairs_below_16 : repairs_from_16),
        layout);
  }

 private:
  /// Gaussian coordinates for which scores have a standard deviation of about 0.3.
  MatrixXd start() {
    const Layout& layout = loss_.layout();
    const Index d = x_.cols();
    MatrixXd z(d, 2 * layout.key_dimension());
    for (Index k = 0; k < layout.heads(); ++k) {
      const double spread =
          std::sqrt(0.3 / std::sqrt(static_cast<double>(layout.width(k))) / static_cast<double>(d));
      for (const Index first : {layout.query(k), layout.key(k)})
        for (Index j = 0; j < layout.width(k); ++j)
          for (Index i = 0; i < d; ++i) z(i, first + j) = spread * random_.normal();
    }
    return z;
  }

  bool separate(const MatrixF& base, const MatrixF& design, MatrixXd& z) {
    loss_.sharpness = 1.5 * std::log(static_cast<double>(loss_.layout().heads()));
    descend(loss_, base, design, z,
            {.iterations = iterations,
             .done = [](const Loss& loss, double) { return loss.separated(); },
             .interrupted = [this] { return request_.out_of_time(); },
             .sharpening = 1.16});
    loss_.sharpness = 0;
    return loss_.separated();
  }

  /// Lowers t⁻ while the gap between the extremes grows: fewer levels need a wider one.
  void grow_margin(const MatrixF& base, const MatrixF& design, MatrixXd& z) {
    const double widest = std::clamp(8 / weight_max_, 0.07, 0.8);
    float gap = 0;
    for (double target = 1 - loss_.t_minus; target <= widest && !request_.out_of_time();
         target *= 1.5) {
      const double before = loss_.t_minus;
      loss_.t_minus = 1 - target;
      MatrixXd candidate = z;
      descend(loss_, base, design, candidate,
              {.iterations = growth_iterations,
               .done = [](const Loss&, double value) { return value < 1e-9; },
               .interrupted = [this] { return request_.out_of_time(); }});
      if (loss_.least_edge() - loss_.greatest_nonedge() <= gap) {
        loss_.t_minus = before;
        return;
      }
      gap = loss_.least_edge() - loss_.greatest_nonedge();
      z = std::move(candidate);
    }
  }

  /// The nearest integers, for a failure to be reported with its extremes.
  MatrixXd round_plainly(const MatrixXd& weights) const {
    const double largest = weights.cwiseAbs().maxCoeff();
    if (!(largest > 0)) return MatrixXd::Zero(weights.rows(), weights.cols());
    return (weights * (weight_max_ / largest)).array().round();
  }

  const Request& request_;
  MatrixXd x_;
  Loss loss_;
  Random random_;
  double weight_max_;
};

}  // namespace

Method fit_method() {
  return {
      .name = "fit",
      .summary = "any graph, any embedding; D_K as asked for; floats propose, integers come out",
      .takes_heads = true,
      .takes_head_dim = true,
      .seeded = true,
      .plan = plan_fit,
      .propose = [](const Request& request) { return Fit(request).run(); }};
}

}  // namespace qkcert
