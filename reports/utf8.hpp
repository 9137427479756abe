#pragma once
/// Text that may hold any bytes, such as a path, for formats that want UTF-8.

#include <string>
#include <string_view>

namespace qkcert {

/// `text` with U+FFFD in place of every byte that belongs to no valid sequence (overlong forms,
/// surrogates and code points beyond U+10FFFF are not valid).
std::string valid_utf8(std::string_view text);

}  // namespace qkcert
