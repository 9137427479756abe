#pragma once
/// From a recovery channel to the claim that it is safe in hardware floats.

#include <qkcert/core/claim.hpp>

namespace qkcert {

/// The claim `float-safe` of this channel in this format, with the powers of two nearest to 2^0 that
/// bring all inputs and intermediate results into the format's range, first of the embedding, then
/// of the weights. It decides nothing: where no scales do, or the margins are too small, the claim
/// is false, and the judge says why.
///
/// Method  The range of scores is estimated from above by Σ_j max_u|q|_uj · max_v|k|_vj.
/// Cost    one projection of the absolute values: m·d_model·D_K.
/// Errors  ShapeError.
FloatSafeClaim float_safe_claim(const RecoveryClaim& recovery, const FloatFormat& format);

}  // namespace qkcert
