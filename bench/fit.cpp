/// What one evaluation of fit's loss and gradient over all pairs costs, beside the machine's GEMM peak:
/// OpenBLAS on two square matrices, in the same run.

#include <cblas.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <qkcert/constructions/fit_loss.hpp>
#include <qkcert/core/parallel.hpp>
#include <qkcert/core/random.hpp>
#include <qkcert/core/random_graph.hpp>

using namespace qkcert;
using namespace qkcert::fit;

namespace {

/// Calls of `work` a second, over at least half a second.
template <class Work>
double rate(Work work) {
  using Clock = std::chrono::steady_clock;
  work();
  const auto start = Clock::now();
  std::chrono::duration<double> seconds{};
  int calls = 0;
  for (; seconds.count() < 0.5; seconds = Clock::now() - start, ++calls) work();
  return calls / seconds.count();
}

/// Multiply-adds a second of sgemm.
double gemm_peak(unsigned threads) {
  constexpr int n = 2048;
  openblas_set_num_threads(static_cast<int>(threads));
  const MatrixF a = MatrixF::Random(n, n), b = MatrixF::Random(n, n);
  MatrixF c(n, n);
  return std::pow(n, 3) * rate([&] {
           cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a.data(), n, b.data(),
                       n, 0, c.data(), n);
         });
}

/// Projections whose scores have a standard deviation of 0.25 in every head: as a descent has them,
/// few pairs pass t⁻.
MatrixF projections(Index m, const Layout& layout, Random& random) {
  const double spread = std::sqrt(0.25 / std::sqrt(static_cast<double>(layout.width(0))));
  MatrixF p(m, 2 * layout.key_dimension());
  for (Index i = 0; i < p.size(); ++i) p.data()[i] = static_cast<float>(spread * random.normal());
  return p;
}

void measure(std::size_t m, const Architecture& architecture, unsigned threads, double peak) {
  Random random(1);
  const Graph graph = random_graph(Family("permutation", {m}), 1);
  const Layout layout(architecture);
  const MatrixF p = projections(static_cast<Index>(m), layout, random);
  Loss loss(graph, layout, threads);
  MatrixF gradient;
  const double all = rate([&] { loss.evaluate(p, gradient); });
  const double close = rate([&] { loss.evaluate(p, gradient, Pairs::close); });
  const double work =
      static_cast<double>(m) * static_cast<double>(m) * static_cast<double>(layout.key_dimension());
  std::printf("%6zu %5td %8u %14.1f %14.1f %12.1f %%\n", m, layout.key_dimension(), threads, all,
              close, 100 * all * work / peak);
}

}  // namespace

int main() {
  const unsigned most = thread_count(0);
  std::printf("     m   D_K  threads    all pairs/s  close pairs/s   of the GEMM peak\n");
  for (const unsigned threads : {1U, most}) {
    const double peak = gemm_peak(threads);
    measure(256, {.heads = 3, .head_dim = 7}, threads, peak);
    measure(512, {.heads = 1, .head_dim = 12}, threads, peak);
    measure(4116, {.heads = 50, .head_dim = 8}, threads, peak);
    std::printf("sgemm, %u threads: %.1f billion multiply-adds a second\n", threads, peak / 1e9);
    if (most == 1) break;
  }
}
