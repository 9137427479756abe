#pragma once
/// Where a fit stands between two stages: what a checkpoint holds.

#include <Eigen/Core>
#include <cstdint>
#include <string>

namespace qkcert::fit {

using Eigen::MatrixXd;

/// At low precision `quantise` stands between `grow` and `repair`, where `round` does elsewhere.
enum class Phase : std::uint64_t { separate, grow, round, repair, quantise };

struct State {
  Phase phase = Phase::separate;
  std::uint64_t step =
      0;  ///< within the phase: iterations, widenings, rows rounded, repairs made, steps
  double t_minus = 0.97;
  double sharpness = 0;
  double gap = 0;       ///< between the extremes of `point` while it grows, then of `best`
  double unit = 1;      ///< integer weights per float
  double loss = 0;      ///< of the integer weights in `point`
  MatrixXd point = {};  ///< coordinates z; from the rounding on weights
  MatrixXd best = {};   ///< the integer weights whose extremes overlap least
};

/// The state in words of 16 hexadecimal digits; doubles keep their bits.
std::string write_state(const State& state);

/// The state that write_state() has written. Errors: FormatError.
State read_state(const std::string& text);

}  // namespace qkcert::fit
