#include "find.hpp"

namespace qkcert::cli {

void add_search(CLI::App& app, Context& context) {
  auto options = std::make_shared<FindOptions>();
  options->effort = Splits::many;
  CLI::App* verb = app.add_subcommand(
      "search", "Find the least D_K over all methods and splits, and tell what was tried");
  options->add_to(*verb);
  verb->footer(
      "Example:\n"
      "  qkcert search --family permutation --vertices 64 --gaussian 16 --budget 60 -o best.qkc\n\n"
      "Every construction takes its turn, asked for less than the best so far; `certify` asks\n"
      "fewer and looks at fewer splits. Every method and split that was tried is listed with its\n"
      "outcome, and the strongest lower bound beside the result. Ctrl-C ends the search and keeps\n"
      "the best so far. Exit status 3 when nothing was certified.");
  verb->callback([options, &context] { context.status = find(*options, context.program); });
}

}  // namespace qkcert::cli
