#include <qkcert/core/nearest.hpp>
#include <support.hpp>

using namespace qkcert;

TEST_CASE("nearest: distances of insertions, removals, replacements and swaps", "[nearest]") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("abc", "") == 3);
  CHECK(edit_distance("abc", "abd") == 1);
  CHECK(edit_distance("abc", "acb") == 1);
  CHECK(edit_distance("abc", "bc") == 1);
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("ca", "abc") == 3);  // a swapped pair is not edited again
}

TEST_CASE("nearest: symmetric, 0 for equal words only, triangle with the length", "[nearest]") {
  test::repeat(200, [](Random& random) {
    const auto word = [&] {
      std::string text;
      for (std::size_t i = random.below(6); i > 0; --i)
        text += static_cast<char>('a' + random.below(3));
      return text;
    };
    const std::string a = word(), b = word();
    const std::size_t distance = edit_distance(a, b);
    CHECK(distance == edit_distance(b, a));
    CHECK((distance == 0) == (a == b));
    CHECK(distance <= std::max(a.size(), b.size()));
    CHECK(distance >= std::max(a.size(), b.size()) - std::min(a.size(), b.size()));
  });
}

TEST_CASE("nearest: only close words, the first of the closest", "[nearest]") {
  const std::vector<std::string> known = {"family", "vertices", "degree", "degrees"};
  CHECK(nearest("famly", known) == "family");
  CHECK(nearest("vertcies", known) == "vertices");
  CHECK(nearest("degre", known) == "degree");
  CHECK(nearest("edges", known) == std::nullopt);
  CHECK(nearest("", known) == std::nullopt);
  CHECK(nearest(std::string(65, 'a'), std::vector{std::string(65, 'b')}) == std::nullopt);
  CHECK(nearest("m", std::vector<std::string>{"n"}) == std::nullopt);
}
