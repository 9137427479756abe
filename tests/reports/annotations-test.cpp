#include <qkcert/reports/annotations.hpp>
#include <reports/results.hpp>
#include <support.hpp>

using namespace qkcert;

TEST_CASE("annotations: the golden files", "[annotations]") {
  CHECK(to_annotations(test::results()) == test::corpus("claims/golden/results.annotations.txt"));
  CHECK(to_annotations(test::all_passed()) == test::corpus("claims/golden/passed.annotations.txt"));
}
