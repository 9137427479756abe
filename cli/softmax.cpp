#include <qkcert/core/decimal.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/io/gzip.hpp>
#include <qkcert/io/npy.hpp>
#include <qkcert/search/softmax.hpp>
#include <qkcert/verify/certificate.hpp>
#include <qkcert/verify/value_routing.hpp>

#include "contexts.hpp"
#include "search_options.hpp"
#include "verbs.hpp"

namespace qkcert::cli {

namespace {

struct SoftmaxOptions {
  std::optional<std::string> certificate, contexts, values;
  SearchOptions search;
  std::optional<Rational> beta, theta, level;
  std::optional<Integer> threshold;
  std::optional<std::uint64_t> context_size, grid_bits;
  bool find_beta = false, find_theta = false;

  unsigned threads() const { return threads_of(search.threads); }
};

/// The channel that a method proposes once; it must be separated for τ to be chosen.
SoftmaxInstance proposed(const SoftmaxOptions& options, ProgressLine& progress) {
  const SearchOptions& search = options.search;
  if (!search.method) throw UsageError("a certificate is needed, or --method NAME");
  const Instance inputs = search.load();
  progress.show(*search.method);
  const Request request{.graph = inputs.graph,
                        .embedding = inputs.embedding,
                        .heads = search.heads,
                        .head_dim = search.head_dim,
                        .weight_max = search.weight_max_or_default(),
                        .seed = search.seed_or_default(),
                        .threads = options.threads(),
                        .deadline = std::chrono::steady_clock::now() + search.budget_or_default()};
  const Attempt result = attempt(find_method(*search.method), request,
                                 search.weight_max.has_value(), progress.callback());
  if (!result.claim) throw MethodError(failure_text(result));
  return softmax_instance(*result.claim, "");
}

SoftmaxInstance load(const SoftmaxOptions& options, ProgressLine& progress) {
  const SearchOptions& search = options.search;
  const bool described = search.graph.given() || search.embedding.given() || search.method;
  if (options.certificate && described)
    throw UsageError("a certificate holds its graph, embedding and channel: give no others");
  check_files({options.certificate, options.contexts, options.values}, search.output.file);
  progress.show("reading");
  SoftmaxInstance instance =
      options.certificate
          ? softmax_instance(
                read_certificate(read_packed_file(*options.certificate), *options.certificate),
                *options.certificate)
          : proposed(options, progress);
  if (options.threshold) instance.threshold = *options.threshold;
  instance.context_size =
      options.context_size.value_or(std::max<std::size_t>(instance.graph.vertices(), 2));
  return instance;
}

/// Decides what the outputs say of the neighbours.
Verdict decide_routing(const SoftmaxOptions& options, const SoftmaxRecovery& claim, Report& report,
                       const Progress& progress) {
  const std::string& file = *options.values;
  Embedding values = parse_npy(read_file(file), file);
  if (values.vertices() != claim.graph.vertices())
    throw UsageError(file + ": expected " + std::to_string(claim.graph.vertices()) +
                     " rows, one per vertex, found " + std::to_string(values.vertices()));
  const auto bits = static_cast<std::size_t>(values.scale < 0 ? -values.scale : values.scale);
  const Rational unit = values.scale < 0 ? Rational(1, power_of_two(bits)) : power_of_two(bits);
  const ValueCode code{std::move(values.rows), options.level.value_or(Rational(1, 2)) / unit};
  report.claim.reset();  // it is not what is decided here
  if (!options.contexts) return decide_values(claim, code, options.threads(), progress);
  const Contexts contexts =
      contexts_from(read_file(*options.contexts), *options.contexts, claim.graph.vertices());
  report.coverage = Coverage{contexts.size(), covered_pairs(contexts, claim.graph.vertices())};
  return decide_values_in_contexts(claim, code, contexts, options.threads(), progress);
}

/// Decides the channel in the contexts of a file, or its outputs; there is no certificate of that.
Status decide_without_certificate(const SoftmaxOptions& options, const Rational& beta,
                                  const Rational& theta, ProgressLine& progress) {
  const SoftmaxInstance instance = load(options, progress);
  SoftmaxRecovery claim{instance.graph, instance.embedding,    instance.threshold, beta,
                        theta,          instance.context_size, instance.channel,   {}};
  claim.recovering_heads.resize(claim.graph.edges().size());
  Report report{.claim = claim};
  progress.show("deciding");
  const Verdict verdict =
      options.values ? decide_routing(options, claim, report, progress.callback())
                     : check_in_contexts(claim, read_file(*options.contexts), *options.contexts,
                                         report, options.threads(), progress.callback());
  progress.clear();
  if (verdict.holds) {
    options.search.output.print(report, verdict.text + "\n");
    return Status::holds;
  }
  report.status = Report::Status::does_not_hold;
  report.reason = verdict.text;
  options.search.output.print_failure(report);
  return Status::does_not_hold;
}

Status softmax(const SoftmaxOptions& options) {
  ProgressLine progress;
  const Rational asked_beta = options.beta.value_or(1);
  const Rational asked_theta = options.theta.value_or(Rational(1, 2));
  if (asked_theta >= 1) throw UsageError("--theta: expected a number below 1");
  if (options.level && !options.values) throw UsageError("--level goes with --values");
  if (options.contexts || options.values) {
    if (options.search.output.file)
      throw UsageError("-o: --contexts and --values make no certificate");
    return decide_without_certificate(options, asked_beta, asked_theta, progress);
  }
  const SoftmaxSearch search(load(options, progress), options.threads(), progress.callback());
  Rational beta = asked_beta, theta = asked_theta;
  Report report{};
  Status status = Status::does_not_hold;  // unless it holds
  const std::size_t bits = options.grid_bits.value_or(10);
  const Rational step(1, power_of_two(bits));
  progress.show("deciding");
  if (options.find_beta) {
    report.grid = SoftmaxGrid{.bits = bits, .of_beta = true};
    report.grid->closed_form_beta = search.closed_form_beta(theta, bits);
    report.grid->beta = search.find_beta(theta, bits);
    if (report.grid->beta)
      beta = *report.grid->beta * step;
    else
      report.reason = "no beta of 2^j/2^" + std::to_string(bits) + " up to 2^16 works";
  }
  if (options.find_theta) {
    const ThetaGrid found = search.find_theta(beta, bits);
    report.grid = SoftmaxGrid{.bits = bits, .of_beta = false, .theta = found};
    theta = floor_quotient(found.least + found.greatest, 2) * step;
    if (found.empty())
      report.reason = "no theta of j/2^" + std::to_string(bits) +
                      " works: the non-edges are safe from j = " + to_decimal(found.least) +
                      " on, the edges are recovered up to j = " + to_decimal(found.greatest);
  }
  if (!report.reason) {
    const SoftmaxOutcome outcome = search.outcome(beta, theta);
    if (outcome.holds()) {
      report.claim = search.claim(beta, theta, outcome);
    } else {
      const SoftmaxFailure failure = softmax_failure(search.instance(), outcome);
      report.reason = failure.reason;
      if (!failure.refuted) status = Status::undecided;
    }
  }
  if (report.reason) {
    progress.clear();
    report.status =
        status == Status::undecided ? Report::Status::undecided : Report::Status::does_not_hold;
    options.search.output.print_failure(report);
    return status;
  }
  progress.show("checking the certificate");
  options.search.output.certify(report, options.threads(), progress.callback());
  progress.clear();
  options.search.output.print(report, softmax_text(report));
  return Status::holds;
}

}  // namespace

void add_softmax(CLI::App& app, Context& context) {
  auto options = std::make_shared<SoftmaxOptions>();
  CLI::App* verb =
      app.add_subcommand("softmax", "Decide a channel that softmax with a null key reads out");
  verb->add_option("FILE", options->certificate, "a certificate of a channel (.qkc, .qkc.gz)")
      ->type_name("");
  auto* beta = add_rational(*verb, "--beta", options->beta, "inverse temperature β (default 1)");
  auto* theta = add_rational(*verb, "--theta", options->theta,
                             "read-out level θ between 0 and 1 (default 1/2)");
  add_integer(*verb, "--threshold", options->threshold,
              "the null key's score τ (default: that of the certificate)");
  auto* context_size = add_count(*verb, "--context-size", options->context_size,
                                 "contexts of up to so many vertices (default: all)", {2});
  auto* find_beta =
      verb->add_flag("--find-beta", options->find_beta, "look for the least β of a grid");
  auto* find_theta =
      verb->add_flag("--find-theta", options->find_theta, "look for all θ of a grid");
  find_beta->excludes(beta, find_theta);
  find_theta->excludes(theta);
  verb->add_option("--contexts", options->contexts,
                   "decide in these contexts alone: one a line, vertices separated\n"
                   "by spaces or tabs; - for stdin")
      ->type_name("FILE")
      ->excludes(context_size, find_beta, find_theta);
  verb->add_option("--values", options->values,
                   "decide whether the outputs name the neighbours: a .npy array, row v the\n"
                   "value of vertex v")
      ->type_name("FILE")
      ->excludes(theta, find_beta, find_theta);
  add_rational(*verb, "--level", options->level, "where outputs are cut (default 1/2)");
  add_count(*verb, "--grid-bits", options->grid_bits,
            "the grid's points are multiples of 2^-N (default 10)", {1, 64});
  options->search.add_to(*verb);
  verb->footer(
      "Example:\n"
      "  qkcert softmax --family permutation --vertices 16 --one-hot --method onehot-code "
      "--find-beta\n\n"
      "Exit status 1 when the channel does not recover, 3 when no single head recovers an edge\n"
      "and several might; stderr then names a pair. What --find-beta reports works, and the\n"
      "grid's point below it does not; greater ones need not.");
  verb->callback([options, &context] { context.status = softmax(*options); });
}

}  // namespace qkcert::cli
