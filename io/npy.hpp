#pragma once
/// NumPy's .npy files (format versions 1.0, 2.0 and 3.0).
///
/// Source  NumPy Enhancement Proposal 1, and numpy/lib/format.py.

#include <qkcert/core/embedding.hpp>
#include <qkcert/io/array.hpp>
#include <string>
#include <string_view>

namespace qkcert {

/// An exact embedding from a two-dimensional array, row v = vertex v.
///
/// Accepts  dtypes i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 and b1 (bool), both byte orders, C and Fortran
///          order, any header length; the header's keys in any order. Floats are dyadic, so they
///          are taken exactly, by their bits; -0.0 is 0 and subnormals are kept.
/// Ensure   embedding.rows·2^scale are the array's values, exactly.
/// Cost     linear; nothing is allocated before shape × item size was found equal to the bytes that
///          are left.
/// Errors   FormatError with the byte offset: bad magic or version; a header that is longer than
///          the file or not the dictionary that NumPy writes; another dtype (complex, object,
///          strings, structured, longdouble); a shape that is not two-dimensional or does not fit
///          the bytes; bytes behind the data; NaN, infinity or a bool that is neither 0 nor 1
///          (row and column are named).
Embedding parse_npy(std::string_view bytes, const std::string& source);

/// The same array, of any number of dimensions; `bytes` must outlive it. Its entries are read, and
/// NaN and infinity refused, when they are asked for.
Array parse_npy_array(std::string_view bytes, const std::string& source);

}  // namespace qkcert
