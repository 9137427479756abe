#include <qkcert/core/errors.hpp>

#include "ranks.hpp"

namespace qkcert::cli {

Ranks::Ranks() {
  if (processes_started() > 1)
    throw UsageError(
        "mpirun has started several processes, and this build has no MPI: configure it "
        "with -DQKCERT_MPI=ON");
}

Ranks::~Ranks() = default;

void Ranks::require_same(const std::string&) const {}

bool Ranks::agree(bool ready) { return ready; }

Status Ranks::together(const Execution&, const std::function<Status(const Scorer&)>& lead) {
  return lead({});
}

}  // namespace qkcert::cli
