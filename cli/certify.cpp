#include "find.hpp"

namespace qkcert::cli {

void add_certify(CLI::App& app, Context& context) {
  auto options = std::make_shared<FindOptions>();
  CLI::App* verb = app.add_subcommand(
      "certify", "Find a channel of small D_K, certify it, compare with the bound");
  options->add_to(*verb);
  verb->footer(
      "Example:\n"
      "  qkcert certify --graph edges.tsv --embedding embedding.npy --budget 60 -o channel.qkc\n\n"
      "Without --heads and --head-dim it tries growing D_K within the budget and keeps the least\n"
      "that verifies. Ctrl-C ends the search and keeps the best so far. Exit status 3 when "
      "nothing\n"
      "was certified.");
  verb->callback([options, &context] { context.status = find(*options, context.program); });
}

}  // namespace qkcert::cli
