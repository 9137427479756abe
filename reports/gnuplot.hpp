#pragma once
/// What every plot shares: gnuplot's spelling of numbers and texts, its terminals, and its run.

#include <qkcert/core/integer.hpp>
#include <string>

namespace qkcert {

enum class PlotFormat { svg, pdf };

/// The format that the name of a file asks for. Errors: UsageError unless it ends in .svg or .pdf.
PlotFormat plot_format(const std::string& path);

namespace gnuplot {

/// `value` with six digits behind the point.
std::string number(const Rational& value);

/// `text` in quotes, without markup. Errors: ShapeError when it has a control character.
std::string quoted(const std::string& text);

/// The commands that choose encoding and terminal, then `title`.
std::string preamble(const std::string& title, PlotFormat format);

/// The bytes that `script` draws: the same for the same script and gnuplot (a PDF's date is fixed).
/// Errors: FileError when gnuplot (Debian: gnuplot-nox) cannot be run or fails.
std::string run(const std::string& script, PlotFormat format);

}  // namespace gnuplot

}  // namespace qkcert
