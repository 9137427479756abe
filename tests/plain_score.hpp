#pragma once
/// The score of one pair in one head, by the definition.

#include <qkcert/core/channel.hpp>
#include <qkcert/core/integer.hpp>
#include <qkcert/core/matrix.hpp>

namespace qkcert::test {

/// ⟨x_u W_Q, x_v W_K⟩, in GMP.
inline Integer plain_score(const Matrix& x, const Head& head, std::size_t u, std::size_t v) {
  Integer score = 0;
  for (std::size_t j = 0; j < head.width(); ++j) {
    Integer query = 0, key = 0;
    for (std::size_t i = 0; i < x.cols(); ++i) {
      query += x.at(u, i) * head.query.at(i, j);
      key += x.at(v, i) * head.key.at(i, j);
    }
    score += query * key;
  }
  return score;
}

}  // namespace qkcert::test
