#include <algorithm>
#include <qkcert/core/errors.hpp>
#include <qkcert/verify/margins.hpp>
#include <type_traits>

namespace qkcert {

namespace {

__extension__ using Int128 = __int128;

Integer to_integer(const Integer& x) { return x; }
Integer to_integer(std::int64_t x) { return x; }
Integer to_integer(Int128 x) {
  // |x| < 2^127, so both halves are exact: x = high·2^64 + low with 0 <= low < 2^64.
  return Integer(static_cast<std::int64_t>(x >> 64)) * power_of_two(64) +
         Integer(static_cast<std::uint64_t>(x));
}

/// floor(x / 2^shift). Require: it is below 2^62 in absolute value.
template <class Sum>
std::int64_t floor_shift(const Sum& x, unsigned shift) {
  return static_cast<std::int64_t>(x >> shift);
}
template <>
std::int64_t floor_shift(const Integer& x, unsigned shift) {
  Integer quotient;
  mpz_fdiv_q_2exp(quotient.backend().data(), x.backend().data(), shift);
  return mpz_get_si(quotient.backend().data());
}

template <class Sum>
using Entry = std::conditional_t<std::is_same_v<Sum, Integer>, Integer, std::int64_t>;

template <class Sum>
std::vector<Entry<Sum>> entries_of(const Matrix& matrix) {
  std::vector<Entry<Sum>> entries;
  entries.reserve(matrix.rows() * matrix.cols());
  for (std::size_t i = 0; i < matrix.rows(); ++i)
    for (std::size_t j = 0; j < matrix.cols(); ++j) {
      if constexpr (std::is_same_v<Sum, Integer>)
        entries.push_back(matrix.at(i, j));
      else
        entries.push_back(matrix.narrow_row(i)[j]);
    }
  return entries;
}

template <class Sum>
Sum dot(const Entry<Sum>* a, const Entry<Sum>* b, std::size_t width) {
  Sum sum = 0;
  for (std::size_t j = 0; j < width; ++j) sum += Sum(a[j]) * b[j];
  return sum;
}

template <class Sum>
struct TypedHead {
  explicit TypedHead(const MarginHead& head)
      : width(head.query.cols()),
        query(entries_of<Sum>(head.query)),
        key(entries_of<Sum>(head.key)),
        abs_query(entries_of<Sum>(head.abs_query)),
        abs_key(entries_of<Sum>(head.abs_key)),
        numerator(to_int64(head.numerator).value()),
        denominator(to_int64(head.denominator).value()) {}

  Sum score(std::size_t u, std::size_t v) const {
    return dot<Sum>(query.data() + u * width, key.data() + v * width, width);
  }
  Sum abs_score(std::size_t u, std::size_t v) const {
    return dot<Sum>(abs_query.data() + u * width, abs_key.data() + v * width, width);
  }

  std::size_t width;
  std::vector<Entry<Sum>> query, key, abs_query, abs_key;
  std::int64_t numerator, denominator;
};

/// Whether a comes before b: less, or equal and earlier.
bool before(const Margin& a, const Margin& b) {
  const Integer left = a.distance * b.error, right = b.distance * a.error;
  if (left != right) return left < right;
  return a.pair != b.pair ? a.pair < b.pair : a.head < b.head;
}

void offer(std::optional<Margin>& least, Margin&& margin) {
  if (!least || before(margin, *least)) least = std::move(margin);
}

/// Finds the margins of one thread's pairs. All distances and A are below 2^bits.
template <class Sum>
class Scan {
 public:
  Scan(const Graph& graph, const std::vector<TypedHead<Sum>>& heads, const Integer& threshold,
       std::size_t bits)
      : graph_(graph), heads_(heads), shift_(bits > 38 ? static_cast<unsigned>(bits - 38) : 0) {
    if constexpr (std::is_same_v<Sum, Integer>)
      threshold_ = threshold;
    else
      threshold_ = to_int128(threshold);
    largest_.resize(heads.size());
  }

  void rows(std::size_t begin, std::size_t end) {
    constexpr std::size_t columns = 256;
    const std::size_t m = graph_.vertices();
    for (std::size_t u = begin; u < end; ++u)
      for (const Edge& edge : graph_.edges_from(u)) offer_edge(edge);
    for (std::size_t k = 0; k < heads_.size(); ++k)
      for (std::size_t column = 0; column < m; column += columns)
        for (std::size_t u = begin; u < end; ++u)
          nonedges(k, u, column, std::min(column + columns, m));
  }

  void merge_into(Margins& all) {
    if (least_edge_) offer(all.edge, std::move(*least_edge_));
    if (least_nonedge_) offer(all.nonedge, std::move(*least_nonedge_));
    for (std::size_t k = 0; k < heads_.size(); ++k)
      all.largest[k] = std::max(all.largest[k], to_integer(largest_[k]));
  }

 private:
  static Sum to_int128(const Integer& x) {
    const Integer high = floor_quotient(x, power_of_two(62));
    return static_cast<Sum>(Int128{to_int64(high).value()} * (Int128{1} << 62) +
                            to_int64(Integer(x - high * power_of_two(62))).value());
  }

  /// The margin of a distance with the right sign, or nothing when it is infinite.
  std::optional<Margin> margin(const Sum& distance, const Sum& size, bool strict, Edge pair,
                               std::size_t head) const {
    if (size == 0 && (strict ? distance > 0 : distance >= 0)) return std::nullopt;
    return Margin{to_integer(distance) * heads_[head].denominator,
                  size == 0 ? Integer(1) : Integer(to_integer(size) * heads_[head].numerator), pair,
                  head};
  }

  void offer_edge(Edge edge) {
    std::optional<Margin> best;
    bool infinite = false;
    for (std::size_t k = 0; k < heads_.size(); ++k) {
      const Sum size = heads_[k].abs_score(edge.source, edge.target);
      largest_[k] = std::max(largest_[k], size);
      const Sum score = heads_[k].score(edge.source, edge.target);
      std::optional<Margin> here = margin(Sum(score - threshold_), size, true, edge, k);
      infinite = infinite || !here;
      if (here && (!best || best->distance * here->error < here->distance * best->error))
        best = std::move(here);
    }
    if (!infinite) offer(least_edge_, *std::move(best));
  }

  void nonedges(std::size_t k, std::size_t u, std::size_t begin, std::size_t end) {
    const TypedHead<Sum>& head = heads_[k];
    const auto edges = graph_.edges_from(u);
    auto edge = std::lower_bound(edges.begin(), edges.end(), Edge{u, begin});
    for (std::size_t v = begin; v < end; ++v) {
      if (edge != edges.end() && edge->target == v) {
        ++edge;
        continue;
      }
      const Sum size = head.abs_score(u, v);
      if (size > largest_[k]) largest_[k] = size;
      const Sum distance = threshold_ - head.score(u, v);
      if (above_least(head, distance, size)) continue;
      if (std::optional<Margin> here = margin(distance, size, false, {u, v}, k)) {
        offer(least_nonedge_, *std::move(here));
        set_limit();
      }
    }
  }

  /// Whether the margin is above the least so far for certain. With c = limit_ >= 2^16·least, a =
  /// floor(distance/2^shift) and b = floor(size/2^shift) + 1 > size/2^shift:
  /// a·denominator·2^16 > c·numerator·b implies distance·denominator / (numerator·size) > least.
  /// No product wraps: |a|, b - 1 < 2^38, both parts of Γ < 2^48, c < 2^40, hence < 2^127.
  bool above_least(const TypedHead<Sum>& head, const Sum& distance, const Sum& size) const {
    if (limit_ < 0) return false;
    const Int128 a = floor_shift(distance, shift_);
    const Int128 b = floor_shift(size, shift_) + 1;
    return ((a * head.denominator) << 16) > limit_ * head.numerator * b;
  }

  void set_limit() {
    const Integer limit =
        floor_quotient(least_nonedge_->distance * power_of_two(16), least_nonedge_->error) + 1;
    limit_ = limit < 0 ? 0 : bit_length(limit) <= 40 ? to_int64(limit).value() : -1;
  }

  const Graph& graph_;
  const std::vector<TypedHead<Sum>>& heads_;
  unsigned shift_;
  Sum threshold_;
  std::vector<Sum> largest_;
  std::optional<Margin> least_edge_, least_nonedge_;
  Int128 limit_ = -1;
};

template <class Sum>
Margins margins_as(const Graph& graph, const std::vector<MarginHead>& given,
                   const Integer& threshold, std::size_t bits, unsigned threads,
                   const Progress& progress) {
  constexpr std::size_t rows = 16;
  const std::vector<TypedHead<Sum>> heads(given.begin(), given.end());
  std::vector<Scan<Sum>> scans(thread_count(threads), {graph, heads, threshold, bits});
  const std::size_t m = graph.vertices();
  parallel_for((m + rows - 1) / rows, threads,
               [&](std::size_t block, unsigned thread) {
                 scans[thread].rows(block * rows, std::min((block + 1) * rows, m));
               },
               progress);
  Margins all{{}, {}, std::vector<Integer>(heads.size())};
  for (Scan<Sum>& scan : scans) scan.merge_into(all);
  return all;
}

}  // namespace

Margins least_margins(const Graph& graph, const std::vector<MarginHead>& heads,
                      const Integer& threshold, unsigned threads, const Progress& progress) {
  // |query| <= abs_query entrywise, so one bound holds for every partial sum of S and of A.
  std::size_t bits = bit_length(threshold);
  bool narrow = true;
  for (const MarginHead& head : heads) {
    for (const Matrix* rows : {&head.query, &head.key, &head.abs_query, &head.abs_key}) {
      require(rows->rows() == graph.vertices() && rows->cols() == head.query.cols(),
              "least_margins: shapes differ");
      narrow = narrow && rows->narrow();
    }
    bits = std::max(bits, bit_length(Integer(head.query.cols()) * head.abs_query.max_abs() *
                                     head.abs_key.max_abs()));
  }
  ++bits;  // of a difference of two
  if (narrow && bits <= 62)
    return margins_as<std::int64_t>(graph, heads, threshold, bits, threads, progress);
  if (narrow && bits <= 126)
    return margins_as<Int128>(graph, heads, threshold, bits, threads, progress);
  return margins_as<Integer>(graph, heads, threshold, bits, threads, progress);
}

}  // namespace qkcert
