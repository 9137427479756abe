#include <filesystem>
#include <iostream>
#include <qkcert/bounds/counting.hpp>
#include <qkcert/core/decimal.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/reader.hpp>
#include <qkcert/io/file.hpp>
#include <qkcert/reports/transition.hpp>

#include "search_options.hpp"
#include "verbs.hpp"

namespace qkcert::cli {

namespace {

constexpr std::uint64_t max_points = 10'000;

/// FROM:TO:STEP with at most max_points values.
struct KeyDimensions {
  std::uint64_t from = 1, to = 1, step = 1;
};

/// `N`, `FROM:TO` or `FROM:TO:STEP`.
std::optional<KeyDimensions> parse_key_dimensions(const std::string& text) {
  std::vector<std::uint64_t> numbers;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(':', begin), text.size());
    const auto value = parse_uint64(std::string_view(text).substr(begin, end - begin));
    if (!value || *value == 0) return std::nullopt;
    numbers.push_back(*value);
    begin = end + 1;
  }
  if (numbers.size() > 3) return std::nullopt;
  const std::uint64_t from = numbers[0];
  const KeyDimensions range{from, numbers.size() > 1 ? numbers[1] : from,
                            numbers.size() > 2 ? numbers[2] : 1};
  if (range.to < from || (range.to - from) / range.step >= max_points) return std::nullopt;
  return range;
}

struct Options {
  GraphOptions graph;
  std::optional<KeyDimensions> key_dimensions;
  std::optional<std::uint64_t> gaussian, bits, heads, head_dim, trials, tries, seed, threads;
  std::optional<std::string> method, certificates, csv, svg, pdf;
  std::optional<Integer> weight_max;
  std::optional<Rational> budget;
  bool sweep_heads = false, json = false;

  void add_to(CLI::App& verb);
  void check() const;
  TransitionOptions transition_options() const;
  std::vector<TransitionPoint> points(const TransitionOptions& options) const;
  std::string split() const;
  /// The files to write, with the options that name them.
  std::vector<std::pair<const char*, const std::optional<std::string>*>> files() const {
    return {{"--csv", &csv}, {"--svg", &svg}, {"--pdf", &pdf}};
  }
};

void Options::add_to(CLI::App& verb) {
  graph.add_to(verb, GraphOptions::Use::random_members);
  auto* gaussian_option =
      add_count(verb, "--gaussian", gaussian, "d_model of the random unit rows", {1});
  add_count(verb, "--embedding-bits", bits,
            "bits that the unit rows are rounded to, 1 to 52 (default 20)", {1, 52})
      ->needs(gaussian_option);
  verb.add_option("--method", method, "a construction method (default fit)")->type_name("NAME");
  verb.add_option_function<std::string>(
          "--key-dimension",
          [this](const std::string& text) {
            key_dimensions = parse_key_dimensions(text);
            if (!key_dimensions)
              throw CLI::ValidationError(
                  "--key-dimension",
                  "expected N, FROM:TO or FROM:TO:STEP, integers of at least 1 "
                  "for at most " +
                      std::to_string(max_points) + " points, found " + qkcert::quoted(text));
          },
          "the values of D_K to try")
      ->type_name("FROM:TO[:STEP]");
  auto* heads_option = add_count(verb, "--heads", heads, "number of heads h at every D_K", {1});
  auto* width_option =
      add_count(verb, "--head-dim", head_dim, "width d_k of every head, divides each D_K", {1});
  auto* sweep_option = verb.add_flag("--sweep-heads", sweep_heads,
                                     "every number of heads, from 1 to D_K, at one D_K");
  heads_option->excludes(width_option, sweep_option);
  width_option->excludes(sweep_option);
  add_positive(verb, "--weight-max", weight_max, "A, no |weight| may exceed it (default 127)");
  add_count(verb, "--trials", trials, "random instances at each point (default 20)",
            {1, 1'000'000});
  add_count(verb, "--tries", tries, "constructions for each of them (default 1)", {1, 65536});
  add_count(verb, "--seed", seed, "seed of all random choices, below 2^31 (default 1)",
            {0, (std::uint64_t{1} << 31) - 1});
  add_seconds(verb, "--budget", budget, "stop after this time (default 100)");
  add_threads(verb, threads);
  verb.add_option_function<std::string>(
          "--certificates",
          [this](std::string path) {
            while (path.size() > 1 && path.ends_with('/')) path.pop_back();
            certificates = std::move(path);
          },
          "store the certificate of every success here")
      ->type_name("DIR");
  verb.add_option("--csv", csv, "write a table of all points here, - for stdout")
      ->type_name("FILE");
  verb.add_option("--svg", svg, "draw the rates here, - for stdout (needs gnuplot)")
      ->type_name("FILE");
  verb.add_option("--pdf", pdf, "the same picture as PDF")->type_name("FILE");
  verb.add_flag("--json", json, "print one JSON object");
}

/// What can be known before the long work.
void Options::check() const {
  if (!graph.family) throw UsageError("a class is needed: --family NAME --vertices M");
  if (!gaussian) throw UsageError("an embedding is needed: --gaussian D");
  if (!key_dimensions) throw UsageError("--key-dimension FROM:TO is needed");
  if (sweep_heads && key_dimensions->from + key_dimensions->step <= key_dimensions->to)
    throw UsageError("--sweep-heads takes one --key-dimension");
  if (sweep_heads && key_dimensions->from > max_points)
    throw UsageError("--sweep-heads: at most " + std::to_string(max_points) + " heads");
  const auto outputs = files();
  for (auto one = outputs.begin(); one != outputs.end(); ++one) {
    check_files({}, *one->second);
    for (auto other = outputs.begin(); other != one; ++other)
      if (*one->second && *one->second == *other->second)
        throw UsageError(std::string(one->first) + " and " + other->first + " name one file");
  }
  if (certificates) {
    if (certificates->empty()) throw UsageError("--certificates: a path is needed");
    require_writable(std::filesystem::exists(*certificates) ? *certificates + "/d.qkc"
                                                            : *certificates);
  }
  // So that a missing gnuplot is known now.
  const Plot empty{.title = "", .x = {"", 0, 1}, .y = {"", 0, 1}, .marks = {{"", 0}}};
  if (svg) draw(empty, PlotFormat::svg);
  if (pdf) draw(empty, PlotFormat::pdf);
}

TransitionOptions Options::transition_options() const {
  const Rational milliseconds = budget.value_or(100) * 1000;
  return {
      .family = graph.named_family(),
      .d_model = gaussian.value(),
      .embedding_bits = static_cast<unsigned>(bits.value_or(20)),
      .method = method.value_or("fit"),
      .weight_max = weight_max.value_or(127),
      .trials = trials.value_or(20),
      .tries = tries.value_or(1),
      .seed = seed.value_or(1),
      .threads = threads_of(threads),
      .budget = std::chrono::milliseconds(
          to_int64(floor_quotient(numerator(milliseconds), denominator(milliseconds))).value())};
}

std::vector<TransitionPoint> Options::points(const TransitionOptions& options) const {
  if (sweep_heads) return heads_sweep(options, key_dimensions->from);
  std::vector<TransitionPoint> result;
  const auto [from, to, step] = key_dimensions.value();
  for (std::uint64_t done = 0; done <= (to - from) / step; ++done)
    result.push_back({from + done * step, heads, head_dim});
  return result;
}

std::string Options::split() const {
  if (sweep_heads) return "every number of heads";
  if (heads) return "heads " + std::to_string(*heads);
  return head_dim ? "head-dim " + std::to_string(*head_dim) : "auto";
}

Status transition(const Options& options) {
  options.check();
  TransitionOptions search = options.transition_options();
  const std::vector<TransitionPoint> points = options.points(search);
  const StopOnInterrupt interrupt;
  search.stop = interrupt.flag();
  ProgressLine progress;
  progress.show("counting the class");
  TransitionReport report{
      .options = search,
      .split = options.split(),
      .outcomes = {},
      .lower_bound = counting_bound(search.family, search.d_model, search.weight_max),
      .certificates = options.certificates};
  progress.show("searching");
  const std::size_t all = points.size() * search.trials;
  std::size_t done = 0, certified = 0;
  search.on_trial = [&](const TransitionPoint& point, const TransitionTrial& trial,
                        std::string_view certificate) {
    ++done;
    certified += certificate.empty() ? 0 : 1;
    progress.show(std::to_string(certified) + " certified of " + std::to_string(done) +
                  " tried, at D_K " + std::to_string(point.key_dimension));
    progress.callback()(done, all);
    if (certificate.empty() || !options.certificates) return;
    make_directory(*options.certificates);
    write_file(*options.certificates + "/" + certificate_name(point, trial.number), certificate);
  };
  report.outcomes = qkcert::transition(search, points);
  progress.show("writing");
  if (options.csv) write_file(*options.csv, transition_csv(report));
  if (options.svg) write_file(*options.svg, draw(transition_plot(report), PlotFormat::svg));
  if (options.pdf) write_file(*options.pdf, draw(transition_plot(report), PlotFormat::pdf));
  progress.clear();
  const bool taken = options.csv == "-" || options.svg == "-" || options.pdf == "-";
  (taken ? std::cerr : std::cout) << (options.json ? transition_json(report) + "\n"
                                                   : transition_text(report));
  if (report.complete()) return Status::holds;
  std::cerr << "qkcert: incomplete: " << all - done << " of " << all << " trials have no outcome "
            << (*interrupt.flag() ? "because of the interruption" : "within the budget") << "\n";
  return Status::undecided;
}

}  // namespace

void add_transition(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = app.add_subcommand(
      "transition", "How often channels are certified on random instances, by D_K or by heads");
  options->add_to(*verb);
  verb->footer(
      "Example:\n"
      "  qkcert transition --family permutation --vertices 16 --gaussian 8 --key-dimension 2:6 "
      "--trials 5\n\n"
      "Every point is tried on the same random instances, and each success is a certificate.\n"
      "Exit status 3 when the budget or Ctrl-C left trials without outcome; they count as neither\n"
      "success nor failure.");
  verb->callback([options, &context] { context.status = transition(*options); });
}

}  // namespace qkcert::cli
