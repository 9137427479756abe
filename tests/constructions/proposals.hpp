#pragma once
/// Shared by the tests of the constructions.

#include <initializer_list>
#include <qkcert/constructions/method.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/random_graph.hpp>
#include <qkcert/verify/certificate.hpp>
#include <qkcert/verify/extremes.hpp>
#include <string>
#include <variant>
#include <vector>

#include "support.hpp"

namespace qkcert::test {

inline Matrix matrix(std::initializer_list<std::initializer_list<std::int64_t>> rows) {
  Matrix result(rows.size(), rows.begin()->size());
  std::size_t i = 0;
  for (const auto& row : rows) {
    std::size_t j = 0;
    for (const std::int64_t x : row) result.set(i, j++, x);
    ++i;
  }
  return result;
}

/// The message of the Exception that `call` throws; what happened instead, when it throws none.
template <class Exception, class Call>
std::string message_of(Call call) {
  try {
    call();
  } catch (const Exception& error) {
    return error.what();
  } catch (const std::exception& error) {
    return std::string("another kind of error: ") + error.what();
  }
  return "no error";
}

/// Proposes, checks that the architecture is as planned, and has verify/ compute the extremes.
inline Extremes judged(const Request& request, const char* method) {
  const Channel channel = propose(find_method(method), request);
  CHECK(channel.key_dimension() == plan(find_method(method), request).key_dimension());
  return score_extremes(request.graph, request.embedding.rows, channel, 1);
}

/// The recovery certificate of that name in the corpus of valid ones.
inline RecoveryClaim sample(const std::string& name) {
  return std::get<RecoveryClaim>(
      read_certificate(corpus("certificates/valid/" + name + ".qkc"), name));
}

/// A graph with out-degree <= 1: every vertex has an edge, loops included, with odds 1 : silent.
inline Graph partial_function(Random& random, std::size_t m, std::uint64_t silent) {
  std::vector<Edge> edges;
  for (std::size_t u = 0; u < m; ++u)
    if (random.below(1 + silent) == 0) edges.push_back({u, random.below(m)});
  return Graph(m, std::move(edges));
}

/// A graph in which every pair is an edge with the given odds against it.
inline Graph any_graph(Random& random, std::size_t m, std::uint64_t against) {
  std::vector<Edge> edges;
  for (std::size_t u = 0; u < m; ++u)
    for (std::size_t v = 0; v < m; ++v)
      if (random.below(1 + against) == 0) edges.push_back({u, v});
  return Graph(m, std::move(edges));
}

}  // namespace qkcert::test
