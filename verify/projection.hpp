#pragma once
/// Projected queries and keys, exact, and exact scores of single pairs of them.

#include <cstdint>
#include <qkcert/core/channel.hpp>
#include <qkcert/core/graph.hpp>
#include <qkcert/verify/kernel.hpp>
#include <span>
#include <variant>
#include <vector>

namespace qkcert {

__extension__ using Int128 = __int128;

/// x as an Integer. Require: |x| < 2^127.
Integer to_integer(Int128 x);
inline Integer to_integer(std::int64_t x) { return x; }
inline Integer to_integer(const Integer& x) { return x; }

/// Rows of exact integers in the narrowest of three types that holds them all; |entry| <= 2^31 - 1
/// and 2^63 - 1 in the first two.
struct ExactRows {
  std::size_t cols = 0;
  std::variant<std::vector<std::int32_t>, std::vector<std::int64_t>, std::vector<Integer>> entries;
  Integer max_abs;
};

enum class Side { query, key };

/// Vertices begin, …, end - 1.
struct VertexRange {
  std::size_t begin = 0, end = 0;
  std::size_t size() const { return end - begin; }
};

/// One side of all heads for a range of vertices; row u - range.begin belongs to vertex u.
struct Projections {
  VertexRange range;
  std::vector<ExactRows> heads;
};

/// x_u·W_Q or x_u·W_K. A head wider than d_model has the same scores as the one of width d_model
/// with W_Q·W_Kᵀ for its query weights and the identity for its key weights:
/// ⟨x_u W_Q, x_v W_K⟩ = ⟨x_u W_Q W_Kᵀ, x_v⟩; that one is projected instead.
///
/// Require  range.end <= embedding.rows(); a valid channel.
/// Cost     d_model·D_K multiply-adds a row: vectorised when d_model·max|x|·max|w| < 2^63 and the
///          entries are below 2^61 and 2^31, else in 64-bit, 128-bit or GMP arithmetic by bound.
Projections project(const Matrix& embedding, const Channel& channel, Side side, VertexRange range,
                    const Kernels& kernels, unsigned threads);

/// Whether 128-bit arithmetic is exact for ⟨a_u, b_v⟩ in every head, every partial sum included:
/// no entry is an Integer and width·max|a|·max|b| < 2^126.
bool fits_int128(const Projections& a, const Projections& b);

/// The same for 64 bits, with width·max|a|·max|b| < 2^62.
bool fits_int64(const Projections& a, const Projections& b);

/// max over heads of ⟨a_u, b_v⟩, for rows u and v. Score is int64 or Int128, where these fit, or
/// Integer.
template <class Score>
Score exact_score(const Projections& a, std::size_t u, const Projections& b, std::size_t v);

}  // namespace qkcert
