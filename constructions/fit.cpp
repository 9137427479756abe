#include <algorithm>
#include <cmath>
#include <qkcert/constructions/fit.hpp>
#include <qkcert/constructions/fit_rounding.hpp>
#include <qkcert/constructions/minimax.hpp>
#include <qkcert/core/errors.hpp>

namespace qkcert {

namespace {

using namespace fit;

constexpr int iterations = 1500;
constexpr unsigned most_patience = 1000;
constexpr int growth_iterations = 300;
constexpr int quantised_steps = 3000;
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
  const double coarse = 1 / static_cast<double>(std::min(request.weight_max, weight_limit));
  const double guess =
      (0.5 + coarse) * edges * std::log2(std::max(m, 2.0)) / static_cast<double>(d_model);
  const auto key_dimension =
      request.key_dimension.value_or(std::max<std::size_t>(1, static_cast<std::size_t>(guess)));
  if (request.heads && request.head_dim) return {*request.heads, *request.head_dim};
  if (const auto& heads = request.heads) {
    const bool split = request.key_dimension && key_dimension >= *heads;
    return {*heads, std::max<std::size_t>(1, key_dimension / *heads),
            split ? key_dimension % *heads : 0};
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
        weight_max_(static_cast<double>(std::min(request.weight_max, weight_limit))),
        whiten_(whitener(x_, x_.rows())),
        design_((x_ * whiten_).cast<float>()),
        base_(MatrixF::Zero(x_.rows(), 2 * loss_.layout().key_dimension())) {}

  Channel run() {
    const Layout& layout = loss_.layout();
    begin();
    if (state_.phase == Phase::separate && !separate())
      return to_channel(round_plainly(whiten_ * state_.point), layout);
    if (state_.phase == Phase::grow) grow_margin();
    Rounder rounder(loss_, x_, weight_max_, request_.seed, state_,
                    {.interrupted = [this] { return request_.out_of_time(); },
                     .checkpoint = [this] { checkpoint(); },
                     .progress = [this](const std::string& line) { tell(line); }});
    return to_channel(rounder.round(weight_max_ < 16 ? repairs_below_16 : repairs_from_16,
                                    quantised_steps * patience()),
                      layout);
  }

 private:
  /// The state to start from: the request's, or a new one.
  void begin() {
    if (request_.resume.empty()) {
      state_.t_minus = 1 - 0.03 / request_.patience;
      state_.sharpness = 1.5 * std::log(static_cast<double>(loss_.layout().heads()));
      state_.point = start();
    } else {
      state_ = read_state(request_.resume);
      if (state_.point.rows() != x_.cols() || state_.point.cols() != base_.cols())
        throw FormatError("fit: the state to resume from is another request's");
    }
    loss_.t_minus = state_.t_minus;
    loss_.sharpness = state_.phase == Phase::separate ? state_.sharpness : 0;
  }

  /// Once the request is out of time the work of a stage may be cut short: such a state is not kept.
  void checkpoint() {
    if (request_.on_checkpoint && !request_.out_of_time())
      request_.on_checkpoint(write_state(state_));
  }

  /// At most twice a second.
  void tell(const std::string& line) {
    const auto now = std::chrono::steady_clock::now();
    if (!request_.on_progress || now - told_ < std::chrono::milliseconds(500)) return;
    told_ = now;
    request_.on_progress(line);
  }

  void tell(const std::string& what, double value, int iteration) {
    tell("fit: " + what + ", iteration " + std::to_string(iteration) + ", loss " +
         std::to_string(value) + ", " + std::to_string(loss_.low_edges()) + " edges low");
  }

  /// Gaussian coordinates for which scores have a standard deviation of about 0.3.
  MatrixXd start() const {
    const Layout& layout = loss_.layout();
    const Index d = x_.cols();
    Random random(request_.seed);
    MatrixXd z(d, 2 * layout.key_dimension());
    for (Index k = 0; k < layout.heads(); ++k) {
      const double spread =
          std::sqrt(0.3 / std::sqrt(static_cast<double>(layout.width(k))) / static_cast<double>(d));
      for (const Index first : {layout.query(k), layout.key(k)})
        for (Index j = 0; j < layout.width(k); ++j)
          for (Index i = 0; i < d; ++i) z(i, first + j) = spread * random.normal();
    }
    return z;
  }

  int patience() const { return static_cast<int>(std::min(request_.patience, most_patience)); }

  bool separate() {
    descend(loss_, base_, design_, state_.point,
            {.iterations = iterations * patience(),
             .first = static_cast<int>(state_.step),
             .done = [](const Loss& loss, double) { return loss.separated(); },
             .interrupted = [this] { return request_.out_of_time(); },
             .sharpening = std::pow(1.05, 1.0 / patience()),
             .on_leg =
                 [this](const MatrixXd& z, int iteration) {
                   state_.step = static_cast<std::uint64_t>(iteration);
                   state_.sharpness = loss_.sharpness;
                   if (&z != &state_.point) state_.point = z;
                   checkpoint();
                 },
             .on_stage = [this](double value,
                                int iteration) { tell("separating", value, iteration); }});
    if (!loss_.separated()) return false;
    loss_.sharpness = 0;
    state_.phase = Phase::grow;
    state_.step = 0;
    return true;
  }

  /// Lowers t⁻ while the gap between the extremes grows: fewer levels need a wider one. Then turns
  /// coordinates into weights.
  void grow_margin() {
    const double widest = std::clamp(8 / weight_max_, 0.07, 0.8);
    while (!request_.out_of_time()) {
      checkpoint();
      const double target = (1 - state_.t_minus) * (state_.step == 0 ? 1 : 1.5);
      if (target > widest) break;
      loss_.t_minus = 1 - target;
      MatrixXd candidate = state_.point;
      descend(loss_, base_, design_, candidate,
              {.iterations = growth_iterations,
               .done = [](const Loss&, double value) { return value < 1e-9; },
               .interrupted = [this] { return request_.out_of_time(); },
               .on_stage = [this](double value,
                                  int iteration) { tell("widening", value, iteration); }});
      const double gap = double{loss_.least_edge()} - loss_.greatest_nonedge();
      if (gap <= state_.gap) break;
      state_.gap = gap;
      state_.point = std::move(candidate);
      state_.t_minus = loss_.t_minus;
      ++state_.step;
    }
    loss_.t_minus = state_.t_minus;
    state_.point = whiten_ * state_.point;
    Random random = step_random(request_.seed, Phase::round, 0);
    equalise(state_.point, loss_.layout(), random);
    state_.phase = Phase::round;
    state_.step = 0;
    state_.gap = 0;
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
  double weight_max_;
  MatrixXd whiten_;
  MatrixF design_, base_;
  State state_;
  std::chrono::steady_clock::time_point told_ = {};
};

}  // namespace

Method fit_method() {
  return {
      .name = "fit",
      .summary = "any graph, any embedding; D_K as asked for; floats propose, integers come out",
      .takes_heads = true,
      .takes_head_dim = true,
      .takes_key_dimension = true,
      .seeded = true,
      .plan = plan_fit,
      .propose = [](const Request& request) { return Fit(request).run(); },
      .resumes = true};
}

}  // namespace qkcert
