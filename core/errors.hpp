#pragma once
/// Errors. Every room throws one of these; only cli/ turns them into an exit status.

#include <stdexcept>
#include <string>

namespace qkcert {

/// The base of all errors below.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A call, option or parameter that makes no sense (exit status 2).
struct UsageError : Error {
  using Error::Error;
};

/// A file that cannot be opened, read or written (exit status 2).
struct FileError : Error {
  using Error::Error;
};

/// Bytes that are not what they should be. The message names the source, the line or byte offset,
/// what was expected and what was found. Exit status 2 for inputs, 1 for certificates.
struct FormatError : Error {
  using Error::Error;
};

/// Shapes that do not fit together, or an index out of range. Checked in every build type.
struct ShapeError : Error {
  using Error::Error;
};

/// A number too large to be computed within the stated limits.
struct SizeError : Error {
  using Error::Error;
};

/// A construction that cannot serve this graph or embedding; the message says why (exit status 2).
struct MethodError : Error {
  using Error::Error;
};

/// Throws ShapeError with `what` unless `condition`. Never compiled out.
inline void require(bool condition, const char* what) {
  if (!condition) throw ShapeError(what);
}

}  // namespace qkcert
