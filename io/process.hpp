#pragma once
/// Another program as a filter: bytes in, bytes out. No shell is involved.

#include <string>
#include <string_view>
#include <vector>

namespace qkcert {

/// What `program`, looked up in PATH, writes to standard output when `input` is its standard input.
///
/// Ensure   it has ended with status 0. Neither input nor output touches a named file.
/// Errors   FileError that names the program and the system's reason when it cannot be started, or
///          the last line of its standard error when it fails.
std::string run_filter(const std::string& program, const std::vector<std::string>& arguments,
                       std::string_view input);

}  // namespace qkcert
