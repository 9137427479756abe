#pragma once
/// The claim `advantage class`: one head cannot serve a class that many serve (theory.md, advantage
/// theorem).

#include <qkcert/core/claim.hpp>
#include <qkcert/verify/check.hpp>
#include <qkcert/verify/claim_reader.hpp>
#include <qkcert/verify/claim_writer.hpp>

namespace qkcert {

/// Reads the lines between `claim …` and `end`.
ClassAdvantage read_advantage(ClaimReader& in);

/// Writes them. Errors: ShapeError when the embedding has not one row per vertex of the family.
void write_body(ClaimWriter& out, const ClassAdvantage& claim);

/// True iff single_head_graphs is exactly f·Σ_{i<=d²} C(m²-1, i) and below |F|, and every row of
/// the embedding dominates: ⟨x_u,x_u⟩ > |⟨x_u,x_w⟩| for w ≠ u, and ⟨x_u,x_u⟩ > 0.
///
/// Why it suffices: on any embedding in R^d a single head with a threshold recognises an affine
/// dichotomy of the m² points x_u⊗x_v of R^(d²), and there are at most 2·Σ_{i<=d²} C(m²-1, i) of
/// those (Schläfli; Cover 1965). The complement of a dichotomy is one, too, so when all graphs of F
/// have e edges with e ≠ m² - e, at most every second one is in F: f = 1, else f = 2. On this
/// embedding a unit head per edge recognises every graph with an edge
/// (constructions/edge_per_head.hpp); |F| > N >= 1 leaves e >= 1.
///
/// Cost     one family size, at most min(d², m²-1) terms of the sum, m²·d multiply-adds.
Verdict decide(const ClassAdvantage& claim, unsigned threads, const Progress& progress);

/// Why some row does not dominate; empty when all do. Cost: m²·d multiply-adds.
std::string not_dominated(const Matrix& rows);

}  // namespace qkcert
