#include <qkcert/core/errors.hpp>
#include <qkcert/io/contexts.hpp>

#include "support.hpp"

namespace qkcert {
namespace {

using List = std::vector<std::vector<std::size_t>>;

std::string refusal(const std::string& bytes) {
  try {
    parse_contexts(bytes, "list", 5);
  } catch (const FormatError& error) {
    return error.what();
  }
  return "read";
}

TEST_CASE("contexts are lines of vertices in any order") {
  CHECK(parse_contexts("", "list", 5).empty());
  CHECK(parse_contexts("\n# 9 9\n  % x\n\t\n", "list", 5).empty());
  CHECK(parse_contexts("4 0\t2\r\n\n  3  \n0 2 4\n1", "list", 5) ==
        List{{0, 2, 4}, {3}, {0, 2, 4}, {1}});
}

TEST_CASE("what is no vertex is refused with its line") {
  CHECK(refusal("0\n1 5\n") == "list: line 2: expected vertices below 5, found '5'");
  CHECK(refusal("0 -1") == "list: line 1: expected vertices below 5, found '-1'");
  CHECK(refusal("01") == "list: line 1: expected vertices below 5, found '01'");
  CHECK(refusal("0 4294967296") == "list: line 1: expected vertices below 5, found '4294967296'");
  CHECK(refusal("18446744073709551616") ==
        "list: line 1: expected vertices below 5, found '18446744073709551616'");
  CHECK(refusal("0 # one") == "list: line 1: expected vertices below 5, found '#'");
  CHECK(refusal("# one\n\n3 1 3\n") == "list: line 3: expected different vertices, found 3 twice");
}

}  // namespace
}  // namespace qkcert
