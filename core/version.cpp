#include <qkcert/core/version.hpp>

namespace qkcert {

std::string_view version() { return QKCERT_VERSION; }

}  // namespace qkcert
