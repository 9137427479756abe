#include <qkcert/reports/junit.hpp>
#include <reports/results.hpp>
#include <support.hpp>

using namespace qkcert;

TEST_CASE("junit: the golden files", "[junit]") {
  CHECK(to_junit(test::results()) == test::corpus("claims/golden/results.junit.xml"));
  CHECK(to_junit(test::all_passed()) == test::corpus("claims/golden/passed.junit.xml"));
}
