#pragma once
/// A table as JSON (docs/schemas/table-output.schema.json).

#include <qkcert/reports/table.hpp>
#include <string_view>

namespace qkcert {

/// `class_size`, `lower`, `upper` or `ratio`.
std::string_view kind_name(TableQuantity::Kind kind);

/// One object, indented by one space, with a newline at the end. Integers beyond ±2^53 are strings.
/// Keys: caption, label, grid (an object: the values of each axis), rows, columns, digits,
/// failure_bits, quantities (name, kind; weights and decoder of a bound), points: an array of
/// objects with family (its certificate's spelling), d_model, weight_max (null: real weights),
/// values (an object: the value of each axis) and entries, one for each quantity: name, quantity,
/// value (null: none; a ratio as numerator and denominator), printed, rounding (`up` of a ratio,
/// else null), method, references; claim, certificate and sha256 of a channel; reason where there
/// is no value.
std::string table_json(const Table& table);

}  // namespace qkcert
