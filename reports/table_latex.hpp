#pragma once
/// A table as LaTeX.

#include <qkcert/reports/table.hpp>

namespace qkcert {

/// Two kinds of floats: the table, with spec.caption and spec.label, and behind it the
/// certificates, 12 to a float, labelled LABEL-certificates, … It needs booktabs. It compiles as a
/// document of its own (`name` is that of the .bib file); behind `\input` in another document it
/// adds the floats alone.
std::string table_latex(const Table& table, const std::string& name);

}  // namespace qkcert
