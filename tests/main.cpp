#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#include <cstdlib>
#include <string>

#include "support.hpp"

int main(int argc, char** argv) {
  // RapidCheck and our own loops share one seed and one multiplier.
  const std::string parameters = "seed=" + std::to_string(qkcert::test::seed()) +
                                 " max_success=" + std::to_string(100 * qkcert::test::multiplier());
  setenv("RC_PARAMS", parameters.c_str(), 0);
  return Catch::Session().run(argc, argv);
}
