#include <qkcert/verify/head_scores.hpp>

namespace qkcert {

ScoresByHead::ScoresByHead(const Matrix& embedding, const Channel& channel, unsigned threads)
    : vertices_(embedding.rows()) {
  require_valid(channel, embedding.cols());
  const Kernels simd = kernels();
  const VertexRange all{0, vertices_};
  const auto heads = [&](Side side) {
    std::vector<Projections> result;
    Projections projections = project(embedding, channel, side, all, simd, threads);
    for (ExactRows& head : projections.heads) {
      result.push_back({all, {}});
      result.back().heads.push_back(std::move(head));
    }
    return result;
  };
  queries_ = heads(Side::query);
  keys_ = heads(Side::key);
  for (std::size_t k = 0; k < queries_.size(); ++k) {
    fits_int128_ = fits_int128_ && qkcert::fits_int128(queries_[k], keys_[k]);
    const std::vector<Integer> query_squares = row_squares(queries_[k], threads);
    const std::vector<Integer> key_squares = row_squares(keys_[k], threads);
    const PackingLimits limits = packing_limits(query_squares, key_squares);
    PackedHead& head = packed_.emplace_back(PackedHead{
        pack(queries_[k], query_squares, limits.query, head_tile_rows, kernel_rows, 1, threads),
        pack(keys_[k], key_squares, limits.key, head_tile_keys, kernel_keys, panel_keys, threads),
        std::vector<std::size_t>(vertices_)});
    for (std::size_t i = 0; i < vertices_; ++i) head.key_positions[head.keys.order[i]] = i;
  }
}

EnclosedScores::EnclosedScores(const ScoresByHead& scores, std::size_t head, std::size_t block)
    : head_(scores.packed(head)), block_(head_.queries.blocks[block]), kept_(rows()) {
  for (const PackedBlock& keys : head_.keys.blocks) {
    const unsigned exponent = block_.exponent + keys.exponent;
    unit_ = std::max(unit_, exponent > 12 ? exponent - 12 : 0);
    errors_.push_back(filter_error(head_.queries, block_, keys));
    exact_ = exact_ && exponent == 0 && errors_.back() == 0;
  }
}

void EnclosedScores::score_tile(std::size_t tile, const Kernels& kernels) {
  tile_ = tile;
  const PackedBlock& keys = head_.keys.blocks[tile];
  scores_.resize(block_.padded * keys.padded);
  row_max_.resize(block_.padded);
  kernels.score_tile(head_.queries.entries.data() + block_.at, block_.padded,
                     head_.keys.entries.data() + keys.at, keys.padded, head_.queries.head_pairs,
                     head_.queries.pairs, scores_.data(), row_max_.data());
}

void EnclosedScores::keep(std::size_t row) {
  const PackedBlock& keys = head_.keys.blocks[tile_];
  kept_[row].resize(head_.key_positions.size());
  std::copy_n(scores_.data() + row * keys.padded, keys.end - keys.begin,
              kept_[row].data() + keys.begin);
}

void EnclosedScores::fill(std::size_t row, int side, std::vector<std::int64_t>& bounds) const {
  const std::vector<std::int32_t>& kept = kept_[row];
  bounds.resize(kept.size());
  for (std::size_t t = 0; t < tiles(); ++t) {
    const PackedBlock& keys = head_.keys.blocks[t];
    const unsigned exponent = block_.exponent + keys.exponent;
    const std::int64_t error = side * errors_[t];
    // |F + error| < 2^31 + 2^48, and times 2^12 at most below 2^62.
    if (exponent >= unit_) {
      const std::int64_t factor = std::int64_t{1} << (exponent - unit_);
      for (std::size_t i = keys.begin; i < keys.end; ++i) bounds[i] = (kept[i] + error) * factor;
    } else {
      const unsigned shift = std::min(unit_ - exponent, 63U);
      for (std::size_t i = keys.begin; i < keys.end; ++i)
        bounds[i] = side < 0 ? (kept[i] + error) >> shift : -((-(kept[i] + error)) >> shift);
    }
  }
}

}  // namespace qkcert
