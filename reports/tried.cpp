#include <algorithm>
#include <qkcert/reports/tried.hpp>

namespace qkcert {

std::vector<TriedSplit> by_split(const std::vector<Tried>& tried) {
  std::vector<TriedSplit> splits;
  for (const Tried& each : tried) {
    const auto same = std::find_if(splits.begin(), splits.end(), [&](const TriedSplit& split) {
      return split.method == each.method && split.architecture == each.architecture &&
             split.reason == each.reason;
    });
    if (same == splits.end()) {
      splits.push_back(
          {each.method, each.architecture, 1, each.outcome, each.seed, each.reason, each.patience});
      continue;
    }
    ++same->tries;
    if (same->outcome == Tried::Outcome::verified) continue;
    same->outcome = each.outcome;
    same->seed = each.seed;
    same->patience = each.patience;
  }
  return splits;
}

std::string_view outcome_text(Tried::Outcome outcome) {
  static constexpr std::string_view texts[] = {"verified", "not separated", "weights too large",
                                               "refused", "cut off"};
  return texts[static_cast<std::size_t>(outcome)];
}

std::string architecture_text(const Architecture& architecture) {
  const auto heads = [](std::size_t count, std::size_t width) {
    return std::to_string(count) + " × " + std::to_string(width);
  };
  const auto& [count, width, wider] = architecture;
  if (wider == 0) return heads(count, width);
  return heads(wider, width + 1) + " + " + heads(count - wider, width);
}

std::string tried_text(const std::vector<Tried>& tried) {
  std::string text;
  for (const TriedSplit& split : by_split(tried)) {
    text += text.empty() ? "tried        " : "             ";
    text += split.method;
    if (const auto& planned = split.architecture)
      text += " " + architecture_text(*planned) + ", D_K " +
              std::to_string(planned->key_dimension()) + ": ";
    else
      text += ": ";
    text += outcome_text(split.outcome);
    if (split.outcome == Tried::Outcome::verified)
      text += " with seed " + std::to_string(split.seed) +
              (split.patience > 1 ? ", patience " + std::to_string(split.patience) : "");
    if (!split.reason.empty()) text += ": " + split.reason;
    if (split.tries > 1) text += " (" + std::to_string(split.tries) + " tries)";
    text += "\n";
  }
  return text;
}

}  // namespace qkcert
