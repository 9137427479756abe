#pragma once
/// The claim `float-safe`: a channel decides every pair in hardware floats as it does exactly
/// (theory.md, Theorem 3).

#include <qkcert/core/claim.hpp>
#include <qkcert/verify/check.hpp>
#include <qkcert/verify/claim_reader.hpp>
#include <qkcert/verify/claim_writer.hpp>

namespace qkcert {

/// Reads the lines between `claim …` and `end`.
FloatSafeClaim read_float_safe(ClaimReader& in);

/// Writes them. Errors: ShapeError when shapes disagree.
void write_body(ClaimWriter& out, const FloatSafeClaim& claim);

/// How far rounding may move the scores of a head: by at most Γ·A, Γ = numerator / denominator.
struct RoundOff {
  Integer numerator, denominator;
};

/// Γ = (1+γ_n(2^-24))·(1+γ_2(2^-p)) - 1 with n = 2·d_model + width, p the format's precision and
/// γ_n(u) = n·u/(1-n·u), so that 1+γ_n(u) = 1/(1-n·u); exactly. Both parts are below 2^48.
///
/// Require  n < 2^24. Errors: ShapeError.
RoundOff round_off(const FloatFormat& format, std::size_t d_model, std::size_t width);

/// True iff the conditions 1 to 6 of docs/certificate-format.md hold. Why they suffice, with a and b
/// the scales, s = a + b, and u = 2^-24:
///
///   Exact inputs     By 2 embedding, weights and τ are numbers of their formats.
///   No underflow     A number that is a multiple of 2^e, rounded to nearest without underflow, is
///                    a multiple of 2^e again: numbers below 2^(e+p) are not rounded, and to others
///                    only multiples of larger powers are near. So all products and partial sums of
///                    q and k are multiples of 2^s, and of scores of 2^(2s). By 3 those that are not
///                    0 are normal, in fp32 and, for q and k, in the format.
///   No overflow      A partial sum of n rounded operations is at most (1+γ_n(u)) times the sum of
///                    the products' absolute values, hence by 4 within the finite range, so that
///                    the next operation obeys |fl(x) - x| <= u·|x| as well.
///   Error            A product of k inputs passes at most d_model roundings in q, one of the
///                    format, the same in k, and `width` in the score: it is multiplied by (1+δ) for
///                    2·d_model + width numbers |δ| <= u and two |δ| <= 2^-p, together within 1 ± Γ
///                    (Higham, Accuracy and Stability of Numerical Algorithms, lemmas 3.1 and 3.3;
///                    this does not depend on the order of summation, and a fused multiply-add only
///                    takes a rounding away). So the computed score differs from S^k by Γ·A^k at
///                    most.
///   Decision         By 5 an edge scores above τ in some head, by 6 a non-edge in none.
///
/// The verdict names the pair with the least margin: |S^k - τ| / (Γ·A^k), the larger over the heads
/// for an edge, the smaller for a non-edge.
///
/// Cost     2·m²·D_K multiply-adds, in 64 or 128 bits where every partial sum fits, else GMP;
///          O(m·D_K) memory.
Verdict decide(const FloatSafeClaim& claim, unsigned threads, const Progress& progress);

}  // namespace qkcert
