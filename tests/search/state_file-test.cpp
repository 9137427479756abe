#include <qkcert/core/errors.hpp>
#include <qkcert/core/random_graph.hpp>
#include <qkcert/io/file.hpp>
#include <qkcert/search/state_file.hpp>
#include <set>

#include "support.hpp"

using namespace qkcert;

namespace {

const std::string key(64, 'a');

}  // namespace

TEST_CASE("a state file gives back the payload that was written") {
  for (const std::string& payload : {std::string(), std::string("x"), std::string("a\nb\n\0c", 6)})
    CHECK(read_state(write_state(key, payload), key, "s") == payload);
}

TEST_CASE("damaged and foreign state files are refused") {
  const std::string good = write_state(key, "payload of some length");
  for (std::size_t length = 0; length < good.size(); ++length)
    CHECK_THROWS_AS(read_state(good.substr(0, length), key, "s"), FormatError);
  CHECK_THROWS_AS(read_state(good + "\n", key, "s"), FormatError);
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 1);
    CHECK_THROWS_AS(read_state(bad, key, "s"), FormatError);
  }
  CHECK_THROWS_WITH(read_state("", key, "s"),
                    Catch::StartsWith("s: a state file is expected, its line `qkcert-state …`"));
  CHECK_THROWS_WITH(read_state("qkcert-state 2\n", key, "s"), "s: a state file of another version");
  CHECK_THROWS_AS(read_state(good, std::string(64, 'b'), "s"), UsageError);
}

TEST_CASE("the key of a request covers what its states depend on") {
  const Graph graph = random_graph(Family("permutation", {5}), 1);
  const Graph other_graph = random_graph(Family("permutation", {5}), 2);
  const Embedding embedding = gaussian_embedding(5, 3, 20, 1);
  const Embedding other_embedding = gaussian_embedding(5, 3, 20, 2);
  const Request request{.graph = graph, .embedding = embedding};
  std::set<std::string> keys;
  std::size_t count = 0;
  const auto add = [&](const Request& each, std::string_view method = "fit") {
    keys.insert(request_key(method, each));
    ++count;
  };
  add(request);
  add(request, "signature");
  add({.graph = other_graph, .embedding = embedding});
  add({.graph = graph, .embedding = other_embedding});
  add({.graph = graph, .embedding = embedding, .heads = 1});
  add({.graph = graph, .embedding = embedding, .head_dim = 1});
  add({.graph = graph, .embedding = embedding, .key_dimension = 1});
  add({.graph = graph, .embedding = embedding, .weight_max = 7});
  add({.graph = graph, .embedding = embedding, .seed = 2});
  add({.graph = graph, .embedding = embedding, .patience = 2});
  CHECK(keys.size() == count);
  CHECK(request_key("fit", {.graph = graph, .embedding = embedding, .threads = 3}) ==
        request_key("fit", request));
}

TEST_CASE("a state file on disk is written, read and removed") {
  const std::string path = "checkpoint-test.state";
  remove_file(path);
  StateFile file(path, key);
  CHECK(file.load().empty());
  file.save([] { return "one"; });  // held back: the file is younger than the interval
  CHECK_FALSE(file_exists(path));
  file.flush();
  CHECK(file.load() == "one");
  file.flush();
  StateFile other(path, std::string(64, 'b'));
  CHECK_THROWS_AS(other.load(), UsageError);
  file.save([] { return "two"; });
  file.remove();
  CHECK_FALSE(file_exists(path));
  file.flush();
  CHECK_FALSE(file_exists(path));
  CHECK_NOTHROW(file.remove());
  CHECK_THROWS_AS(StateFile("no-such-directory/x", key), FileError);
}
