#pragma once
/// One HTML page of certificates, records, bounds and plots, that needs no network and no other file.

#include <functional>
#include <qkcert/reports/survey.hpp>
#include <qkcert/search/records_state.hpp>

namespace qkcert {

/// A graph whose vertices have names: certificates of the same graph are shown with them.
struct NamedGraph {
  Graph graph;
  std::vector<std::string> names;
};

/// What one page shows at most; it says what it leaves out.
struct PageLimits {
  std::size_t pairs = 10;     ///< of each kind, of the least margin
  std::size_t contexts = 40;  ///< of a graph
  std::size_t heads = 64;
  std::size_t articles = 200;  ///< certificates with all details
  std::size_t plots = 60;      ///< beside the histograms of the articles
  std::size_t bins = 40;
  Integer work =
      power_of_two(36);  ///< multiply-adds, m²·D_K, for the exact scores of a certificate
};

struct PageInput {
  std::string title;
  std::string folder;  ///< file names are shown without it
  std::vector<Surveyed> certificates;
  std::vector<NamedGraph> named = {};
  RecordsState records = {};
  std::vector<std::string> faults = {};  ///< other files that are refused, and why
  PageLimits limits = {};
  unsigned threads = 0;
  std::function<void(const std::string& what)> on_step = {};
  Progress progress = {};
};

struct Page {
  std::string html;
  std::size_t holding = 0, refused = 0, records = 0, plots = 0;
};

/// The page.
///
/// Ensure   everything in it that is said to hold has been decided by check(). Text from files is
///          escaped. The same input and gnuplot give the same bytes; no date and no path outside the
///          folder is in it. It loads nothing, and its Content-Security-Policy forbids that.
/// Cost     a scan of all scores for each channel; the bounds of each class once; a run of gnuplot
///          for each plot.
/// Errors   FileError when gnuplot cannot be run.
Page make_page(const PageInput& input);

}  // namespace qkcert
