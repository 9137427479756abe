#include <algorithm>
#include <qkcert/core/version.hpp>
#include <qkcert/reports/html.hpp>
#include <qkcert/reports/page.hpp>
#include <qkcert/reports/page_article.hpp>
#include <qkcert/reports/page_files.hpp>
#include <qkcert/reports/page_plots.hpp>
#include <qkcert/reports/page_tables.hpp>
#include <qkcert/verify/sha256.hpp>

namespace qkcert {

namespace {

std::string summary(const PageInput& input, const Page& page) {
  std::string text =
      "<h1>" + html_text(input.title, 200) + "</h1>\n<p>" + std::to_string(page.holding) + " of " +
      std::to_string(input.certificates.size()) +
      " certificates <span class=\"good\">verified</span>" +
      (page.refused == 0
           ? ""
           : ", <span class=\"bad\">" + std::to_string(page.refused) + " refused</span>") +
      ".</p>\n<p class=\"note\">When this page was made, qkcert " + html_text(version()) +
      " read every certificate from its file and decided its claim anew in exact integer "
      "arithmetic; "
      "“verified” says that, and nothing else here is called so. A page can be changed, a "
      "certificate "
      "cannot: <code>qkcert verify</code> decides it again, and the SHA-256 beside each tells "
      "which "
      "file it was.</p>\n";
  if (page.refused == 0) return text;
  text += "<h2 id=\"refused\">Refused</h2>\n<ul>\n";
  for (const Surveyed& each : input.certificates)
    if (!each.holds) text += "<li>" + html_text(text_in(input, each.text)) + "</li>\n";
  for (const std::string& fault : input.faults)
    text += "<li>" + html_text(text_in(input, fault)) + "</li>\n";
  return text + "</ul>\n";
}

std::string links(const std::vector<std::pair<std::string, std::string>>& sections) {
  std::string text = "<nav aria-label=\"Sections\">";
  for (const auto& [id, html] : sections)
    if (!html.empty()) {
      std::string name = id;
      name[0] = static_cast<char>(name[0] - 'a' + 'A');
      text += "<a href=\"#" + id + "\">" + name + "</a> ";
    }
  return text + "</nav>\n";
}

std::string details_section(const PageInput& input, std::size_t& plots) {
  const std::size_t listed = std::min(input.limits.articles, input.certificates.size());
  std::string text = "<section id=\"details\"><h2>Details</h2>\n";
  if (listed < input.certificates.size())
    text += "<p class=\"note\">" + std::to_string(listed) + " of " +
            std::to_string(input.certificates.size()) + " certificates shown.</p>\n";
  for (std::size_t i = 0; i < listed; ++i) {
    if (input.on_step) input.on_step("details of " + name_in(input, input.certificates[i].path));
    text += certificate_article(input, i, plots);
  }
  return text + "</section>\n";
}

}  // namespace

Page make_page(const PageInput& input) {
  Page page;
  for (const Surveyed& each : input.certificates) ++(each.holds ? page.holding : page.refused);
  page.refused += input.faults.size();
  for (const auto& [name, history] : input.records) page.records += history.empty() ? 0 : 1;
  BoundsCache bounds;
  std::size_t record_faults = 0;
  std::vector<std::pair<std::string, std::string>> sections;
  sections.emplace_back("certificates", certificates_section(input, bounds));
  sections.emplace_back("records", records_section(input, bounds, record_faults));
  sections.emplace_back("bounds", bounds_section(input, bounds));
  sections.emplace_back("plots", plots_section(input, page.plots));
  sections.emplace_back("details", details_section(input, page.plots));
  page.refused += record_faults;
  std::string body = summary(input, page) + links(sections) + "<main>\n";
  for (const auto& [id, html] : sections) body += html;
  body += "</main>\n";
  page.html = filled(page_files::frame, {{"hash", base64_of_hex(sha256(page_files::script))},
                                         {"title", html_text(input.title, 200)},
                                         {"style", std::string(page_files::style)},
                                         {"script", std::string(page_files::script)},
                                         {"body", std::move(body)}});
  return page;
}

}  // namespace qkcert
