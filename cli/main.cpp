#include <csignal>
#include <cstdlib>
#include <iostream>
#include <new>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/version.hpp>

#include "ranks.hpp"
#include "verbs.hpp"

namespace {

using namespace qkcert::cli;

/// GMP cannot be left by an exception: without memory the command ends here instead of aborting.
template <class Memory>
Memory* or_exit(Memory* memory) {
  if (memory != nullptr) return memory;
  std::clog << "qkcert: out of memory\n";
  std::_Exit(static_cast<int>(Status::unusable));
}

void limit_gmp() {
  mp_set_memory_functions([](std::size_t size) { return or_exit(std::malloc(size)); },
                          [](void* memory, std::size_t, std::size_t size) {
                            return or_exit(std::realloc(memory, size));
                          },
                          [](void* memory, std::size_t) { std::free(memory); });
}

/// What rank 0 says too is said once: other ranks have only std::clog.
struct Nowhere : std::streambuf {
  int_type overflow(int_type c) override { return traits_type::not_eof(c); }
};

/// CLI11's help without its `Needs:` and `Excludes:`, which push the descriptions aside.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() { column_width(27); }
  std::string make_option_opts(const CLI::Option* option) const override {
    std::string text = option->get_type_name().empty() ? "" : " " + option->get_type_name();
    if (option->get_required()) text += " (required)";
    return text;
  }
};

Status run(int argc, char** argv) {
  if (qkcert::cli::ranks_here().count > 1 && (argc < 2 || std::string_view(argv[1]) != "verify"))
    throw qkcert::UsageError("mpirun has started several processes, and only `verify` uses them");
  CLI::App app("Exact certificates for the key-query channel of multi-head attention.", "qkcert");
  app.set_version_flag("--version", "qkcert " + std::string(qkcert::version()));
  app.formatter(std::make_shared<HelpFormatter>());
  app.require_subcommand(0, 1);  // none is refused below, where the message can be clearer
  app.footer(
      "Exit status: 0 the claim holds, 1 it does not, 2 wrong usage or unreadable input,\n"
      "3 undecided within the budget. `qkcert VERB --help` shows an example for each verb.");
  Context context{.program = argc > 0 ? argv[0] : "qkcert"};
  add_certify(app, context);
  add_search(app, context);
  add_construct(app, context);
  add_verify(app, context);
  add_bound(app, context);
  add_refute(app, context);
  add_advantage(app, context);
  add_records(app, context);
  add_table(app, context);
  add_transition(app, context);
  add_universal(app, context);
  add_check(app, context);
  add_softmax(app, context);
  add_info(app, context);
  try {
    app.parse(argc, argv);
    if (app.get_subcommands().empty()) throw qkcert::UsageError("a verb is needed; see --help");
  } catch (const CLI::Success& success) {  // --help, --version
    app.exit(success);
  } catch (const CLI::ParseError& error) {
    throw qkcert::UsageError(error.what() + std::string("; see --help"));
  }
  std::cout.flush();
  if (!std::cout) throw qkcert::FileError("standard output: cannot be written");
  return context.status;
}

}  // namespace

int main(int argc, char** argv) {
  limit_gmp();
  std::signal(SIGPIPE, SIG_IGN);  // closed pipes and file-size limits are write errors, reported
  std::signal(SIGXFSZ, SIG_IGN);  // like any other
  Nowhere nowhere;
  if (ranks_here().rank > 0)
    for (std::ostream* stream : {&std::cout, &std::cerr}) stream->rdbuf(&nowhere);
  Status status = Status::unusable;
  try {
    status = run(argc, argv);
  } catch (const std::bad_alloc&) {
    std::cerr << "qkcert: out of memory\n";
  } catch (const std::exception& error) {
    std::cerr << "qkcert: " << error.what() << "\n";
  }
  // What every rank refuses, rank 0 says: mpirun would end the job, and its words, at the first
  // status that is not 0. A rank that is alone in it leaves the others in MPI_Init, which fails.
  if (status == Status::unusable && ranks_here().rank > 0) status = Status::holds;
  return static_cast<int>(status);
}
