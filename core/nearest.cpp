#include <algorithm>
#include <qkcert/core/nearest.hpp>
#include <vector>

namespace qkcert {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before, last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before = std::move(last);
    last = std::move(row);
    row.assign(b.size() + 1, i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] =
          std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::optional<std::string> nearest(std::string_view word, std::span<const std::string> known) {
  static constexpr std::size_t longest = 64;
  std::optional<std::string> best;
  std::size_t least = longest;
  for (const std::string& each : known) {
    const std::size_t length = std::max(word.size(), each.size());
    if (length > longest) continue;
    const std::size_t distance = edit_distance(word, each);
    if (3 * distance > length || distance >= least) continue;
    best = each;
    least = distance;
  }
  return best;
}

}  // namespace qkcert
