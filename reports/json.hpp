#pragma once
/// What the command says of a claim, for programs: one line of JSON.

#include <qkcert/reports/report.hpp>

namespace qkcert {

/// One JSON object on one line, no newline. Integers beyond ±2^53 are strings.
///
/// Keys, in this order
///   always       status: "holds", "does not hold", "undecided", "unreadable" or null
///   recovery     claim, vertices, edges, d_model, heads, head_widths, key_dimension, weight_max,
///                threshold, least_edge_score, greatest_nonedge_score (null when there is none);
///                method, if known; lower_bound, lower_bound_method, lower_bound_class, if known
///   impossibility single-head
///                claim, vertices, edges, d_model, edge_multipliers, nonedge_multipliers
///   impossibility narrow-head
///                the same, with width and weight_max after d_model
///   bound heads-clique
///                claim, vertices, edges, d_model, least_heads
///   bound counting
///                claim, family, d_model, weight_max, lower_bound, lower_bound_method
///   bound margin claim, vertices, edge_ratio and nonedge_ratio (numerator and denominator), power,
///                lower_bound, lower_bound_method
///   bound unit-heads
///                claim, vertices, edges, matching, lower_bound, lower_bound_method
///   advantage class
///                claim, family, vertices, d_model, heads, class_size, single_head_graphs
///   bound counting-random, counting-columns
///                claim, family, d_model, weight_max, failure_bits, lower_bound, lower_bound_method
///   bound warren, warren-ranks
///                claim, family, d_model, failure_bits, lower_bound, lower_bound_method
///   impossibility single-head-class
///                claim, family, d_model
///   bound heads  claim, family, d_model, lower_bound_heads, lower_bound_method
///   universal edge-per-head
///                claim, family, vertices, d_model, heads, key_dimension; method, if known
///   universal edge-pairs
///                the same, with good_pairs and most_unlisted after key_dimension
///   softmax-recovery
///                claim, vertices, edges, d_model, heads, head_widths, key_dimension, weight_max,
///                threshold, beta and theta (numerator and denominator), context_size
///   a search over β or θ
///                grid_bits; least_beta and closed_form_beta, or least_theta and greatest_theta
///                (numerator and denominator, null when there is none)
///   a list of contexts
///                contexts, covered_pairs
///   float-safe   claim, format, embedding_scale, weight_scale, vertices, edges, d_model, heads,
///                head_widths, key_dimension, weight_max, threshold
///   no claim     method, if known; with extremes: least_edge_score, least_edge,
///                greatest_nonedge_score, greatest_nonedge (the pairs as arrays)
///   always       certificate, sha256 (null when there is none)
///   no success   reason
///   search       tried: an array of objects with method, heads, head_widths and key_dimension (null
///                when the method refused), tries, outcome ("verified", "not separated", "weights too
///                large", "refused", "cut off"), seed and patience if verified, reason if refused
///   list         bounds: an array of objects with name, weights, decoder and either the claim's
///                keys and strongest (true or false) or reason
std::string to_json(const Report& report);

/// Facts about inputs in the same way, with the keys vertices, edges, loops, max_out_degree,
/// max_in_degree, narrowest_family (null without vertices) of the graph and rows, d_model, scale,
/// entry_bits, one_hot of the embedding.
std::string inputs_json(const std::optional<Graph>& graph,
                        const std::optional<Embedding>& embedding);

}  // namespace qkcert
