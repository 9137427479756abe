#pragma once
/// The verbs of the command. Each adds itself to `app` and, when chosen, leaves its exit status in
/// the context. Errors are thrown; main() turns them into exit status 2.

#include <CLI/CLI.hpp>
#include <string>

namespace qkcert::cli {

/// Exit statuses of every verb.
enum class Status { holds = 0, does_not_hold = 1, unusable = 2, undecided = 3 };

/// What main() and the verbs tell each other.
struct Context {
  std::string program;            ///< how the command was called, for "check again"
  Status status = Status::holds;  ///< left here by the verb that ran
};

void add_certify(CLI::App& app, Context& context);
void add_search(CLI::App& app, Context& context);
void add_construct(CLI::App& app, Context& context);
void add_verify(CLI::App& app, Context& context);
void add_bound(CLI::App& app, Context& context);
void add_refute(CLI::App& app, Context& context);
void add_advantage(CLI::App& app, Context& context);
void add_records(CLI::App& app, Context& context);
void add_table(CLI::App& app, Context& context);
void add_transition(CLI::App& app, Context& context);
void add_universal(CLI::App& app, Context& context);
void add_check(CLI::App& app, Context& context);
void add_softmax(CLI::App& app, Context& context);
void add_info(CLI::App& app, Context& context);

}  // namespace qkcert::cli
