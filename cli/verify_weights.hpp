#pragma once
/// `qkcert verify --weights`: what trained weights decide.

#include <qkcert/search/weights.hpp>

#include "options.hpp"
#include "output.hpp"
#include "verbs.hpp"

namespace qkcert::cli {

/// `--weights FILE`, where the weights stand in it, and the graph and embedding they are asked about.
struct WeightsOptions {
  std::optional<std::string> file;
  WeightLayout layout;
  std::optional<std::uint64_t> heads, head_axis;
  GraphOptions graph;
  EmbeddingOptions embedding;

  void add_to(CLI::App& verb);
};

/// Counts the errors of each head and of their union at the best τ; when there are none, certifies
/// the recovery. Require: options.file.
Status verify_weights(const WeightsOptions& options, const OutputOptions& output, unsigned threads);

}  // namespace qkcert::cli
