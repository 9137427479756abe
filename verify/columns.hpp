#pragma once
/// The claim `bound counting-columns`: channels counted as multisets of heads (theory.md, B1+).
/// read_… reads the lines between `claim …` and `end`, write_body writes them.

#include <qkcert/core/claim.hpp>
#include <qkcert/verify/check.hpp>
#include <qkcert/verify/claim_reader.hpp>
#include <qkcert/verify/claim_writer.hpp>

namespace qkcert {

ColumnsBound read_columns(ClaimReader& in);
void write_body(ClaimWriter& out, const ColumnsBound& claim);
/// True iff key_dimension is the least whose count reaches the target.
Verdict decide(const ColumnsBound& claim, unsigned threads, const Progress& progress);

}  // namespace qkcert
