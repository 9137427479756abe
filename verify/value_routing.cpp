#include <algorithm>
#include <numeric>
#include <qkcert/core/decimal.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/verify/exponentials.hpp>
#include <qkcert/verify/head_scores.hpp>
#include <qkcert/verify/text.hpp>
#include <qkcert/verify/value_routing.hpp>

namespace qkcert {

namespace {

using Vertices = std::vector<std::size_t>;
using Bits = std::vector<bool>;

bool covers(const Bits& bits, const Bits& code) {
  for (std::size_t j = 0; j < code.size(); ++j)
    if (code[j] && !bits[j]) return false;
  return true;
}

bool any(const Bits& bits) { return std::find(bits.begin(), bits.end(), true) != bits.end(); }

class Routing {
 public:
  Routing(const SoftmaxRecovery& claim, const ValueCode& code, unsigned threads)
      : claim_(claim),
        graph_(claim.graph),
        values_(code.values),
        top_(numerator(code.level)),
        bottom_(denominator(code.level)),
        scores_(claim.embedding, claim.channel, threads),
        codes_(graph_.vertices(), Bits(values_.cols())) {
    require(graph_.vertices() == claim.embedding.rows() && graph_.vertices() == values_.rows(),
            "one row per vertex is required");
    require(claim.beta > 0 && claim.context_size >= 2, "beta > 0 and a context size are required");
    for (std::size_t v = 0; v < codes_.size(); ++v)
      for (std::size_t j = 0; j < values_.cols(); ++j) codes_[v][j] = excess(v, j) > 0;
    size_ = std::min<std::uint64_t>(to_uint64(claim.context_size).value_or(codes_.size()),
                                    codes_.size());
  }

  /// (1), or what is wrong.
  std::string ambiguity() const {
    const bool single = graph_.max_out_degree() <= 1;
    for (std::size_t u = 0; u < codes_.size(); ++u) {
      if (single && graph_.edges_from(u).empty()) continue;  // no bit is set, and that names none
      for (std::size_t w = 0; w < codes_.size(); ++w) {
        Bits bits(values_.cols());
        bool edge = false;
        for (const Edge& each : graph_.edges_from(u)) {
          edge = edge || each.target == w;
          for (std::size_t j = 0; each.target != w && j < bits.size(); ++j)
            if (codes_[each.target][j]) bits[j] = true;
        }
        const bool confused = single && edge ? !any(codes_[w])
                              : single       ? bits == codes_[w]
                                             : !edge && covers(bits, codes_[w]);
        if (confused)
          return "the code of vertex " + std::to_string(w) +
                 " cannot be told from those of the other neighbours of " + std::to_string(u);
      }
    }
    return "";
  }

  /// (2) and (3) for one source.
  std::string fault(std::size_t u) const {
    Vertices all(codes_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    const std::vector<std::vector<Integer>> rows = rows_of(u, all);
    for (std::size_t j = 0; j < values_.cols(); ++j) {
      for (std::size_t k = 0; k < rows.size(); ++k)
        if (!stays_off(u, j, rows[k]))
          return at(u, j) + " is above the level in head " + std::to_string(k) +
                 " in a context without a neighbour that has it";
      const bool loop = graph_.contains({u, u}) && codes_[u][j];
      for (const Edge& edge : graph_.edges_from(u)) {
        const std::size_t v = edge.target;
        if (!codes_[v][j] || (loop && v != u)) continue;  // contexts of u and v are contexts of u
        if (std::none_of(rows.begin(), rows.end(),
                         [&](const auto& row) { return stays_on(u, v, j, row); }))
          return at(u, j) + " is not above the level, for the edge " + show(edge) +
                 ", in every head's worst context";
      }
    }
    return "";
  }

  /// What is read back in one context.
  std::string fault(const Vertices& context, std::size_t number) const {
    const bool single = graph_.max_out_degree() <= 1;
    const std::string where = " in context " + std::to_string(number + 1) + " of the list";
    for (const std::size_t u : context) {
      const std::vector<std::vector<Integer>> rows = rows_of(u, context);
      Bits bits(values_.cols());
      for (std::size_t j = 0; j < bits.size(); ++j)
        bits[j] = std::any_of(rows.begin(), rows.end(),
                              [&](const auto& row) { return sign(context, j, row) > 0; });
      for (std::size_t j = 0; j < bits.size(); ++j) {
        const bool right = std::any_of(context.begin(), context.end(), [&](std::size_t v) {
          return codes_[v][j] && graph_.contains({u, v});
        });
        if (bits[j] != right)
          return at(u, j) + (right ? " is not" : " is") + " above the level" + where;
      }
      for (const std::size_t v : context) {
        const bool read = single ? any(bits) && bits == codes_[v] : covers(bits, codes_[v]);
        if (read != graph_.contains({u, v}))
          return std::string("the ") + (read ? "non-edge " : "edge ") + show(Edge{u, v}) + " is " +
                 (read ? "" : "not ") + "named by the right bits" + where;
      }
    }
    return "";
  }

 private:
  /// value_vj - level, times the level's denominator.
  Integer excess(std::size_t v, std::size_t j) const { return bottom_ * values_.at(v, j) - top_; }

  static std::string at(std::size_t u, std::size_t j) {
    return "output " + std::to_string(j) + " of vertex " + std::to_string(u);
  }

  /// S^k_uv in [k][v], for these v.
  std::vector<std::vector<Integer>> rows_of(std::size_t u, const Vertices& targets) const {
    std::vector<std::vector<Integer>> rows(scores_.heads(), std::vector<Integer>(codes_.size()));
    for (std::size_t k = 0; k < rows.size(); ++k)
      for (const std::size_t v : targets) rows[k][v] = scores_.score<Integer>(k, u, v);
    return rows;
  }

  /// The sign of f over a context.
  int sign(const Vertices& context, std::size_t j, const std::vector<Integer>& row) const {
    std::vector<ExponentialTerm> terms{{-top_, claim_.threshold}};
    for (const std::size_t v : context) terms.push_back({excess(v, j), row[v]});
    return sign_of_sum(std::move(terms), claim_.beta);
  }

  /// Adds to the context up to `more` of the vertices: those of the largest |g| among g·side > 0.
  void extend(Vertices& context, Vertices vertices, std::size_t more, int side, std::size_t j,
              const std::vector<Integer>& row) const {
    const auto size = [&](std::size_t v) { return Integer(side * excess(v, j)); };
    std::erase_if(vertices, [&](std::size_t v) { return size(v) <= 0; });
    const auto larger = [&](std::size_t a, std::size_t b) {
      const Integer x = size(a), y = size(b);
      if (x >= y && row[a] >= row[b]) return x > y || row[a] > row[b];
      if (x <= y && row[a] <= row[b]) return false;
      return sign_of_sum({{x, row[a]}, {-y, row[b]}}, claim_.beta) > 0;
    };
    if (more < vertices.size()) {
      std::nth_element(vertices.begin(), vertices.begin() + static_cast<std::ptrdiff_t>(more),
                       vertices.end(), larger);
      vertices.resize(more);
    }
    context.insert(context.end(), vertices.begin(), vertices.end());
  }

  bool stays_off(std::size_t u, std::size_t j, const std::vector<Integer>& row) const {
    const auto allowed = [&](std::size_t v) { return !codes_[v][j] || !graph_.contains({u, v}); };
    if (!allowed(u)) return true;  // no such context
    Vertices context{u}, others;
    for (std::size_t v = 0; v < codes_.size(); ++v)
      if (v != u && allowed(v)) others.push_back(v);
    extend(context, std::move(others), size_ - 1, 1, j, row);
    return sign(context, j, row) <= 0;
  }

  bool stays_on(std::size_t u, std::size_t v, std::size_t j,
                const std::vector<Integer>& row) const {
    Vertices context{u}, others;
    if (v != u) context.push_back(v);
    for (std::size_t w = 0; w < codes_.size(); ++w)
      if (w != u && w != v) others.push_back(w);
    extend(context, std::move(others), size_ - context.size(), -1, j, row);
    return sign(context, j, row) > 0;
  }

  const SoftmaxRecovery& claim_;
  const Graph& graph_;
  const Matrix& values_;
  Integer top_, bottom_;  ///< the level
  ScoresByHead scores_;
  std::vector<Bits> codes_;
  std::size_t size_;
};

/// The first fault among `count` parts, or success.
Verdict verdict(std::size_t count, unsigned threads, const Progress& progress, const auto& fault,
                const std::string& success) {
  std::vector<std::string> faults(count);
  parallel_for(
      count, threads, [&](std::size_t i, unsigned) { faults[i] = fault(i); }, progress);
  for (const std::string& each : faults)
    if (!each.empty()) return {false, each};
  return {true, success};
}

std::string success_text(const SoftmaxRecovery& claim, const ValueCode& code,
                         const std::string& where) {
  return "values: " + instance_text(claim.graph, claim.embedding) + ": outputs of " +
         std::to_string(code.values.cols()) + " coordinates, cut at " +
         to_decimal(numerator(code.level)) + "/" + to_decimal(denominator(code.level)) + ", " +
         where;
}

}  // namespace

Verdict decide_values(const SoftmaxRecovery& claim, const ValueCode& code, unsigned threads,
                      const Progress& progress) {
  const Routing routing(claim, code, threads);
  if (const std::string wrong = routing.ambiguity(); !wrong.empty()) return {false, wrong};
  return verdict(
      claim.graph.vertices(), threads, progress, [&](std::size_t u) { return routing.fault(u); },
      success_text(claim, code,
                   "name exactly the neighbours in every context" +
                       (claim.context_size >= claim.graph.vertices()
                            ? std::string()
                            : " of up to " + to_decimal(claim.context_size) + " vertices")));
}

Verdict decide_values_in_contexts(const SoftmaxRecovery& claim, const ValueCode& code,
                                  const Contexts& contexts, unsigned threads,
                                  const Progress& progress) {
  const std::size_t pairs = covered_pairs(contexts, claim.graph.vertices());
  const Routing routing(claim, code, threads);
  return verdict(
      contexts.size(), threads, progress,
      [&](std::size_t c) { return routing.fault(contexts[c], c); },
      success_text(claim, code,
                   "name exactly the neighbours in each of the " + std::to_string(contexts.size()) +
                       " contexts given, which cover " + std::to_string(pairs) + " pairs"));
}

}  // namespace qkcert
