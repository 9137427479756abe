#pragma once
/// Certificates: claims as canonical bytes (docs/certificate-format.md). One claim has exactly one
/// spelling: write_certificate(read_certificate(bytes)) == bytes for every canonical file.

#include <qkcert/core/claim.hpp>
#include <string>
#include <string_view>

namespace qkcert {

/// The name of a claim in its file, such as `bound counting`.
std::string_view claim_name(const Claim& claim);

/// The claim that `bytes` spells.
///
/// Ensure   the bytes are canonical to the last one and the hash is right; whether the claim is
///          *true* is for check() to say.
/// Cost     linear in the bytes; nothing is allocated for a size that the bytes left cannot hold.
/// Errors   FormatError `source: line N: expected …, found …`.
Claim read_certificate(std::string_view bytes, const std::string& source);

/// The canonical bytes of `claim`, hash included.
///
/// Require  multipliers strictly increasing; a non-empty channel. Graph keeps its own order.
/// Errors   ShapeError when shapes disagree.
std::string write_certificate(const Claim& claim);

}  // namespace qkcert
