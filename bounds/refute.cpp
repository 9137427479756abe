#include <qkcert/bounds/refute.hpp>
#include <qkcert/bounds/refute_coincidence.hpp>
#include <qkcert/bounds/refute_question.hpp>
#include <qkcert/core/errors.hpp>

namespace qkcert {

namespace {

using namespace refutation;
using Clock = std::chrono::steady_clock;

/// A float margin above this counts as held.
constexpr double clear_margin = 1e-6;

/// Nothing to keep, or nothing to keep out.
SeparatingForm constant_form(std::size_t d_model, bool complete) {
  return {{Matrix(d_model, 1), Matrix(d_model, 1)}, complete ? -1 : 0};
}

/// The same coordinates for many questions, and one budget for all.
class Series {
 public:
  Series(const Graph& graph, const Matrix& embedding, const RefuteOptions& options)
      : graph_(graph),
        embedding_(embedding),
        options_(options),
        at_(coordinates_of(embedding)),
        deadline_(Clock::now() + options.budget) {}

  bool late() const { return Clock::now() >= deadline_; }

  /// The sum of the unit heads of the kept edges holds them clearly.
  bool clearly_held(const std::vector<Edge>& kept) const {
    const Eigen::Index r = at_.points.cols();
    if (r == 0) return false;
    Eigen::MatrixXd form = Eigen::MatrixXd::Zero(r, r);
    for (const auto& [source, target] : kept) {
      const auto u = at_.points.row(static_cast<Eigen::Index>(source));
      const auto v = at_.points.row(static_cast<Eigen::Index>(target));
      const double norm = u.squaredNorm() * v.squaredNorm();
      if (norm > 0) form += u.transpose() * v / norm;
    }
    return form.allFinite() &&
           Question(at_, signs_of(graph_, kept), options_).margin(form) > clear_margin;
  }

  Refutation ask(std::vector<Edge> kept) const {
    RefuteOptions each = options_;
    each.kept = std::move(kept);
    each.budget = std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now());
    return refute(graph_, embedding_, each);
  }

 private:
  const Graph& graph_;
  const Matrix& embedding_;
  const RefuteOptions& options_;
  Coordinates at_;
  Clock::time_point deadline_;
};

}  // namespace

Refutation refute(const Graph& graph, const Matrix& embedding, const RefuteOptions& options) {
  const std::size_t m = graph.vertices();
  require(embedding.rows() == m && embedding.cols() > 0, "refute: one row per vertex is required");
  const std::vector<Edge>& kept = options.kept ? *options.kept : graph.edges();
  for (const Edge& edge : kept) require(graph.contains(edge), "refute: kept edges must be edges");
  const bool complete = graph.edges().size() == m * m;
  if (kept.empty() || complete) return constant_form(embedding.cols(), complete);
  if (const auto equal = coincidence(graph, embedding, kept))
    return Multipliers{{{equal->first, 1}}, {{equal->second, 1}}};
  const Coordinates at = coordinates_of(embedding);
  return Question(at, signs_of(graph, kept), options).answer();
}

AnyHeads refute_any_heads(const Graph& graph, const Matrix& embedding,
                          const RefuteOptions& options) {
  AnyHeads result;
  const Series series(graph, embedding, options);
  for (const Edge& edge : graph.edges()) {
    if (series.late()) {
      ++result.untried;
    } else if (series.clearly_held({edge})) {
      ++result.held;
    } else {
      Refutation answer = series.ask({edge});
      if (auto* found = std::get_if<Multipliers>(&answer)) {
        result.multipliers = std::move(*found);
        return result;
      }
      ++(std::holds_alternative<Undecided>(answer) ? result.undecided : result.held);
    }
  }
  return result;
}

Clashes clashes(const Graph& graph, const Matrix& embedding, const RefuteOptions& options) {
  Clashes result;
  const Series series(graph, embedding, options);
  const std::vector<Edge>& edges = graph.edges();
  for (std::size_t i = 0; i < edges.size(); ++i)
    for (std::size_t j = i + 1; j < edges.size(); ++j) {
      if (series.late()) {
        ++result.untried;
      } else if (series.clearly_held({edges[i], edges[j]})) {
        ++result.held;
      } else {
        Refutation answer = series.ask({edges[i], edges[j]});
        if (auto* found = std::get_if<Multipliers>(&answer))
          result.found.push_back({i, j, std::move(*found)});
        else
          ++(std::holds_alternative<Undecided>(answer) ? result.undecided : result.held);
      }
    }
  return result;
}

}  // namespace qkcert
