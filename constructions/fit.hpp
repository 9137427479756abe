#pragma once
/// `fit`: the construction that serves real data.
///
/// Embedding   any with d_model >= 1, taken in doubles and scaled to entries of at most 1.
/// Graph       any.
/// Parameters  heads h, head_dim d_k (absent: chosen from key_dimension, or from m', m and d_model),
///             weight_max A, seed, threads, the deadline and stop flag.
/// D_K         h·d_k as asked for, or key_dimension in h heads as even as it allows; without, about m'·log₂m / (2·d_model).
/// Weights     integers, |w| <= min(A, 2^30).
/// How         L-BFGS in floats on the hinge loss over all pairs, in coordinates that whiten X, with a
///             soft maximum over heads that hardens; the margin grown; each head's W_Q, W_K turned so
///             that entries are even; rounding row by row, the rows still free taking up the error;
///             then coordinate descent on the integers. It gives up early when the floats do not
///             separate.
/// Trust       none: floats propose, verify/ decides.
/// Source      theory.md, section 3, `fit`.

#include <qkcert/constructions/method.hpp>

namespace qkcert {

Method fit_method();

}  // namespace qkcert
