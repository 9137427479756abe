#include <algorithm>
#include <qkcert/core/decimal.hpp>
#include <qkcert/reports/histogram.hpp>
#include <qkcert/reports/html.hpp>
#include <qkcert/reports/page_article.hpp>
#include <qkcert/reports/page_plots.hpp>
#include <qkcert/reports/page_tables.hpp>
#include <qkcert/verify/certificate.hpp>

namespace qkcert {

namespace {

constexpr std::size_t targets_shown = 8;

std::string entry(const std::string& name, const std::string& html) {
  return "<dt>" + name + "</dt><dd>" + html + "</dd>\n";
}

std::string score(const Integer& value) {
  return "<span class=\"score\">" + html_text(to_decimal(value)) + "</span>";
}

std::string shown(std::size_t some, std::size_t all, const std::string& what) {
  if (some == all) return "all " + std::to_string(all) + " " + what;
  return std::to_string(some) + " of " + std::to_string(all) + " " + what + " shown";
}

/// Vertices by their names, or by their numbers when there are none.
class Words {
 public:
  Words(const PageInput& input, const Graph& graph) {
    for (const NamedGraph& each : input.named)
      if (!names_ && each.names.size() == graph.vertices() && each.graph == graph)
        names_ = &each.names;
  }
  bool known() const { return names_ != nullptr; }
  std::string operator()(std::size_t vertex) const {
    return names_ ? html_word((*names_)[vertex]) : std::to_string(vertex);
  }
  std::string operator()(Edge pair) const {
    return (*this)(pair.source) + " → " + (*this)(pair.target);
  }

 private:
  const std::vector<std::string>* names_ = nullptr;
};

std::string contexts_list(const PageInput& input, const Graph& graph, const Words& words) {
  std::size_t contexts = 0, listed = 0;
  std::string items;
  for (std::size_t u = 0; u < graph.vertices(); ++u) {
    const auto edges = graph.edges_from(u);
    if (edges.empty()) continue;
    if (++contexts > input.limits.contexts) continue;
    ++listed;
    items += "<li>" + words(u) + " → ";
    for (std::size_t i = 0; i < std::min(edges.size(), targets_shown); ++i)
      items += (i > 0 ? ", " : "") + words(edges[i].target);
    if (edges.size() > targets_shown)
      items += " and " + std::to_string(edges.size() - targets_shown) + " more";
    items += "</li>\n";
  }
  return "<h4>Graph</h4>\n<p class=\"note\">" + shown(listed, contexts, "vertices with edges") +
         (words.known() ? "" : "; no names are known for this graph, so vertices are numbers") +
         ".</p>\n<ul class=\"words\">\n" + items + "</ul>\n";
}

HtmlCell range_cell(const Head& head) {
  std::optional<Integer> least, greatest;
  for (const Matrix* matrix : {&head.query, &head.key})
    for (std::size_t i = 0; i < matrix->rows(); ++i)
      for (std::size_t j = 0; j < matrix->cols(); ++j) {
        const Integer weight = matrix->at(i, j);
        least = least ? std::min(*least, weight) : weight;
        greatest = greatest ? std::max(*greatest, weight) : weight;
      }
  return {score(least.value()) + " … " + score(greatest.value())};
}

std::string heads_table(const PageInput& input, const Channel& channel) {
  const std::size_t listed = std::min(channel.heads.size(), input.limits.heads);
  HtmlTable table{"Heads: " + shown(listed, channel.heads.size(), "heads"),
                  {"head", "d_k", "weights from … to"},
                  {},
                  false};
  for (std::size_t k = 0; k < listed; ++k)
    table.rows.push_back({number_cell(Integer(k + 1)),
                          number_cell(Integer(channel.heads[k].width())),
                          range_cell(channel.heads[k])});
  return "<h4>Heads</h4>\n" + html_table(table);
}

std::string pairs_table(const std::string& caption, const std::vector<ScoredPair>& pairs,
                        const Integer& threshold, const Words& words) {
  HtmlTable table{caption, {"pair", "score", "score − τ"}, {}, false};
  for (const ScoredPair& each : pairs)
    table.rows.push_back({{words(each.pair)},
                          {score(each.score), "", true},
                          {score(each.score - threshold), "", true}});
  return "<div>" + html_table(table) + "</div>\n";
}

std::string scores_part(const PageInput& input, const ChannelView& view, const Words& words,
                        std::size_t& plots) {
  const Integer m = view.graph.vertices();
  if (m == 0 || m * m * Integer(view.channel.key_dimension()) > input.limits.work)
    return "<p class=\"note\">Scores are not shown: there are too many pairs, or none.</p>\n";
  const Scores scores = scan_scores({view.graph, view.embedding, view.channel, view.threshold,
                                     input.limits.pairs, input.limits.bins},
                                    input.threads, input.progress);
  const std::size_t edges = view.graph.edges().size(),
                    all = view.graph.vertices() * view.graph.vertices();
  return "<h4>Pairs of least margin</h4>\n<div class=\"pairs\">\n" +
         pairs_table("Edges nearest to τ from above: " + shown(scores.edges.size(), edges, "edges"),
                     scores.edges, view.threshold, words) +
         pairs_table("Other pairs nearest to τ from below: " +
                         shown(scores.nonedges.size(), all - edges, "pairs"),
                     scores.nonedges, view.threshold, words) +
         "</div>\n<h4>Scores</h4>\n<p class=\"note\">Every pair, in exact bins; τ is a border "
         "between "
         "them.</p>\n" +
         figure(draw(histogram_plot(view, scores), PlotFormat::svg), 1000 + ++plots,
                "histogram of all scores with the threshold τ");
}

std::string channel_part(const PageInput& input, const Surveyed& each, const ChannelView& view,
                         std::size_t& plots) {
  const Words words(input, view.graph);
  std::string facts =
      entry("graph", std::to_string(view.graph.vertices()) + " vertices, " +
                         std::to_string(view.graph.edges().size()) + " edges, class " +
                         html_text(class_name(class_of(each).value().family))) +
      entry("embedding", "d_model " + std::to_string(view.embedding.cols())) +
      entry("channel", html_text(architecture_text(view.channel), 400) + ", D_K " +
                           std::to_string(view.channel.key_dimension()) + ", |weight| ≤ " +
                           html_text(to_decimal(view.channel.weight_max()), 80)) +
      entry("threshold τ", score(view.threshold));
  return "<dl>" + facts + "</dl>\n" + scores_part(input, view, words, plots) +
         heads_table(input, view.channel) + contexts_list(input, view.graph, words);
}

}  // namespace

std::string certificate_article(const PageInput& input, std::size_t index, std::size_t& plots) {
  const Surveyed& each = input.certificates[index];
  std::string text = "<article id=\"" + article_id(index) + "\">\n<h3>" +
                     html_text(name_in(input, each.path), 200) + "</h3>\n<p><span class=\"" +
                     (each.holds ? "good\">verified" : "bad\">refused") +
                     "</span>: " + html_text(text_in(input, each.text)) + "</p>\n<dl>";
  if (each.sha256) text += entry("SHA-256", "<span class=\"hash\">" + *each.sha256 + "</span>");
  if (each.claim) text += entry("claim", html_text(claim_name(*each.claim)));
  text += "</dl>\n";
  if (each.holds) {
    const auto view = channel_of(*each.claim);
    text += view && view->graph.vertices() > 0
                ? channel_part(input, each, *view, plots)
                : "<pre>" + html_text(claim_text(*each.claim)) + "</pre>\n";
  }
  return text + "</article>\n";
}

}  // namespace qkcert
