#pragma once
/// Certificates of permutations on one-hot rows, as a survey finds them.

#include <qkcert/reports/survey.hpp>

#include "support.hpp"

namespace qkcert::test {

/// The cycle on m vertices, its channel of one head of width m + more, with weights of `weight`.
inline Surveyed surveyed_cycle(std::size_t m, std::size_t more = 0, std::int64_t weight = 1) {
  std::vector<Edge> edges;
  Head head{Matrix(m, m + more), Matrix(m, m + more)};
  for (std::size_t u = 0; u < m; ++u) {
    edges.push_back({u, (u + 1) % m});
    head.query.set(u, (u + 1) % m, weight);
    head.key.set(u, u, std::int64_t{1});
  }
  RecoveryClaim claim{Graph(m, edges), identity(m), 0, {{head}}, Integer(weight), Integer(0)};
  return {"cycle-" + std::to_string(m), std::string(64, 'a'), std::move(claim), true, "it holds"};
}

}  // namespace qkcert::test
