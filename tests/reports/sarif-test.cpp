#include <qkcert/reports/sarif.hpp>
#include <reports/results.hpp>
#include <support.hpp>

using namespace qkcert;

TEST_CASE("sarif: the golden files", "[sarif]") {
  CHECK(to_sarif(test::results()) == test::corpus("claims/golden/results.sarif"));
  CHECK(to_sarif(test::all_passed()) == test::corpus("claims/golden/passed.sarif"));
}
