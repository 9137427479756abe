#include <algorithm>
#include <qkcert/core/decimal.hpp>
#include <qkcert/reports/json_number.hpp>
#include <qkcert/reports/transition.hpp>
#include <qkcert/search/wilson.hpp>

namespace qkcert {

namespace {

using Json = nlohmann::ordered_json;
using Outcome = TransitionTrial::Outcome;

constexpr unsigned digits = 4;
constexpr const char* confidence = "95 %";

std::string padded(std::size_t number) {
  const std::string text = std::to_string(number);
  return std::string(4 - std::min<std::size_t>(4, text.size()), '0') + text;
}

/// The rate and its interval as decimals; `rate` is empty without a completed trial.
struct Rate {
  std::string rate, lower, upper;
};

Rate rate_of(const TransitionOutcome& outcome) {
  const std::size_t certified = outcome.certified(), completed = outcome.completed();
  const auto [lower, upper] = wilson_interval(certified, completed, digits);
  return {completed == 0 ? "" : to_decimal(Rational(certified, completed), digits, Rounding::down),
          to_decimal(lower, digits, Rounding::down), to_decimal(upper, digits, Rounding::up)};
}

std::string heads_text(const TransitionPoint& point) {
  if (point.heads) return std::to_string(*point.heads);
  if (point.head_dim) return std::to_string(point.key_dimension / *point.head_dim);
  return {};
}

/// A decimal as a JSON number of the same digits.
Json decimal(const std::string& text) { return text.empty() ? Json() : Json::parse(text); }

Json to_json(const TransitionReport& report, const TransitionPoint& point,
             const TransitionTrial& trial) {
  Json json{{"trial", trial.number},
            {"graph_seed", trial.seeds.graph},
            {"embedding_seed", trial.seeds.embedding},
            {"construction_seed", trial.seeds.construction},
            {"head_widths", Json()},
            {"success", Json()},
            {"certificate", Json()},
            {"sha256", Json()}};
  for (std::size_t k = 0; k < trial.architecture.heads; ++k)
    json["head_widths"].push_back(trial.architecture.width(k));
  if (trial.outcome != Outcome::incomplete) json["success"] = trial.outcome == Outcome::certified;
  if (trial.outcome != Outcome::certified) return json;
  if (report.certificates)
    json["certificate"] = *report.certificates + "/" + certificate_name(point, trial.number);
  json["sha256"] = trial.sha256;
  return json;
}

Json to_json(const TransitionReport& report, const TransitionOutcome& outcome) {
  const Rate rate = rate_of(outcome);
  Json json;
  json["key_dimension"] = outcome.point.key_dimension;
  json["heads"] = decimal(heads_text(outcome.point));
  json["completed"] = outcome.completed();
  json["certified"] = outcome.certified();
  json["rate"] = decimal(rate.rate);
  json["wilson_lower"] = decimal(rate.lower);
  json["wilson_upper"] = decimal(rate.upper);
  json["trials"] = Json::array();
  for (const TransitionTrial& trial : outcome.trials)
    json["trials"].push_back(to_json(report, outcome.point, trial));
  return json;
}

std::string class_text(const TransitionReport& report) {
  return report.options.family.to_string() + ", d_model " + std::to_string(report.options.d_model);
}

std::string method_text(const TransitionOptions& options) {
  return options.method + ", |weight| <= " + to_decimal(options.weight_max);
}

std::string right(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

}  // namespace

bool TransitionReport::complete() const {
  return std::all_of(outcomes.begin(), outcomes.end(), [](const TransitionOutcome& outcome) {
    return outcome.completed() == outcome.trials.size();
  });
}

std::string certificate_name(const TransitionPoint& point, std::size_t trial) {
  return "d" + padded(point.key_dimension) + (point.heads ? "-h" + padded(*point.heads) : "") +
         "-s" + padded(trial) + ".qkc";
}

std::string transition_text(const TransitionReport& report) {
  const TransitionOptions& options = report.options;
  std::string text =
      "class        " + class_text(report) + ", random graphs and Gaussian rows of " +
      std::to_string(options.embedding_bits) + " bits\n" + "method       " + method_text(options) +
      ", split: " + report.split + "\n" + "trials       " + std::to_string(options.trials) +
      " a point, seed " + std::to_string(options.seed) + ", tries " +
      std::to_string(options.tries) + "\n\n     D_K  heads    certified    rate   " + confidence +
      " interval (Wilson, rounded outward)\n";
  for (const TransitionOutcome& outcome : report.outcomes) {
    const Rate rate = rate_of(outcome);
    const std::string heads = heads_text(outcome.point);
    const std::size_t completed = outcome.completed(), wanted = outcome.trials.size();
    text += right(std::to_string(outcome.point.key_dimension), 8) +
            right(heads.empty() ? "auto" : heads, 7) +
            right(std::to_string(outcome.certified()) + "/" + std::to_string(completed), 13) +
            right(rate.rate.empty() ? "none" : rate.rate, 8) + "   [" + rate.lower + ", " +
            rate.upper + "]" +
            (completed < wanted
                 ? "  incomplete: " + std::to_string(wanted - completed) + " trials without outcome"
                 : "") +
            "\n";
  }
  return text + "\nlower bound  D_K >= " + to_decimal(report.lower_bound.key_dimension) +
         " (counting, class " + class_text(report) +
         ", |weight| <= " + to_decimal(options.weight_max) +
         ")\n             It bounds the class and not these graphs, of which some may need less.\n";
}

std::string transition_json(const TransitionReport& report) {
  const TransitionOptions& options = report.options;
  Json json;
  json["family"] = options.family.to_string();
  json["d_model"] = options.d_model;
  json["embedding_bits"] = options.embedding_bits;
  json["method"] = options.method;
  json["weight_max"] = json_number(options.weight_max);
  json["split"] = report.split;
  json["trials_per_point"] = options.trials;
  json["tries"] = options.tries;
  json["seed"] = options.seed;
  json["confidence"] = confidence;
  json["complete"] = report.complete();
  json["lower_bound"] = json_number(report.lower_bound.key_dimension);
  json["lower_bound_method"] = "counting";
  json["points"] = Json::array();
  for (const TransitionOutcome& outcome : report.outcomes)
    json["points"].push_back(to_json(report, outcome));
  return json_line(json);
}

std::string transition_csv(const TransitionReport& report) {
  std::string text =
      "key_dimension,heads,trials,completed,certified,rate,wilson_lower,wilson_upper\n";
  for (const TransitionOutcome& outcome : report.outcomes) {
    const Rate rate = rate_of(outcome);
    text += std::to_string(outcome.point.key_dimension) + "," + heads_text(outcome.point) + "," +
            std::to_string(outcome.trials.size()) + "," + std::to_string(outcome.completed()) +
            "," + std::to_string(outcome.certified()) + "," + rate.rate + "," + rate.lower + "," +
            rate.upper + "\n";
  }
  return text;
}

Plot transition_plot(const TransitionReport& report) {
  const TransitionOptions& options = report.options;
  PlotSeries series{"certified by " + method_text(options) + ", with 95 % Wilson intervals", {}};
  const bool over_heads = report.sweeps_heads();
  const auto place = [&](const TransitionPoint& point) {
    return Integer(over_heads ? point.heads.value() : point.key_dimension);
  };
  Integer low = place(report.outcomes.front().point), high = low;
  for (const TransitionOutcome& outcome : report.outcomes) {
    const Integer x = place(outcome.point);
    low = std::min(low, x);
    high = std::max(high, x);
    const std::size_t certified = outcome.certified(), completed = outcome.completed();
    if (completed == 0) continue;
    const auto [lower, upper] = wilson_interval(certified, completed, digits);
    series.points.push_back({x, Rational(certified, completed), lower, upper});
  }
  std::string axis = "total key dimension D_K";
  std::vector<PlotMark> marks;
  if (over_heads) {
    axis = "number of heads h of total key dimension D_K = " +
           std::to_string(report.outcomes.front().point.key_dimension);
  } else {
    const Integer& bound = report.lower_bound.key_dimension;
    marks.push_back({"lower bound for the class: D_K >= " + to_decimal(bound), bound});
    low = std::min(low, bound);
    high = std::max(high, bound);
  }
  return {.title = class_text(report) + ", split: " + report.split + ", " +
                   std::to_string(options.trials) + " trials a point",
          .x = {axis, low - 1, high + 1, floor_quotient(high - low, 16) + 1},
          .y = {"success rate (certified / trials)", Rational(-1, 40), Rational(41, 40)},
          .series = {std::move(series)},
          .marks = std::move(marks)};
}

}  // namespace qkcert
