#pragma once
/// How far the verification of one certificate has come, as bytes.

#include <qkcert/verify/extremes.hpp>
#include <string>
#include <string_view>

namespace qkcert {

/// Text bound to the certificate's SHA-256, this program's version and the rows of each block, closed
/// by its own SHA-256.
std::string write_checkpoint(const ScanState& state, const std::string& certificate_sha256);

/// What write_checkpoint wrote. It is a record and no proof: the hash tells damage, not intent.
/// Errors: FormatError for other bytes, a done block without any score, or no hash of the blocks, all
/// of which no scan saves; UsageError when it is of another certificate or version.
ScanState read_checkpoint(std::string_view bytes, const std::string& source,
                          const std::string& certificate_sha256);

}  // namespace qkcert
