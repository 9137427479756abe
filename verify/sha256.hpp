#pragma once
/// SHA-256 (FIPS 180-4), by OpenSSL.

#include <string>
#include <string_view>

namespace qkcert {

/// The hash of `bytes` as 64 lower-case hexadecimal digits. Errors: Error when OpenSSL fails.
std::string sha256(std::string_view bytes);

}  // namespace qkcert
