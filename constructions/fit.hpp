#pragma once
/// `fit`: the construction that serves real data.
///
/// Embedding   any with d_model >= 1, taken in doubles and scaled to entries of at most 1.
/// Graph       any.
/// Parameters  heads h, head_dim d_k (absent: chosen from key_dimension, or from m', m and d_model),
///             weight_max A, seed, patience, threads, the deadline and stop flag, progress,
///             checkpoints and resuming.
/// D_K         h·d_k as asked for, or key_dimension, split into h heads as evenly as can be; without,
///             about (1/2 + 1/A)·m'·log₂m / d_model.
/// Weights     integers, |w| <= min(A, 2^30).
/// How         L-BFGS in floats on the hinge loss over all pairs, in coordinates that whiten X, with a
///             soft maximum over heads that hardens; most iterations look only at the pairs that were
///             near the threshold a few iterations ago. Then the margin is grown; each head's W_Q,
///             W_K turned so that entries are even; rounding row by row, the rows still free taking
///             up the error, or, for A < 16, descent on the integers and their common scale by a
///             straight-through gradient; then coordinate descent on the integers. It gives up early
///             when the floats do not separate. A patience of p hardens p times more slowly,
///             descends p times longer and asks for a p times smaller margin at first.
/// Cost        m²·D_K multiply-adds in every tenth iteration and 2·m·d_model·D_K in each; memory
///             O(m·D_K + tile), besides a list of at most 8·m·D_K close pairs.
/// Stopped     after the floats have separated: what is left is rounded at once; before: the
///             nearest integers. The states given to on_checkpoint are those between two stages.
/// Determinism the same proposal for any number of threads, instruction set, and interruptions.
/// Trust       none: floats propose, verify/ decides.
/// Source      theory.md, section 3, `fit`.

#include <qkcert/constructions/method.hpp>

namespace qkcert {

Method fit_method();

}  // namespace qkcert
