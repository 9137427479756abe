#include <qkcert/reports/tried.hpp>

#include "support.hpp"

namespace qkcert {
namespace {

using Outcome = Tried::Outcome;

const std::vector<Tried> tried = {
    {"onehot-code", {}, 1, Outcome::refused, "the embedding is not one-hot"},
    {"fit", Architecture{2, 6}, 1, Outcome::not_separated},
    {"fit", Architecture{3, 3, 2}, 2, Outcome::verified},
    {"fit", Architecture{2, 6}, 3, Outcome::cut_off},
    {"signature", Architecture{1, 4}, 1, Outcome::weights_too_large},
    {"fit", Architecture{1, 8}, 4, Outcome::not_separated},
    {"fit", Architecture{1, 8}, 5, Outcome::verified},
    {"fit", Architecture{1, 8}, 6, Outcome::not_separated}};

TEST_CASE("by_split gathers the tries of one method and architecture") {
  const auto splits = by_split(tried);
  REQUIRE(splits.size() == 5);
  CHECK(splits[1].tries == 2);
  CHECK(splits[1].outcome == Outcome::cut_off);
  CHECK(splits[4].tries == 3);
  CHECK(splits[4].outcome == Outcome::verified);
  CHECK(splits[4].seed == 5);
  CHECK(by_split({}).empty());
}

TEST_CASE("tried_text says what came of each split") {
  CHECK(tried_text(tried) ==
        "tried        onehot-code: refused: the embedding is not one-hot\n"
        "             fit 2 × 6, D_K 12: cut off (2 tries)\n"
        "             fit 2 × 4 + 1 × 3, D_K 11: verified with seed 2\n"
        "             signature 1 × 4, D_K 4: weights too large\n"
        "             fit 1 × 8, D_K 8: verified with seed 5 (3 tries)\n");
  CHECK(tried_text({}).empty());
}

}  // namespace
}  // namespace qkcert
