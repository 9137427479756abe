#pragma once
/// The version of this library, as in CMakeLists.txt.

#include <string_view>

namespace qkcert {

std::string_view version();

}  // namespace qkcert
