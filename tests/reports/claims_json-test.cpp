#include <qkcert/reports/claims_json.hpp>
#include <reports/results.hpp>
#include <support.hpp>

using namespace qkcert;

TEST_CASE("claims_json: the golden files", "[claims_json]") {
  CHECK(to_json(test::results()) + "\n" == test::corpus("claims/golden/results.json"));
  CHECK(to_json(test::all_passed()) + "\n" == test::corpus("claims/golden/passed.json"));
  CHECK(to_text(test::results()) == test::corpus("claims/golden/results.txt"));
  CHECK(to_text(test::all_passed()) == test::corpus("claims/golden/passed.txt"));
}
