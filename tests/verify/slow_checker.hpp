#pragma once
/// A second checker of `qkcert 1` files, written from the format's page alone: strings, plain loops
/// and GMP, no code of verify/ but the hash. It is slow and meant for small files.

#include <mpfr.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <qkcert/core/integer.hpp>
#include <qkcert/verify/sha256.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace qkcert::test {

/// The file with the footer that its body asks for. Require: the body ends in the line `end`.
inline std::string rehash(const std::string& text) {
  const std::size_t footer = text.rfind("sha256 ");
  const std::string body = text.substr(0, footer);
  return body + "sha256 " + sha256(body) + "\n";
}

class SlowChecker {
 public:
  /// Whether `text` is a canonical certificate of a true claim.
  static bool accepts(const std::string& text) {
    try {
      SlowChecker checker(text);
      return checker.claim();
    } catch (const Malformed&) {
      return false;
    }
  }

  /// The same, no matter whether the claim is true.
  static bool reads(const std::string& text) {
    try {
      SlowChecker checker(text);
      checker.claim();
      return true;
    } catch (const Malformed&) {
      return false;
    }
  }

 private:
  struct Malformed {};
  using Row = std::vector<Integer>;
  using Table = std::vector<Row>;
  using Pair = std::pair<std::size_t, std::size_t>;

  explicit SlowChecker(const std::string& text) : text_(text) {
    std::string line;
    for (const char c : text) {
      if (c != '\n') {
        line += c;
        continue;
      }
      lines_.push_back(line);
      line.clear();
    }
    demand(line.empty());
  }

  static void demand(bool condition) {
    if (!condition) throw Malformed();
  }

  std::string next() {
    demand(at_ < lines_.size());
    return lines_[at_++];
  }

  void literal(const std::string& line) { demand(next() == line); }

  /// The words behind `head` on the next line.
  std::vector<std::string> words(const std::string& head) {
    std::string line = next();
    demand(line.compare(0, head.size(), head) == 0);
    line.erase(0, head.size());
    std::vector<std::string> result;
    if (line.empty()) return result;
    if (!head.empty()) {
      demand(line[0] == ' ');
      line.erase(0, 1);
    }
    result.emplace_back();
    for (const char c : line) {
      if (c == ' ')
        result.emplace_back();
      else
        result.back() += c;
    }
    return result;
  }

  static Integer number(const std::string& word) {
    const std::string digits = word[0] == '-' ? word.substr(1) : word;
    demand(!digits.empty() && digits.find_first_not_of("0123456789") == std::string::npos);
    demand(digits[0] != '0' || word == "0");
    Integer value;
    mpz_set_str(value.backend().data(), word.c_str(), 10);
    return value;
  }

  Row numbers(const std::string& head, std::size_t count) {
    Row row;
    for (const std::string& word : words(head)) row.push_back(number(word));
    demand(row.size() == count);
    return row;
  }

  /// A count of things that each take a byte of the file at least.
  std::size_t count(const Integer& value) {
    demand(value >= 0 && value <= text_.size());
    return static_cast<std::size_t>(value);
  }

  Table table(std::size_t rows, std::size_t cols) {
    Table result;
    for (std::size_t i = 0; i < rows; ++i) result.push_back(numbers("", cols));
    return result;
  }

  void graph() {
    const Row sizes = numbers("graph", 2);
    m_ = count(sizes[0]);
    Pair last;
    for (std::size_t i = 0; i < count(sizes[1]); ++i) {
      const Row row = numbers("", 2);
      const Pair edge = pair(row);
      demand(i == 0 || last < edge);
      edges_.insert(last = edge);
    }
  }

  void inputs() {
    graph();
    embedding();
  }

  void embedding() {
    const Row shape = numbers("embedding", 2);
    demand(shape[0] == m_);
    d_ = count(shape[1]);
    x_ = table(m_, d_);
  }

  Pair pair(const Row& row) {
    demand(row[0] >= 0 && row[0] < m_ && row[1] >= 0 && row[1] < m_);
    return {static_cast<std::size_t>(row[0]), static_cast<std::size_t>(row[1])};
  }

  bool claim() {
    literal("qkcert 1");
    const std::string kind = next();
    const std::map<std::string, bool (SlowChecker::*)()> kinds{
        {"claim recovery", &SlowChecker::recovery},
        {"claim impossibility single-head", &SlowChecker::impossibility},
        {"claim bound counting", &SlowChecker::counting},
        {"claim bound margin", &SlowChecker::margin},
        {"claim bound unit-heads", &SlowChecker::unit_heads},
        {"claim impossibility narrow-head", &SlowChecker::narrow_head},
        {"claim bound heads-clique", &SlowChecker::heads_clique},
        {"claim advantage class", &SlowChecker::advantage},
        {"claim universal edge-per-head", &SlowChecker::universal_edge_per_head},
        {"claim universal edge-pairs", &SlowChecker::universal_edge_pairs},
        {"claim softmax-recovery", &SlowChecker::softmax},
        {"claim float-safe", &SlowChecker::float_safe}};
    demand(kinds.contains(kind));
    const bool holds = (this->*kinds.at(kind))();
    literal("end");
    literal("sha256 " + sha256(text_.substr(0, text_.find("\nend\n") + 5)));
    demand(at_ == lines_.size());
    return holds;
  }

  /// The scores of each head, for all pairs.
  std::vector<Table> heads() {
    const std::size_t heads = count(numbers("heads", 1)[0]);
    demand(heads > 0);
    std::vector<Table> scores;
    for (std::size_t k = 0; k < heads; ++k) {
      const std::size_t width = count(numbers("head", 1)[0]);
      demand(width > 0);
      literal("query");
      const Table query = table(d_, width);
      literal("key");
      const Table key = table(d_, width);
      Table score(m_, Row(m_));
      for (std::size_t u = 0; u < m_; ++u)
        for (std::size_t v = 0; v < m_; ++v)
          for (std::size_t a = 0; a < d_; ++a)
            for (std::size_t b = 0; b < d_; ++b) {
              if (x_[u][a] == 0 || x_[v][b] == 0) continue;
              for (std::size_t j = 0; j < width; ++j)
                score[u][v] += x_[u][a] * query[a][j] * key[b][j] * x_[v][b];
            }
      scores.push_back(score);
    }
    return scores;
  }

  /// Whether (1-θ)·e^(βs) > θ·(e^(βτ) + Σ e^(β·other)). Equal exponents are collected; what then
  /// cancels to 2^-3000 of the largest term is beyond this checker.
  static bool above(const Row& others, const Integer& s, const Integer& threshold, const Row& beta,
                    const Row& theta) {
    std::map<Integer, Integer> terms;
    terms[s] += theta[1] - theta[0];
    terms[threshold] -= theta[0];
    for (const Integer& other : others) terms[other] -= theta[0];
    std::erase_if(terms, [](const auto& term) { return term.second == 0; });
    if (terms.empty()) return false;
    const Integer top = terms.rbegin()->first;
    mpfr_t sum, term;
    mpfr_inits2(4000, sum, term, nullptr);
    mpfr_set_zero(sum, 1);
    for (const auto& [exponent, coefficient] : terms) {
      const Rational x((exponent - top) * beta[0], beta[1]);
      mpfr_set_q(term, x.backend().data(), MPFR_RNDN);
      mpfr_exp(term, term, MPFR_RNDN);
      mpfr_mul_z(term, term, coefficient.backend().data(), MPFR_RNDN);
      mpfr_add(sum, sum, term, MPFR_RNDN);
    }
    const bool result = mpfr_sgn(sum) > 0;
    mpfr_clears(sum, term, nullptr);
    return result;
  }

  bool softmax() {
    inputs();
    const Integer threshold = numbers("decoder softmax", 1)[0];
    const Row beta = numbers("beta", 2), theta = numbers("theta", 2);
    demand(beta[0] >= 0 && beta[1] >= 1 && gcd(beta[0], beta[1]) == 1);
    demand(theta[0] >= 0 && theta[1] >= 1 && gcd(theta[0], theta[1]) == 1);
    const Integer size = numbers("context-size", 1)[0];
    demand(size >= 2);
    const std::vector<Table> scores = heads();
    literal("recovering-heads");
    Row named;
    for (std::size_t e = 0; e < edges_.size(); ++e) {
      named.push_back(numbers("", 1)[0]);
      demand(named.back() >= 0 && named.back() < scores.size());
    }
    bool holds = beta[0] > 0 && theta[0] > 0 && theta[0] < theta[1];
    if (!holds) return false;
    std::size_t e = 0;
    for (std::size_t u = 0; u < m_; ++u)
      for (std::size_t v = 0; v < m_; ++v) {
        if (edges_.count({u, v}) == 0) {
          for (const Table& score : scores) {
            const Row others = u == v ? Row{} : Row{score[u][u]};
            holds = holds && !above(others, score[u][v], threshold, beta, theta);
          }
          continue;
        }
        const Row& row = scores[static_cast<std::size_t>(named[e++])][u];
        Row others;
        for (std::size_t w = 0; w < m_; ++w)
          if (w != u && w != v) others.push_back(row[w]);
        std::sort(others.begin(), others.end(), std::greater<>());
        const std::size_t pair = u == v ? 1 : 2;
        if (size - pair < others.size()) others.resize(static_cast<std::size_t>(size - pair));
        if (u != v) others.push_back(row[u]);
        holds = holds && above(others, row[v], threshold, beta, theta);
      }
    return holds;
  }

  bool recovery() {
    inputs();
    const Integer threshold = numbers("decoder threshold-max", 1)[0];
    const std::vector<Table> scores = heads();
    Row on_edges, off_edges;
    for (std::size_t u = 0; u < m_; ++u)
      for (std::size_t v = 0; v < m_; ++v) {
        Row each;
        for (const Table& score : scores) each.push_back(score[u][v]);
        const Integer best = *std::max_element(each.begin(), each.end());
        (edges_.count({u, v}) != 0 ? on_edges : off_edges).push_back(best);
      }
    const auto stated = words("extremes");
    demand(stated.size() == 2);
    bool holds = true;
    if (stated[0] != "-") number(stated[0]);
    if (stated[1] != "-") number(stated[1]);
    if (on_edges.empty()) {
      holds = stated[0] == "-";
    } else {
      const Integer least = *std::min_element(on_edges.begin(), on_edges.end());
      holds = stated[0] != "-" && number(stated[0]) == least && least > threshold;
    }
    if (off_edges.empty()) return holds && stated[1] == "-";
    const Integer greatest = *std::max_element(off_edges.begin(), off_edges.end());
    return holds && stated[1] != "-" && number(stated[1]) == greatest && greatest <= threshold;
  }

  /// One list of multipliers: its total, and its weighted sum added to `sum`.
  Integer multipliers(const std::string& head, bool on_edges, Table& sum) {
    Integer total = 0;
    Pair last;
    const std::size_t n = count(numbers(head, 1)[0]);
    for (std::size_t i = 0; i < n; ++i) {
      const Row row = numbers("", 3);
      const Pair at = pair(row);
      demand(i == 0 || last < at);
      demand((edges_.count(at) != 0) == on_edges && row[2] > 0);
      last = at;
      if (on_edges) used_.insert(at);
      total += row[2];
      for (std::size_t a = 0; a < d_; ++a)
        for (std::size_t b = 0; b < d_; ++b)
          sum[a][b] += row[2] * x_[at.first][a] * x_[at.second][b];
    }
    return total;
  }

  bool narrow_head() {
    inputs();
    const Integer width = numbers("width", 1)[0], weight = numbers("weight-max", 1)[0];
    demand(width >= 1 && weight >= 1);
    Table left(d_, Row(d_)), right(d_, Row(d_));
    const Integer on_edges = multipliers("edge-multipliers", true, left);
    const Integer off_edges = multipliers("nonedge-multipliers", false, right);
    Integer reach = 0;
    for (std::size_t a = 0; a < d_; ++a)
      for (std::size_t b = 0; b < d_; ++b)
        reach += width * weight * weight * abs(Integer(left[a][b] - right[a][b]));
    return on_edges == off_edges && on_edges > 0 && reach < on_edges;
  }

  bool heads_clique() {
    inputs();
    const std::size_t size = count(numbers("clique", 1)[0]);
    demand(size >= 2);
    std::vector<Pair> clique;
    for (std::size_t i = 0; i < size; ++i) {
      clique.push_back(pair(numbers("", 2)));
      demand(edges_.count(clique[i]) != 0 && (i == 0 || clique[i - 1] < clique[i]));
    }
    bool holds = true;
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = i + 1; j < size; ++j) {
        used_.clear();
        holds = clash() && holds;
        used_.erase(clique[i]);
        used_.erase(clique[j]);
        holds = used_.empty() && holds;
      }
    return holds;
  }

  bool impossibility() {
    inputs();
    return clash();
  }

  bool clash() {
    Table left(d_, Row(d_)), right(d_, Row(d_));
    const Integer on_edges = multipliers("edge-multipliers", true, left);
    const Integer off_edges = multipliers("nonedge-multipliers", false, right);
    return on_edges == off_edges && on_edges > 0 && left == right;
  }

  static Integer choose(const Integer& n, const Integer& k) {
    Integer result = 1;
    for (Integer i = 0; i < k; ++i) result = result * (n - i) / (i + 1);
    return result;
  }

  static Integer times(const Integer& count, const std::function<Integer(Integer)>& factor) {
    Integer result = 1;
    for (Integer i = 0; i < count; ++i) result *= factor(i);
    return result;
  }

  static Integer family_size(const std::string& name, const Row& args) {
    demand(!args.empty() && args[0] >= 1);
    for (const Integer& each : args) demand(each >= 0);
    const Integer m = args[0];
    const auto factorial = [](const Integer& n) {
      return times(n, [](const Integer& i) { return Integer(i + 1); });
    };
    if (name == "out-degrees") {
      demand(args.size() == m + 1);
      Integer result = 1;
      for (std::size_t u = 1; u < args.size(); ++u) {
        demand(args[u] <= m - 1);
        result *= choose(m - 1, args[u]);
      }
      return result;
    }
    if (name == "permutation" || name == "derangement" || name == "functional") {
      demand(args.size() == 1);
      if (name == "permutation") return factorial(m);
      if (name == "functional") return times(m, [&](const Integer&) { return Integer(m - 1); });
      Integer before = 1, now = 0;  // D_0, D_1, and D_n = (n-1)(D_{n-1} + D_{n-2})
      for (Integer n = 2; n <= m; ++n) {
        const Integer next = (n - 1) * (now + before);
        before = now;
        now = next;
      }
      return now;
    }
    demand(args.size() == 2);
    const Integer e = args[1];
    if (name == "out-regular") {
      demand(e <= m - 1);
      return times(m, [&](const Integer&) { return choose(m - 1, e); });
    }
    if (name == "digraph") {
      demand(e <= m * (m - 1));
      return choose(m * (m - 1), e);
    }
    if (name == "digraph-loops") {
      demand(e <= m * m);
      return choose(m * m, e);
    }
    demand(name == "matching" && 2 * e <= m);
    return factorial(m) /
           (factorial(m - 2 * e) * times(e, [](const Integer&) { return 2; }) * factorial(e));
  }

  bool counting() {
    auto family = words("family");
    demand(!family.empty());
    Row args;
    for (std::size_t i = 1; i < family.size(); ++i) args.push_back(number(family[i]));
    const Integer size = family_size(family[0], args);
    const Integer d_model = numbers("d_model", 1)[0];
    const Integer weight_max = numbers("weight-max", 1)[0];
    const Integer key_dimension = numbers("key-dimension", 1)[0];
    demand(d_model >= 1 && weight_max >= 1 && key_dimension >= 0);
    Integer least = 0, reached = 1;
    while (reached < size) {
      for (Integer i = 0; i < 2 * d_model; ++i) reached *= 2 * weight_max + 1;
      ++least;
    }
    return key_dimension == least;
  }

  bool margin() {
    const Integer m = numbers("vertices", 1)[0];
    const Row rho = numbers("edge-ratio", 2), epsilon = numbers("nonedge-ratio", 2);
    const Integer t = numbers("power", 1)[0], rank = numbers("rank", 1)[0];
    demand(m >= 1 && rho[1] >= 1 && rho[0] >= rho[1] && epsilon[0] >= 0 && epsilon[1] >= 1);
    demand(gcd(rho[0], rho[1]) == 1 && gcd(epsilon[0], epsilon[1]) == 1 && t >= 1 && rank >= 1);
    Rational edges = 1, others = 1;
    for (Integer i = 0; i < 2 * t; ++i) {
      edges *= Rational(rho[0], rho[1]);
      others *= Rational(epsilon[0], epsilon[1]);
    }
    return Rational(choose(rank + t - 2, t)) * (edges + Rational(m - 1) * others) < Rational(m);
  }

  bool unit_heads() {
    graph();
    std::vector<Pair> matching;
    for (std::size_t left = count(numbers("matching", 1)[0]); left > 0; --left) {
      const Pair edge = pair(numbers("", 2));
      demand(matching.empty() || matching.back() < edge);
      matching.push_back(edge);
    }
    for (const Pair& a : matching)
      for (const Pair& b : matching)
        if ((edges_.count({a.first, b.second}) != 0) != (a == b)) return false;
    return true;
  }

  bool advantage() {
    const Class family = class_and_embedding();
    const Integer stated = numbers("single-head-graphs", 1)[0];
    demand(stated >= 1);
    const Integer pairs = Integer(m_) * m_;
    Integer sum = 0;
    for (Integer i = 0; i <= Integer(d_) * d_; ++i) sum += choose(pairs - 1, i);
    if (2 * family.edges == pairs) sum *= 2;
    return dominated() && sum == stated && sum < family.size;
  }

  struct Class {
    Integer size, edges, out, in;
  };

  Class class_and_embedding() {
    auto family = words("family");
    demand(!family.empty());
    Row args;
    for (std::size_t i = 1; i < family.size(); ++i) args.push_back(number(family[i]));
    Class result{family_size(family[0], args), args[0], 1, 1};
    m_ = count(args[0]);
    embedding();
    const Integer others = args[0] - 1;
    if (family[0] == "functional") result.in = others;
    if (family[0] == "out-regular") result = {result.size, args[0] * args[1], args[1], others};
    if (family[0] == "digraph" || family[0] == "digraph-loops") {
      const Integer most = std::min<Integer>(args[1], family[0] == "digraph" ? others : args[0]);
      result = {result.size, args[1], most, most};
    }
    if (family[0] == "matching") result.edges = 2 * args[1];
    if (family[0] == "out-degrees") {
      result.edges = result.out = 0;
      Integer sources = 0;
      for (std::size_t i = 1; i < args.size(); ++i) {
        result.edges += args[i];
        result.out = std::max(result.out, args[i]);
        sources += args[i] > 0 ? 1 : 0;
      }
      result.in = std::min(others, sources);
    }
    return result;
  }

  static Integer product(const Row& a, const Row& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), Integer(0));
  }

  bool dominated() const {
    for (std::size_t u = 0; u < m_; ++u)
      for (std::size_t w = 0; w < m_; ++w)
        if (product(x_[u], x_[u]) <= (w == u ? Integer(0) : Integer(abs(product(x_[u], x_[w])))))
          return false;
    return true;
  }

  /// x·2^exponent.
  static Rational scaled(const Rational& x, const Integer& exponent) {
    const auto size = static_cast<std::size_t>(Integer(abs(exponent)));
    return exponent < 0 ? x / power_of_two(size) : x * power_of_two(size);
  }

  /// Whether x is 0, or m·2^e with |m| < 2^precision and 2^least <= |x·2^scale| < 2^(greatest+1).
  static bool fits(const Integer& x, const Integer& scale, int precision, int least, int greatest) {
    if (x == 0) return true;
    if (abs(scale) > 100000) return false;  // no entry of these tests is so long
    Integer odd = abs(x);
    while (odd % 2 == 0) odd /= 2;
    const Rational value = scaled(Rational(abs(x)), scale);
    return odd < power_of_two(static_cast<std::size_t>(precision)) && value >= scaled(1, least) &&
           value < scaled(1, greatest + 1);
  }

  bool float_safe() {
    const auto format = words("format");
    demand(format == std::vector<std::string>{"fp32"} ||
           format == std::vector<std::string>{"fp16"} ||
           format == std::vector<std::string>{"bf16"});
    const int p = format[0] == "fp32" ? 24 : format[0] == "fp16" ? 11 : 8;
    const int most = p == 11 ? 15 : 127, least = 1 - most;
    const Row scale = numbers("scale", 2);
    const Integer sum = scale[0] + scale[1];
    inputs();
    const Integer threshold = numbers("decoder threshold-max", 1)[0];
    const std::size_t heads = count(numbers("heads", 1)[0]);
    demand(heads > 0);
    bool holds = fits(threshold, 2 * sum, 24, -126, 127) && sum >= least && 2 * sum >= -126;
    const auto check_entries = [&](const Table& table, const Integer& at) {
      for (const Row& row : table)
        for (const Integer& x : row) holds = holds && fits(x, at, p, least, most);
    };
    check_entries(x_, scale[0]);
    std::map<Pair, bool> above, not_safe;
    for (std::size_t k = 0; k < heads; ++k) {
      const std::size_t width = count(numbers("head", 1)[0]);
      demand(width > 0);
      literal("query");
      const Table query = table(d_, width);
      literal("key");
      const Table key = table(d_, width);
      check_entries(query, scale[1]);
      check_entries(key, scale[1]);
      // 1 + γ_n(u) = 1 / (1 - n·u)
      const Rational roundings(2 * d_ + width, power_of_two(24));
      holds = holds && roundings < 1;
      if (!holds) continue;
      const Rational factor =
          1 / ((1 - roundings) * (1 - Rational(2) / power_of_two(static_cast<std::size_t>(p))));
      const auto within = [&](const Integer& x, const Integer& at, int digits, int greatest) {
        holds = holds && (x == 0 || at < 300) &&
                (x == 0 || scaled(factor * x, at) <=
                               scaled(Rational(power_of_two(static_cast<std::size_t>(digits)) - 1),
                                      greatest - digits + 1));
      };
      for (std::size_t u = 0; u < m_; ++u)
        for (std::size_t v = 0; v < m_; ++v) {
          Integer score, size;
          for (std::size_t j = 0; j < width; ++j) {
            Integer q, r, abs_q, abs_r;
            for (std::size_t i = 0; i < d_; ++i) {
              q += x_[u][i] * query[i][j];
              r += x_[v][i] * key[i][j];
              abs_q += abs(x_[u][i] * query[i][j]);
              abs_r += abs(x_[v][i] * key[i][j]);
            }
            within(abs_q, sum, p, most);
            within(abs_r, sum, p, most);
            score += q * r;
            size += abs_q * abs_r;
          }
          within(size, 2 * sum, 24, 127);
          const Rational error = (factor - 1) * size;
          above[{u, v}] = above[{u, v}] || score - error > threshold;
          not_safe[{u, v}] = not_safe[{u, v}] || score + error > threshold;
        }
    }
    for (const auto& [at, yes] : above)
      holds = holds && (edges_.count(at) != 0 ? yes : !not_safe[at]);
    return holds;
  }

  bool universal_edge_per_head() {
    const Class family = class_and_embedding();
    const Integer heads = numbers("heads", 1)[0];
    demand(heads >= 1);
    return family.edges == heads && dominated();
  }

  bool universal_edge_pairs() {
    const Class family = class_and_embedding();
    const std::size_t number = count(numbers("pairs", 1)[0]);
    std::vector<Pair> pairs;
    for (std::size_t k = 0; k < number; ++k) {
      pairs.push_back(pair(numbers("", 2)));
      demand(pairs[k].first < pairs[k].second && (k == 0 || pairs[k - 1] < pairs[k]));
    }
    literal("vectors");
    bool good = true;
    Row listed(m_, 0);
    for (const auto& [i, j] : pairs) {
      const Row z = numbers("", d_);
      const Integer n = product(z, x_[i]);
      good = good && n > 0 && product(z, x_[j]) == -n;
      for (std::size_t v = 0; v < m_; ++v)
        good = good && (v == i || v == j || abs(product(z, x_[v])) < n);
      ++listed[i], ++listed[j];
    }
    const Integer heads = numbers("heads", 1)[0];
    demand(heads >= 1);
    const Integer fewest = *std::min_element(listed.begin(), listed.end());
    return good && heads == (family.edges + 1) / 2 && family.edges > 0 &&
           (m_ - fewest) * (family.out + family.in) - 2 < heads &&
           (family.edges % 2 == 0 || fewest >= 2);
  }

  std::string text_;
  std::vector<std::string> lines_;
  std::size_t at_ = 0;
  std::size_t m_ = 0, d_ = 0;
  std::set<Pair> edges_;
  std::set<Pair> used_;  // the edges with multipliers
  Table x_;
};

}  // namespace qkcert::test
