#pragma once
/// The sources that results go back to, as BibTeX.

#include <set>
#include <string>

namespace qkcert {

/// The entries of these keys, sorted by key, an empty line between.
/// Errors: ShapeError for an unknown key.
std::string bibliography(const std::set<std::string>& keys);

}  // namespace qkcert
