#pragma once
/// What a search tried, by method and split.

#include <qkcert/search/batch.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace qkcert {

/// All tries of one method with one architecture, or its refusals for one reason.
struct TriedSplit {
  std::string method;
  std::optional<Architecture> architecture;
  std::size_t tries;
  Tried::Outcome outcome;   ///< the best of them: verified, else the last one's
  std::uint64_t seed;       ///< of the verified one, else of the last
  std::string reason = {};  ///< of a refusal
  unsigned patience = 1;    ///< that goes with the seed
};

/// In the order of the first tries.
std::vector<TriedSplit> by_split(const std::vector<Tried>& tried);

/// `verified`, `not separated`, `weights too large`, `refused` or `cut off`.
std::string_view outcome_text(Tried::Outcome outcome);

/// A line for each split: `fit 2 × 6  D_K 12  3 tries  verified with seed 3`.
std::string tried_text(const std::vector<Tried>& tried);

/// `2 × 6`; `1 × 7 + 2 × 6` when some heads are one wider.
std::string architecture_text(const Architecture& architecture);

}  // namespace qkcert
