#include "surveyed.hpp"

#include <qkcert/core/errors.hpp>

namespace qkcert::test {

namespace {

const std::string certificates = std::string(QKCERT_TEST_DATA) + "/certificates/";

}  // namespace

TEST_CASE("survey decides what is in the file") {
  const Surveyed good = survey(certificates + "valid/edge-per-head-6.qkc", 1);
  CHECK(good.holds);
  CHECK(good.claim.has_value());
  CHECK(good.report().status == Report::Status::holds);
  CHECK(!good.report().reason);
  const Surveyed false_claim = survey(certificates + "invalid/extremes-off-by-one.qkc", 1);
  CHECK(!false_claim.holds);
  CHECK(false_claim.claim.has_value());
  const Surveyed broken = survey(certificates + "invalid/crlf.qkc", 1);
  CHECK(!broken.holds);
  CHECK(!broken.claim);
  CHECK(broken.report().status == Report::Status::does_not_hold);
  CHECK(broken.report().reason == broken.text);
  const Surveyed missing = survey(certificates + "none\n.qkc", 1);
  CHECK(missing.report().status == Report::Status::unreadable);
  CHECK(missing.text.find('\n') == std::string::npos);
}

TEST_CASE("certificate_paths: folders give their certificates, sorted") {
  const auto paths =
      certificate_paths({certificates + "valid/", certificates + "invalid/crlf.qkc"});
  REQUIRE(paths.size() > 3);
  CHECK(std::is_sorted(paths.begin(), paths.end() - 1));
  CHECK(paths.front() == certificates + "valid/advantage-permutation-11.qkc");
  CHECK(paths.back() == certificates + "invalid/crlf.qkc");
  CHECK_THROWS_AS(certificate_paths({certificates + "none"}), FileError);
  CHECK_THROWS_AS(certificate_paths({std::string(QKCERT_TEST_DATA) + "/edges/valid"}), UsageError);
  CHECK(is_certificate_name("a.qkc"));
  CHECK(is_certificate_name("a.qkc.gz"));
  CHECK(!is_certificate_name("a.qkc.bak"));
}

TEST_CASE("least_certified: of those that hold and fit, the least D_K, the first of equals") {
  std::vector<Surveyed> list = {surveyed_cycle(6, 2), surveyed_cycle(6, 1), surveyed_cycle(6, 1, 9),
                                surveyed_cycle(6, 0, 5), surveyed_cycle(7)};
  const Family family("permutation", {6});
  CHECK(least_certified(list, family, 6, 9) == &list[3]);
  CHECK(least_certified(list, family, 6, 5) == &list[3]);
  CHECK(least_certified(list, family, 6, 4) == &list[1]);
  CHECK(least_certified(list, family, 7, 9) == nullptr);
  CHECK(least_certified(list, Family("matching", {6, 3}), 6, 9) == nullptr);
  CHECK(least_certified(list, Family("permutation", {7}), 7, 1) == &list[4]);
  list[3].holds = false;
  CHECK(least_certified(list, family, 6, 9) == &list[1]);
}

}  // namespace qkcert::test
