#pragma once
/// gzip (RFC 1952), the container of compressed files: `.qkc.gz`.

#include <qkcert/io/file.hpp>
#include <string>
#include <string_view>

namespace qkcert {

/// Whether `bytes` begin as a gzip file does, with 1f 8b. No canonical certificate does.
bool is_gzip(std::string_view bytes);

/// `bytes` as one gzip member at the highest level, without name and time, so that the same bytes
/// give the same file (for one version of zlib). gunzip, zcat and Python's gzip read it.
///
/// Errors  Error when zlib fails for want of memory.
std::string gzip(std::string_view bytes);

/// The content of a gzip file of one member, whatever optional fields its header has.
///
/// Ensure  its length and checksum are those that the file states; at most `max_bytes`.
/// Cost    linear; memory grows with what has been decompressed, not with what is announced.
/// Errors  FormatError that names `source` and the byte: a file cut short, damaged data, a wrong
///         checksum or length, anything behind the member (a second one too). FileError for a
///         content longer than `max_bytes`.
std::string gunzip(std::string_view bytes, const std::string& source,
                   std::size_t max_bytes = max_file_bytes);

/// read_file, decompressed where the bytes are those of gzip. Errors: those of both.
std::string read_packed_file(const std::string& path);

/// What a file of that name holds for `bytes`: gzip for a name that ends in `.gz`, else the bytes.
std::string packed_for(const std::string& path, std::string_view bytes);

}  // namespace qkcert
