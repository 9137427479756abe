#pragma once
/// What the command says of a phase transition: text, JSON, CSV, and a plot.

#include <qkcert/core/claim.hpp>
#include <qkcert/reports/plot.hpp>
#include <qkcert/search/transition.hpp>

namespace qkcert {

struct TransitionReport {
  const TransitionOptions& options;
  std::string split;  ///< `auto`, `heads H`, `head-dim W` or `every number of heads`
  std::vector<TransitionOutcome> outcomes;
  CountingBound lower_bound;                     ///< for the class: no guide to one graph
  std::optional<std::string> certificates = {};  ///< the directory they are in
  bool sweeps_heads() const { return split == "every number of heads"; }
  bool complete() const;  ///< whether every trial has an outcome
};

/// `d0012-s0007.qkc`, or `d0012-h0003-s0007.qkc` where h is given: names that sort up to 9999.
std::string certificate_name(const TransitionPoint& point, std::size_t trial);

/// A table, a row for each point. Rates are of the completed trials, rounded down to four digits;
/// the interval is Wilson's, its ends rounded outward (search/wilson.hpp).
std::string transition_text(const TransitionReport& report);

/// One JSON object on one line. Keys, in this order: family, d_model, embedding_bits, method,
/// weight_max, split, trials_per_point, tries, seed, confidence, complete, lower_bound,
/// lower_bound_method; points, an array of objects with key_dimension, heads (null if the method
/// chooses), completed, certified, rate, wilson_lower, wilson_upper and trials, an array of objects
/// with trial, graph_seed, embedding_seed, construction_seed, head_widths (null when nothing was
/// tried), success (null when incomplete), certificate (its path, null when not stored), sha256.
std::string transition_json(const TransitionReport& report);

/// A header line and a line for each point, separated by commas: key_dimension, heads (empty if the
/// method chooses), trials, completed, certified, rate, wilson_lower, wilson_upper.
std::string transition_csv(const TransitionReport& report);

/// Rates with Wilson's intervals against D_K, and the counting bound as a vertical line; or against
/// the number of heads. Points without a completed trial are left out.
Plot transition_plot(const TransitionReport& report);

}  // namespace qkcert
