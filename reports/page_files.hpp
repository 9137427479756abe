#pragma once
/// The files of reports/page/, as the build puts them into the program.

#include <string_view>

namespace qkcert::page_files {

extern const std::string_view
    frame;  ///< page.html, with the names `@title@`, `@style@`, … to fill in
extern const std::string_view style;   ///< page.css
extern const std::string_view script;  ///< page.js

}  // namespace qkcert::page_files
