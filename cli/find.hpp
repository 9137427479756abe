#pragma once
/// What `certify` and `search` share: the search for the least D_K, and its outcome.

#include "search_options.hpp"
#include "verbs.hpp"

namespace qkcert::cli {

struct FindOptions {
  SearchOptions search;
  std::optional<std::uint64_t> tries, target;
  Splits effort = Splits::few;

  void add_to(CLI::App& verb);
};

/// Searches and certifies. With Splits::many it also tells what was tried, and compares with the
/// strongest bound.
Status find(const FindOptions& options, const std::string& program);

}  // namespace qkcert::cli
