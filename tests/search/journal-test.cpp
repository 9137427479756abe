#include <unistd.h>

#include <filesystem>
#include <qkcert/core/errors.hpp>
#include <qkcert/core/random_graph.hpp>
#include <qkcert/io/file.hpp>
#include <qkcert/search/certify.hpp>
#include <qkcert/verify/certificate.hpp>

#include "support.hpp"

namespace qkcert {
namespace {

/// A path in a directory of its own, removed at the end.
struct Folder {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("qkcert-journal-" + std::to_string(getpid()));
  Folder() { std::filesystem::create_directory(path); }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string file() const { return (path / "state").string(); }
};

struct Instance {
  Graph graph = random_graph(Family("permutation", {24}), 1);
  Embedding embedding = gaussian_embedding(24, 8, 20, 1);
  std::string key = journal_key(graph, embedding.rows, 127);

  std::string result(const CertifyOptions& options) const {
    const CertifyResult found = certify(graph, embedding, options);
    CHECK(found.complete);
    std::string text = write_certificate(found.best.value().claim.value());
    for (const Tried& tried : found.tried)
      text += tried.method + std::to_string(tried.seed) +
              std::to_string(static_cast<int>(tried.outcome));
    return text;
  }
};

TEST_CASE("a search that is stopped again and again ends as one that is not") {
  const Folder folder;
  const Instance instance;
  for (const Splits effort : {Splits::few, Splits::many}) {
    const std::string expected = instance.result({.effort = effort});
    bool complete = false;
    int runs = 0;
    for (; !complete; ++runs) {
      REQUIRE(runs < 1000);
      Journal journal(folder.file(), instance.key);
      std::atomic<bool> stop{false};
      int finished = 0;
      const CertifyResult found = certify(
          instance.graph, instance.embedding,
          {.stop = &stop, .effort = effort, .journal = &journal, .on_finish = [&](const Attempt&) {
             // Known answers come first; the run that has given three new ones ends.
             if (++finished >= 3 * (runs + 1)) stop = true;
           }});
      complete = found.complete;
      journal.flush();
    }
    CHECK(runs > 2);
    Journal journal(folder.file(), instance.key);
    CHECK(instance.result({.effort = effort, .journal = &journal}) == expected);
    journal.remove();
    CHECK_FALSE(file_exists(folder.file()));
  }
}

TEST_CASE("a known answer is not worked out again") {
  const Folder folder;
  const Instance instance;
  Method method = find_method("fit");
  const Request request{
      .graph = instance.graph, .embedding = instance.embedding, .heads = 4, .head_dim = 4};
  {
    Journal journal(folder.file(), instance.key);
    CHECK(journal.ask(method, request).verified());
    journal.flush();
  }
  method.propose = [](const Request&) -> Channel { throw Error("asked again"); };
  Journal journal(folder.file(), instance.key);
  const Answer answer = journal.ask(method, request);
  CHECK(answer.verified());
  CHECK(answer.attempt.value().claim);
  Request others[] = {request, request, request, request};
  others[0].heads = 3;
  others[1].head_dim = 3;
  ++others[2].seed;
  ++others[3].patience;
  for (const Request& other : others) CHECK_THROWS_WITH(journal.ask(method, other), "asked again");
}

TEST_CASE("a damaged or foreign journal is refused") {
  const Folder folder;
  const Instance instance;
  {
    Journal journal(folder.file(), instance.key);
    journal.ask(
        find_method("fit"),
        {.graph = instance.graph, .embedding = instance.embedding, .heads = 4, .head_dim = 4});
    journal.flush();
  }
  const std::string bytes = read_file(folder.file());
  const auto refuse = [&](const std::string& changed) {
    write_file(folder.file(), changed);
    CHECK_THROWS_AS(Journal(folder.file(), instance.key), FormatError);
  };
  refuse("");
  refuse(bytes.substr(0, bytes.size() / 2));
  test::repeat(40, [&](Random& random) {
    std::string changed = bytes;
    char& byte = changed[random.below(changed.size())];
    byte = static_cast<char>(byte ^ (1 << random.below(7)));
    write_file(folder.file(), changed);
    // A change of the key reads as that of another search.
    CHECK_THROWS_AS(Journal(folder.file(), instance.key), Error);
  });
  for (const char* payload :
       {"{}", "[]", "x", R"({"answers":{"a":{}},"states":{}})", R"({"answers":{},"states":3})"})
    refuse(write_state(instance.key, payload));
  write_file(folder.file(), bytes);
  CHECK_THROWS_AS(Journal(folder.file(), journal_key(instance.graph, instance.embedding.rows, 7)),
                  UsageError);
  CHECK_NOTHROW(Journal(folder.file(), instance.key));
}

}  // namespace
}  // namespace qkcert
