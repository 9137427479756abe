#pragma once
/// Whole files: read with a check, written so that a crash leaves the old file or the new one.

#include <cstddef>
#include <string>
#include <string_view>

namespace qkcert {

/// No longer file is read.
inline constexpr std::size_t max_file_bytes = std::size_t{1} << 33;

/// The bytes of the file at `path`, which may be a pipe; `-` is standard input. At most 2^33 bytes.
///
/// Errors  FileError that names the path and the system's reason (a directory: `Is a directory`).
std::string read_file(const std::string& path);

/// Replaces the file at `path` by `bytes`: written beside it, fsynced, renamed, the directory
/// fsynced. `-` is standard output. A symbolic link is followed and stays; a device or pipe is
/// written in place.
///
/// Ensure  after a crash or a full disk the path holds its old content (or none) or all of `bytes`.
///         A new file's mode is 0666 less the umask, else the old file's. A crash may leave a file
///         `.qkcert-<process>-<number>` in the directory.
/// Errors  FileError that names the path and the system's reason, also for a file that the user may
///         not write (to replace it would be possible); nothing is left behind.
void write_file(const std::string& path, std::string_view bytes);

/// Whether there is anything at `path`. Errors: FileError when that cannot be told.
bool file_exists(const std::string& path);

/// Whether there is a regular file at `path`, or a link to one: no folder, pipe or device.
/// Errors: FileError when that cannot be told.
bool is_regular_file(const std::string& path);

/// Removes the file at `path`; nothing happens when there is none. Errors: FileError.
void remove_file(const std::string& path);

/// Makes the directory at `path`, unless it is there. Its parent must be there.
/// Errors: FileError that names the path and the system's reason.
void make_directory(const std::string& path);

/// Whether both paths name one existing file; false when either is `-`.
bool same_file(const std::string& a, const std::string& b);

/// Throws FileError unless write_file(path, …) can create a file there, so that long work does not
/// end in an error that was known at its start. Nothing is changed or left behind.
void require_writable(const std::string& path);

}  // namespace qkcert
