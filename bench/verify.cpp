/// What exact extremes cost: this engine on every instruction set against other exact and inexact
/// ways to compute the same scores, in one run and on the same instances.
///
/// usage: bench_verify [--scaling | --large]
///
///   --scaling  m from 1,024 to 65,536
///   --large    m = 65,536, D_K = 1,024: the peak of memory
///
/// Scores are counted as m²·D_K multiply-adds for every way, also where blocks are pruned.

#include <flint/fmpz_mat.h>
#include <sys/resource.h>

#include <Eigen/Dense>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <qkcert/core/decimal.hpp>
#include <qkcert/core/random.hpp>
#include <qkcert/verify/certificate.hpp>
#include <qkcert/verify/extremes.hpp>
#include <qkcert/verify/packing.hpp>

namespace {

using namespace qkcert;

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The least of three runs.
double best_seconds(const std::function<void()>& work) {
  double best = seconds(work);
  for (int again = 0; again < 2; ++again) best = std::min(best, seconds(work));
  return best;
}

struct Instance {
  const char* name;
  Graph graph;
  Matrix embedding;
  Channel channel;
  double terms = 0;  ///< m²·D_K
};

constexpr std::size_t d_model = 64;

/// Entries below 2^bits of both signs, or of the sign that is given.
Matrix random_entries(Random& random, std::size_t rows, std::size_t cols, unsigned bits,
                      int sign = 0) {
  Matrix matrix(rows, cols);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < cols; ++j)
      matrix.set(i, j,
                 static_cast<std::int64_t>(random.below(std::uint64_t{1} << bits)) *
                     (sign == 0 ? random.sign() : sign));
  return matrix;
}

Graph shifted(std::size_t m) {
  std::vector<Edge> edges;
  for (std::size_t u = 0; u < m; ++u) edges.push_back({u, (u + 1) % m});
  return Graph(m, std::move(edges));
}

/// Dense rows whose projections have about `bits` bits: 64 products of half as many bits each. All
/// entries are positive but those of the key weights: all scores are negative, and no norm excludes
/// any pair. With `both` signs norms exclude some.
Instance dense(const char* name, std::size_t m, std::size_t heads, std::size_t width, unsigned bits,
               bool both = false) {
  Random random(bits);
  const unsigned half = (bits - 3) / 2;
  const int plus = both ? 0 : 1;
  Instance instance{name, shifted(m), random_entries(random, m, d_model, half, plus), {}, 0};
  for (std::size_t k = 0; k < heads; ++k)
    instance.channel.heads.push_back({random_entries(random, d_model, width, half, plus),
                                      random_entries(random, d_model, width, half, -plus)});
  instance.terms = double(m) * double(m) * double(heads * width);
  return instance;
}

/// The same with rows that shrink, as structured constructions and real embeddings have them.
Instance structured(std::size_t m, std::size_t heads, std::size_t width) {
  Instance instance = dense("structured", m, heads, width, 12, true);
  for (std::size_t u = 0; u < m; ++u)
    for (std::size_t j = 0; j < d_model; ++j)
      instance.embedding.set(
          u, j, Integer(instance.embedding.at(u, j) * 16 / static_cast<std::int64_t>(1 + u % 64)));
  return instance;
}

/// 60-bit entries, and about `pairs` pairs within the filter's error of the greatest non-edge:
/// copies of the rows of one best pair, each changed by one in one entry.
Instance adversarial(std::size_t m, std::size_t heads, std::size_t width, std::size_t pairs) {
  Instance instance = dense("near-threshold", m, heads, width, 60, true);
  Matrix& x = instance.embedding;
  std::size_t copies = 1;
  while (copies * copies < pairs) ++copies;
  const Extremes extremes = score_extremes(instance.graph, x, instance.channel);
  const Edge best = extremes.greatest_nonedge->pair;
  const std::vector<std::int64_t> source(x.narrow_row(best.source).begin(),
                                         x.narrow_row(best.source).end());
  const std::vector<std::int64_t> target(x.narrow_row(best.target).begin(),
                                         x.narrow_row(best.target).end());
  for (std::size_t i = 0; i < copies; ++i)
    for (std::size_t j = 0; j < d_model; ++j) {
      x.set(2 * i, j, source[j] + (j == i % d_model ? 1 : 0));
      x.set(2 * i + 1, j, target[j] + (j == i % d_model ? 1 : 0));
    }
  return instance;
}

/// S_uv = -(u - v)² in every head: differences of numbers near m², which 16 bits cannot tell apart.
Instance cancelling(std::size_t m, std::size_t heads) {
  Instance instance{"cancelling", Graph(m, {}), Matrix(m, 3), {}, 0};
  std::vector<Edge> loops;
  for (std::size_t v = 0; v < m; ++v) {
    const auto p = static_cast<std::int64_t>(v);
    loops.push_back({v, v});
    instance.embedding.set(v, 0, std::int64_t{1});
    instance.embedding.set(v, 1, p);
    instance.embedding.set(v, 2, p * p);
  }
  instance.graph = Graph(m, std::move(loops));
  Matrix query(3, 3), key(3, 3);
  query.set(0, 2, std::int64_t{-1});
  query.set(1, 1, std::int64_t{2});
  query.set(2, 0, std::int64_t{-1});
  for (std::size_t i = 0; i < 3; ++i) key.set(i, i, std::int64_t{1});
  instance.channel.heads.assign(heads, {query, key});
  instance.terms = double(m) * double(m) * double(heads * 3);
  return instance;
}

/// All scores are negative but those of the last key; the last pair, no edge, has the greatest.
Instance last_pair(std::size_t m, std::size_t heads, std::size_t width) {
  Instance instance = dense("last pair false", m, heads, width, 12);
  Matrix& x = instance.embedding;
  for (std::size_t u = 0; u < m; ++u)
    for (std::size_t j = d_model - 2; j < d_model; ++j) x.set(u, j, std::int64_t{0});
  x.set(m - 1, d_model - 2, std::int64_t{255});  // q = (8, …) and k = (8, …) in the last head
  x.set(m - 1, d_model - 1, std::int64_t{255});
  Head& last = instance.channel.heads.back();
  for (std::size_t j = 0; j < width; ++j) {
    last.query.set(d_model - 2, j, std::int64_t{8});
    last.query.set(d_model - 1, j, std::int64_t{0});
    last.key.set(d_model - 2, j, std::int64_t{0});
    last.key.set(d_model - 1, j, std::int64_t{64});
  }
  return instance;
}

void report(const char* way, double terms, double time, double engine, const char* note = "") {
  std::printf("  %-26s %9.3f s %8.2f G/s", way, time, terms / time / 1e9);
  if (engine > 0) std::printf("   engine is %7.1f x faster", time / engine);
  std::printf("%s\n", note);
  std::fflush(stdout);
}

std::string show(const Extremes& extremes) {
  std::string text;
  for (const auto& each : {extremes.least_edge, extremes.greatest_nonedge})
    if (each)
      text += to_decimal(each->score) + " at (" + std::to_string(each->pair.source) + ", " +
              std::to_string(each->pair.target) + ") ";
  return text;
}

std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> list(1);
  for (const char c : text)
    if (c == ' ')
      list.emplace_back();
    else
      list.back() += c;
  return list;
}

/// The kernel's instructions on operands in the first cache and one long head, whose maximum and
/// stores cost nothing: their measured peak, in multiply-adds a second, as simd_names() goes.
std::vector<double> peaks() {
  constexpr std::size_t rows = kernel_rows, keys = kernel_keys, pairs = 128, times = 64;
  const std::vector<std::int16_t> q(rows * pairs * 2, 3), k(keys * pairs * 2, 5);
  const std::vector<std::uint32_t> head_pairs{pairs};
  std::vector<std::int32_t> scores(rows * keys), row_max(rows);
  const double terms = double(times * rows * keys * pairs * 2);
  std::vector<double> result;
  std::printf("peak of the instructions used:");
  for (const std::string& simd : words(simd_names())) {
    const Kernels each = kernels(simd);
    double best = 1e9;
    for (int run = 0; run < 100; ++run)
      best = std::min(best, seconds([&] {
                        for (std::size_t i = 0; i < times; ++i)
                          each.score_tile(q.data(), rows, k.data(), keys, head_pairs, pairs,
                                          scores.data(), row_max.data());
                      }));
    result.push_back(terms / best);
    std::printf("  %s %.1f", simd.c_str(), result.back() / 1e9);
  }
  std::printf("  G multiply-adds/s\n");
  return result;
}

/// Seconds of the engine on an instruction set, on one thread and on two.
using Times = std::map<std::string, std::array<double, 2>>;

Times engine_rows(const Instance& instance, const std::vector<double>& peak) {
  Times times;
  std::string expected;
  const std::vector<std::string> names = words(simd_names());
  for (std::size_t i = 0; i < names.size(); ++i)
    for (const unsigned threads : {1U, 2U}) {
      if (names[i] == "scalar" && threads == 2) continue;
      std::string result;
      const double time = best_seconds([&] {
        result = show(score_extremes(instance.graph, instance.embedding, instance.channel,
                                     {.threads = threads, .simd = names[i]}));
      });
      times[names[i]][threads - 1] = time;
      const std::string share =
          "   " + std::to_string(std::lround(instance.terms / time / peak[i] / threads * 100)) +
          " % of the peak";
      if (expected.empty()) expected = result;
      report((names[i] + ", " + std::to_string(threads) + (threads == 1 ? " thread" : " threads"))
                 .c_str(),
             instance.terms, time, 0, (result == expected ? share : "   DIFFERS").c_str());
    }
  return times;
}

/// Queries and keys of one head, as 64-bit integers.
std::vector<std::vector<std::int64_t>> rows_of(const Projections& side, std::size_t head) {
  const ExactRows& exact = side.heads[head];
  std::vector<std::vector<std::int64_t>> rows(side.range.size());
  for (std::size_t u = 0; u < rows.size(); ++u)
    std::visit(
        [&](const auto& entries) {
          for (std::size_t j = 0; j < exact.cols; ++j)
            rows[u].push_back(static_cast<std::int64_t>(entries[u * exact.cols + j]));
        },
        exact.entries);
  return rows;
}

/// Ways that compute tiles of 256 × 256 scores, the maximum over heads, timed on one tile. The
/// seconds of FLINT.
double other_rows(const Instance& instance, double engine) {
  constexpr std::size_t tile = 256;
  const std::size_t m = instance.graph.vertices();
  const Kernels simd = kernels();
  const Projections queries =
      project(instance.embedding, instance.channel, Side::query, {0, tile}, simd, 1);
  const Projections keys =
      project(instance.embedding, instance.channel, Side::key, {0, tile}, simd, 1);
  const double tiles = double(m / tile) * double(m / tile);
  const std::size_t heads = instance.channel.heads.size();
  double flint = 0, gmp = 0, eigen_int = 0, eigen_double = 0;
  for (std::size_t k = 0; k < heads; ++k) {
    const auto q = rows_of(queries, k), p = rows_of(keys, k);
    const auto width = static_cast<slong>(q[0].size());
    fmpz_mat_t a, b, c, best;
    fmpz_mat_init(a, tile, width);
    fmpz_mat_init(b, width, tile);
    fmpz_mat_init(c, tile, tile);
    fmpz_mat_init(best, tile, tile);
    using Int = Eigen::Matrix<std::int64_t, Eigen::Dynamic, Eigen::Dynamic>;
    Int x(tile, width), y(width, tile), z(tile, tile), z_best = Int::Zero(tile, tile);
    for (slong i = 0; i < static_cast<slong>(tile); ++i)
      for (slong j = 0; j < width; ++j) {
        const auto row = static_cast<std::size_t>(i), col = static_cast<std::size_t>(j);
        fmpz_set_si(fmpz_mat_entry(a, i, j), q[row][col]);
        fmpz_set_si(fmpz_mat_entry(b, j, i), p[row][col]);
        x(i, j) = q[row][col];
        y(j, i) = p[row][col];
      }
    flint += best_seconds([&] {
      fmpz_mat_mul(c, a, b);
      for (slong i = 0; i < static_cast<slong>(tile); ++i)
        for (slong j = 0; j < static_cast<slong>(tile); ++j)
          if (fmpz_cmp(fmpz_mat_entry(c, i, j), fmpz_mat_entry(best, i, j)) > 0)
            fmpz_set(fmpz_mat_entry(best, i, j), fmpz_mat_entry(c, i, j));
    });
    eigen_int += best_seconds([&] {
      z.noalias() = x * y;
      z_best = z_best.cwiseMax(z);
    });
    const Eigen::MatrixXd xd = x.cast<double>(), yd = y.cast<double>();
    Eigen::MatrixXd zd(tile, tile), zd_best = Eigen::MatrixXd::Zero(tile, tile);
    eigen_double += best_seconds([&] {
      zd.noalias() = xd * yd;
      zd_best = zd_best.cwiseMax(zd);
    });
    gmp += seconds([&] {
      Integer sum;
      for (std::size_t i = 0; i < 8; ++i)
        for (std::size_t j = 0; j < tile; ++j) {
          sum = 0;
          for (std::size_t l = 0; l < q[i].size(); ++l) sum += Integer(q[i][l]) * p[j][l];
        }
    });
    fmpz_mat_clear(a);
    fmpz_mat_clear(b);
    fmpz_mat_clear(c);
    fmpz_mat_clear(best);
  }
  const char* share = "   (one tile, extrapolated)";
  report("FLINT fmpz_mat_mul", instance.terms, flint * tiles, engine, share);
  report("GMP loop", instance.terms, gmp * tiles * tile / 8, engine, "   (8 rows, extrapolated)");
  report("Eigen int64 (may wrap)", instance.terms, eigen_int * tiles, engine, share);
  report("Eigen double (rounds)", instance.terms, eigen_double * tiles, engine, share);
  return flint * tiles;
}

void scaling() {
  std::printf("%7s %6s %10s %10s\n", "m", "D_K", "seconds", "G/s");
  for (std::size_t rows = 1024; rows <= 65536; rows *= 2) {
    const Instance instance = dense("dense", rows, 16, 16, 12);
    const double time =
        seconds([&] { score_extremes(instance.graph, instance.embedding, instance.channel, 1); });
    std::printf("%7zu %6d %10.3f %10.1f\n", rows, 256, time, instance.terms / time / 1e9);
    std::fflush(stdout);
  }
}

void large() {
  const Instance instance = dense("dense", 65536, 64, 16, 12);
  const double time =
      seconds([&] { score_extremes(instance.graph, instance.embedding, instance.channel, 0); });
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("m = 65536, D_K = 1024, d_model %zu: %.1f s, %.1f G/s, peak %ld MiB (bar 2048)\n",
              d_model, time, instance.terms / time / 1e9, usage.ru_maxrss / 1024);
}

/// Reading a certificate, and projecting, beside verifying it.
void reading(const Instance& instance) {
  const RecoveryClaim claim{instance.graph, instance.embedding, 0, instance.channel, {}, {}};
  const std::string bytes = write_certificate(claim);
  const double read = best_seconds([&] { read_certificate(bytes, "bench"); });
  const VertexRange all{0, instance.graph.vertices()};
  const double projected = best_seconds([&] {
    for (const Side side : {Side::query, Side::key})
      project(instance.embedding, instance.channel, side, all, kernels(), 1);
  });
  std::printf("%s: read %.0f MB/s (bar 150), projected in %.4f s\n", instance.name,
              double(bytes.size()) / read / 1e6, projected);
}

void bar(const char* what, double value, double least) {
  std::printf("  %-52s %8.2f  of %6.2f  %s\n", what, value, least,
              value >= least ? "met" : "NOT MET");
}

}  // namespace

int main(int argc, char** argv) {
  const std::string option = argc > 1 ? argv[1] : "";
  if (option == "--scaling") return scaling(), 0;
  if (option == "--large") return large(), 0;
  constexpr std::size_t m = 4096, heads = 16, width = 16;
  std::printf("m = %zu, %zu heads of width %zu, d_model %zu\n", m, heads, width, d_model);
  const std::vector<double> peak = peaks();
  const std::string best = words(simd_names()).front();
  std::map<std::string, Times> times;
  std::map<std::string, double> flint;
  double terms = 0;
  for (const Instance& instance :
       {dense("dense, 12 bits", m, heads, width, 12), dense("dense, 24 bits", m, heads, width, 24),
        dense("dense, 60 bits", m, heads, width, 60),
        dense("both signs, 12 bits", m, heads, width, 12, true), structured(m, heads, width),
        adversarial(m, heads, width, 100000), last_pair(m, heads, width), cancelling(m, 64)}) {
    std::printf("%s\n", instance.name);
    times[instance.name] = engine_rows(instance, peak);
    flint[instance.name] = other_rows(instance, times[instance.name][best][0]);
    if (terms == 0) terms = instance.terms;
  }
  for (const Instance& instance :
       {dense("dense, 12 bits", m, heads, width, 12), dense("dense, 60 bits", m, heads, width, 60)})
    reading(instance);
  Times& dense12 = times["dense, 12 bits"];
  const double one = dense12[best][0];
  std::printf("bars, %s\n", best.c_str());
  bar("12 bits, G multiply-adds/s", terms / one / 1e9, 60);
  bar("12 bits, times FLINT", flint["dense, 12 bits"] / one, 40);
  if (dense12.count("avx2"))
    bar("12 bits on avx2, G multiply-adds/s", terms / dense12["avx2"][0] / 1e9, 25);
  bar("12 bits' time / 24 bits' time", one / times["dense, 24 bits"][best][0], 1 / 1.5);
  bar("12 bits' time / 60 bits' time", one / times["dense, 60 bits"][best][0], 1 / 1.5);
  bar("two threads, times one", one / dense12[best][1], 1.6);
  bar("structured, times the unstructured", one / times["structured"][best][0], 2);
}
