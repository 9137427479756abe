#include <algorithm>
#include <array>
#include <numeric>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/family.hpp>
#include <qkcert/core/reader.hpp>

namespace qkcert {

namespace {

constexpr std::array<std::string_view, 8> names = {"permutation", "derangement", "functional",
                                                   "out-regular", "digraph",     "digraph-loops",
                                                   "matching",    "out-degrees"};

FamilyKind kind_of(std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    std::string known;
    for (const auto each : names) known += (known.empty() ? "" : ", ") + std::string(each);
    throw UsageError("unknown family " + quoted(name) + "; known are " + known);
  }
  return static_cast<FamilyKind>(found - names.begin());
}

/// The derangements of n points by D_k = k·D_{k-1} + (-1)^k, D_0 = 1: the affine maps are composed
/// in a binary tree. map(lo, hi) takes D_lo to D_hi = factor·D_lo + offset.
struct AffineMap {
  Integer factor, offset;
};

AffineMap derangement_map(std::uint64_t lo, std::uint64_t hi) {
  if (hi - lo == 1) return {hi, hi % 2 == 0 ? 1 : -1};
  const std::uint64_t middle = lo + (hi - lo) / 2;
  const AffineMap first = derangement_map(lo, middle);
  const AffineMap second = derangement_map(middle, hi);
  return {second.factor * first.factor, second.factor * first.offset + second.offset};
}

Integer derangements(std::uint64_t n) {
  if (bit_length(n) > max_bits / n) throw SizeError("derangements: too many");
  const AffineMap map = derangement_map(0, n);
  return map.factor + map.offset;
}

/// e disjoint pairs of m points: C(m, 2e)·(2e)!/(2^e·e!), where (2e)!/e! = (e+1)·…·2e.
Integer matchings(std::uint64_t m, std::uint64_t e) {
  return binomial(m, 2 * Integer(e)) * rising_product(Integer(e) + 1, e) / power(2, e);
}

/// The product of factors[begin, end), by halves, so that most factors of a product are of equal size.
Integer balanced_product(std::span<const Integer> factors) {
  if (factors.empty()) return 1;
  if (factors.size() == 1) return factors[0];
  const std::size_t half = factors.size() / 2;
  return balanced_product(factors.first(half)) * balanced_product(factors.subspan(half));
}

/// Π C(m-1, deg): the binomials one after another, C(n, k+1) = C(n, k)·(n-k)/(k+1), each to the power of
/// its number of degrees. C(n, k) = C(n, n-k) keeps k below half of n.
Integer degree_choices(std::uint64_t m, std::span<const std::uint64_t> degrees) {
  const std::uint64_t n = m - 1;
  std::vector<std::uint64_t> sorted;
  for (const std::uint64_t degree : degrees) sorted.push_back(std::min(degree, n - degree));
  std::sort(sorted.begin(), sorted.end());
  std::vector<Integer> factors;
  std::size_t bits = 0;
  Integer choices = 1;
  std::uint64_t k = 0;
  for (auto run = sorted.begin(); run != sorted.end();) {
    for (; k < *run; ++k) choices = choices * (n - k) / (k + 1);
    const auto end = std::upper_bound(run, sorted.end(), *run);
    factors.push_back(power(choices, static_cast<std::uint64_t>(end - run)));
    bits += bit_length(factors.back());
    if (bits > max_bits) throw SizeError("degree_choices: too many");
    run = end;
  }
  return balanced_product(factors);
}

bool loop_free(const Graph& graph) { return graph.loops() == 0; }

bool out_degrees_are(const Graph& graph, std::uint64_t degree) {
  for (std::size_t u = 0; u < graph.vertices(); ++u)
    if (graph.out_degree(u) != degree) return false;
  return true;
}

bool is_permutation(const Graph& graph) {
  return out_degrees_are(graph, 1) && graph.max_in_degree() <= 1;
}

bool is_matching(const Graph& graph) {
  return loop_free(graph) && graph.max_out_degree() <= 1 &&
         std::all_of(graph.edges().begin(), graph.edges().end(), [&](const Edge& edge) {
           return graph.contains({edge.target, edge.source});
         });
}

}  // namespace

Family::Family(std::string_view name, std::vector<std::uint64_t> arguments)
    : kind_(kind_of(name)), arguments_(std::move(arguments)) {
  const auto check = [&](bool condition, const std::string& what) {
    if (!condition) throw UsageError("family " + std::string(name) + ": " + what);
  };
  check(!arguments_.empty() && vertices() >= 1, "needs m >= 1 vertices");
  const Integer m = vertices();
  const std::size_t count = arguments_.size();
  switch (kind_) {
    case FamilyKind::permutation:
    case FamilyKind::derangement:
    case FamilyKind::functional:
      check(count == 1, "takes one argument: m");
      break;
    case FamilyKind::out_regular:
      check(count == 2, "takes two arguments: m r");
      check(arguments_[1] <= m - 1, "needs r <= m - 1");
      break;
    case FamilyKind::digraph:
      check(count == 2, "takes two arguments: m e");
      check(arguments_[1] <= m * (m - 1), "needs e <= m(m-1) edges");
      break;
    case FamilyKind::digraph_loops:
      check(count == 2, "takes two arguments: m e");
      check(arguments_[1] <= m * m, "needs e <= m² edges");
      break;
    case FamilyKind::matching:
      check(count == 2, "takes two arguments: m e");
      check(2 * Integer(arguments_[1]) <= m, "needs 2e <= m");
      break;
    case FamilyKind::out_degrees:
      check(count == m + 1, "takes m and then m out-degrees");
      for (std::size_t u = 1; u < count; ++u)
        check(arguments_[u] <= m - 1, "needs every out-degree <= m - 1");
      break;
  }
}

std::string_view Family::name() const { return names[static_cast<std::size_t>(kind_)]; }

std::string Family::to_string() const {
  std::string text(name());
  for (const std::uint64_t argument : arguments_) text += ' ' + std::to_string(argument);
  return text;
}

Integer Family::edges() const {
  const Integer m = vertices();
  switch (kind_) {
    case FamilyKind::permutation:
    case FamilyKind::derangement:
    case FamilyKind::functional:
      return m;
    case FamilyKind::out_regular:
      return m * arguments_[1];
    case FamilyKind::digraph:
    case FamilyKind::digraph_loops:
      return arguments_[1];
    case FamilyKind::matching:
      return 2 * Integer(arguments_[1]);
    case FamilyKind::out_degrees:
      return std::accumulate(arguments_.begin() + 1, arguments_.end(), Integer(0));
  }
  throw ShapeError("Family::edges: not a family");
}

std::uint64_t Family::max_out_degree() const {
  const std::uint64_t m = vertices();
  switch (kind_) {
    case FamilyKind::permutation:
    case FamilyKind::derangement:
    case FamilyKind::functional:
      return 1;
    case FamilyKind::out_regular:
      return arguments_[1];
    case FamilyKind::digraph:
      return std::min(arguments_[1], m - 1);
    case FamilyKind::digraph_loops:
      return std::min(arguments_[1], m);
    case FamilyKind::matching:
      return std::min<std::uint64_t>(arguments_[1], 1);
    case FamilyKind::out_degrees:
      return *std::max_element(arguments_.begin() + 1, arguments_.end());
  }
  throw ShapeError("Family::max_out_degree: not a family");
}

std::uint64_t Family::max_in_degree() const {
  const std::uint64_t m = vertices();
  switch (kind_) {
    case FamilyKind::permutation:
    case FamilyKind::derangement:
    case FamilyKind::digraph:
    case FamilyKind::digraph_loops:
    case FamilyKind::matching:
      return max_out_degree();
    case FamilyKind::functional:
      return m - 1;
    case FamilyKind::out_regular:
      return arguments_[1] == 0 ? 0 : m - 1;
    case FamilyKind::out_degrees: {
      const auto silent = std::count(arguments_.begin() + 1, arguments_.end(), 0U);
      return std::min(m - 1, m - static_cast<std::uint64_t>(silent));
    }
  }
  throw ShapeError("Family::max_in_degree: not a family");
}

Integer Family::size() const try {
  const std::uint64_t m = vertices();
  switch (kind_) {
    case FamilyKind::permutation:
      return rising_product(1, m);
    case FamilyKind::derangement:
      return derangements(m);
    case FamilyKind::functional:
      return power(m - 1, m);
    case FamilyKind::out_regular:
      return power(binomial(m - 1, arguments_[1]), m);
    case FamilyKind::digraph:
      return binomial(Integer(m) * (m - 1), arguments_[1]);
    case FamilyKind::digraph_loops:
      return binomial(Integer(m) * m, arguments_[1]);
    case FamilyKind::matching:
      return matchings(m, arguments_[1]);
    case FamilyKind::out_degrees:
      return degree_choices(m, std::span(arguments_).subspan(1));
  }
  throw ShapeError("Family::size: not a family");
} catch (const SizeError&) {
  throw SizeError("the family " + to_string().substr(0, 80) + " has more than 2^" +
                  std::to_string(max_bits) + " members, which is too many to count");
}

bool Family::contains(const Graph& graph) const {
  if (graph.vertices() != vertices()) return false;
  switch (kind_) {
    case FamilyKind::permutation:
      return is_permutation(graph);
    case FamilyKind::derangement:
      return is_permutation(graph) && loop_free(graph);
    case FamilyKind::functional:
      return out_degrees_are(graph, 1) && loop_free(graph);
    case FamilyKind::out_regular:
      return out_degrees_are(graph, arguments_[1]) && loop_free(graph);
    case FamilyKind::digraph:
      return graph.edges().size() == arguments_[1] && loop_free(graph);
    case FamilyKind::digraph_loops:
      return graph.edges().size() == arguments_[1];
    case FamilyKind::matching:
      return graph.edges().size() == 2 * arguments_[1] && is_matching(graph);
    case FamilyKind::out_degrees:
      for (std::size_t u = 0; u < graph.vertices(); ++u)
        if (graph.out_degree(u) != arguments_[u + 1]) return false;
      return loop_free(graph);
  }
  return false;
}

std::span<const std::string_view> family_names() { return names; }

std::optional<Family> family_of(std::string_view name, const Graph& graph) {
  const FamilyKind kind = kind_of(name);
  if (graph.vertices() == 0) throw UsageError("a graph without vertices belongs to no family");
  std::vector<std::uint64_t> arguments{graph.vertices()};
  const std::uint64_t edges = graph.edges().size();
  if (kind == FamilyKind::out_degrees)
    for (std::size_t u = 0; u < graph.vertices(); ++u) arguments.push_back(graph.out_degree(u));
  else if (kind == FamilyKind::out_regular)
    arguments.push_back(graph.out_degree(0));
  else if (kind == FamilyKind::digraph || kind == FamilyKind::digraph_loops)
    arguments.push_back(edges);
  else if (kind == FamilyKind::matching)
    arguments.push_back(edges / 2);
  try {
    const Family family(name, std::move(arguments));
    if (family.contains(graph)) return family;
  } catch (const UsageError&) {
    // The graph's numbers are outside the family's range: it is not a member.
  }
  return std::nullopt;
}

Family narrowest_family(const Graph& graph) {
  for (const auto name : {"matching", "derangement", "permutation", "functional", "out-regular",
                          "out-degrees", "digraph-loops"})
    if (auto family = family_of(name, graph)) return *std::move(family);
  throw ShapeError("narrowest_family: every graph is in digraph-loops");
}

}  // namespace qkcert
