#include "ranks.hpp"

#include <cstdlib>
#include <qkcert/core/decimal.hpp>

namespace qkcert::cli {

std::size_t processes_started() {
  const char* const count = std::getenv("OMPI_COMM_WORLD_SIZE");
  return count ? parse_uint64(count).value_or(1) : 1;
}

}  // namespace qkcert::cli
