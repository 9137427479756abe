#include <bit>
#include <limits>
#include <qkcert/constructions/fit_state.hpp>
#include <qkcert/core/errors.hpp>

#include "support.hpp"

using namespace qkcert;
using namespace qkcert::fit;

namespace {

State a_state() {
  State state{.phase = Phase::repair, .step = 7, .t_minus = 0.1, .sharpness = -0.0, .gap = 1e-310};
  state.unit = std::numeric_limits<double>::infinity();
  state.loss = 1.0 / 3;
  state.point = MatrixXd::Random(3, 5);
  return state;
}

}  // namespace

TEST_CASE("a state of fit keeps every bit") {
  const State state = a_state();
  const State back = read_state(write_state(state));
  const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
  CHECK(back.phase == state.phase);
  CHECK(back.step == state.step);
  CHECK(bits(back.t_minus) == bits(state.t_minus));
  CHECK(bits(back.sharpness) == bits(state.sharpness));
  CHECK(bits(back.gap) == bits(state.gap));
  CHECK(bits(back.unit) == bits(state.unit));
  CHECK(bits(back.loss) == bits(state.loss));
  CHECK(back.point == state.point);
  CHECK(back.best.size() == 0);
}

TEST_CASE("damaged states of fit are refused") {
  const std::string good = write_state(a_state());
  const auto refused = [](const std::string& text) {
    CHECK_THROWS_WITH(read_state(text), "fit: the state to resume from is damaged");
  };
  for (std::size_t length = 0; length < good.size(); ++length) refused(good.substr(0, length));
  refused(good + "0");
  refused(good + std::string(16, '0'));
  std::string text = good;
  text[15] = '5';  // no such phase
  refused(text);
  text = good;
  text[40] = 'g';
  refused(text);
  text = good;
  text.replace(7 * 16, 16, "8000000000000000");  // rows of the first matrix
  refused(text);
}
