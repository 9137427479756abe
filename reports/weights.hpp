#pragma once
/// What trained weights decide, for people and for programs.

#include <qkcert/reports/report.hpp>
#include <qkcert/search/best_threshold.hpp>
#include <qkcert/search/weights.hpp>

namespace qkcert {

/// The facts behind both.
struct WeightsReport {
  Report report;  ///< with a claim when the recovery is exact, else with a reason
  Graph graph;
  Embedding embedding;
  ScaledChannel weights;
  BestDecisions decisions;
};

/// Several lines: graph, embedding, weights, then for each head and for the union of all the counts
/// at its best τ, and the certificate if there is one.
std::string weights_text(const WeightsReport& facts, const Sources& sources,
                         const std::string& weights_source);

/// to_json(report) with the keys vertices, edges, d_model, heads, head_widths, key_dimension (of the
/// claim, if there is one), embedding_scale, weight_scale, decisions: an array of objects with head
/// (null for the union), threshold, true_positives, false_positives, false_negatives,
/// true_negatives.
std::string weights_json(const WeightsReport& facts);

}  // namespace qkcert
