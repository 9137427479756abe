#include <iostream>
#include <qkcert/search/attempt.hpp>
#include <qkcert/verify/certificate.hpp>
#include <qkcert/verify/check.hpp>

int main() {
  const qkcert::Graph graph(4, {{0, 1}, {1, 0}, {2, 3}, {3, 2}});
  const qkcert::Embedding embedding = qkcert::one_hot(4);
  const qkcert::Method& method = qkcert::find_method("onehot-code");

  const qkcert::Attempt result = qkcert::attempt(method, {graph, embedding}, false);
  if (!result.claim) return 1;
  const std::string bytes = qkcert::write_certificate(*result.claim);
  const qkcert::Verdict verdict = qkcert::check(qkcert::read_certificate(bytes, "example"));
  std::cout << verdict.text << "\n";
  return verdict.holds ? 0 : 1;
}
