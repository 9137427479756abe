#include "ranks.hpp"

#include <cstdlib>
#include <qkcert/core/decimal.hpp>
#include <qkcert/core/errors.hpp>

namespace qkcert::cli {

Ranks ranks_here() {
  const auto number = [](const char* name, std::size_t otherwise) -> std::size_t {
    const char* const text = std::getenv(name);
    return text ? parse_uint64(text).value_or(otherwise) : otherwise;
  };
  return {number("OMPI_COMM_WORLD_SIZE", 1), number("OMPI_COMM_WORLD_RANK", 0)};
}

#ifndef QKCERT_MPI
Status on_ranks(const Execution&, const std::function<Status(const Scorer&)>&) {
  throw UsageError(
      "mpirun has started several processes, and this build has no MPI: configure it "
      "with -DQKCERT_MPI=ON");
}
#endif

}  // namespace qkcert::cli
