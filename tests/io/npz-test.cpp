#include <filesystem>
#include <map>
#include <qkcert/core/errors.hpp>
#include <qkcert/io/arrays.hpp>
#include <qkcert/io/npz.hpp>

#include "support.hpp"

namespace qkcert::test {
namespace {

std::vector<std::string> folder(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(QKCERT_TEST_DATA) + "/" + name))
    names.push_back(entry.path().stem());
  return names;
}

/// Reads all of a file, every entry of every array.
void read_all(const std::string& bytes, const std::string& source) {
  NamedArrays arrays(bytes, source);
  for (const std::string& name : arrays.names()) {
    const Array array = arrays.array(name);
    for (std::size_t i = 0; i < array.size(); ++i) array(i);
  }
}

std::vector<std::int64_t> halves(const Array& array) {  // twice the entries, as integers
  std::vector<std::int64_t> result;
  for (std::size_t i = 0; i < array.size(); ++i) {
    const Dyadic x = array(i);
    Integer value = Integer(x.magnitude) * power_of_two(static_cast<std::size_t>(x.exponent + 150));
    value = value * 2 / power_of_two(150);
    result.push_back(to_int64(x.negative ? Integer(-value) : value).value());
  }
  return result;
}

TEST_CASE("every valid .npz file gives its arrays", "[npz]") {
  for (const std::string& name : folder("npz/valid")) {
    INFO(name);
    NamedArrays arrays(corpus("npz/valid/" + name + ".npz"), name);
    if (name == "empty") {
      CHECK(arrays.names().empty());
      CHECK_THROWS_WITH(arrays.array("q"), "empty: expected an array 'q', found none");
      continue;
    }
    CHECK(arrays.names() == std::vector<std::string>{"k", "q"});
    const Array q = arrays.array("q"), k = arrays.array("k");
    CHECK(q.shape() == std::vector<std::size_t>{2, 3});
    CHECK(k.shape() == std::vector<std::size_t>{3});
    CHECK(halves(q) == std::vector<std::int64_t>{2, 0, 192, 128, 64, 1});
    CHECK(halves(k) == std::vector<std::int64_t>{-8, 16, 24});
    CHECK_THROWS_WITH(arrays.array("v"), name + ": expected an array 'v', found 'k', 'q'");
    CHECK_THROWS_AS(q(6), ShapeError);
  }
  CHECK(folder("npz/valid").size() == 5);
}

TEST_CASE("every invalid .npz file is refused for the fault it is named after", "[npz]") {
  const std::map<std::string, std::string> reasons = {
      // REASONS-NPZ
  };
  for (const std::string& name : folder("npz/invalid")) {
    INFO(name);
    REQUIRE(reasons.contains(name));
    const std::string bytes = corpus("npz/invalid/" + name + ".npz");
    CHECK_THROWS_AS(read_all(bytes, "f"), FormatError);
    CHECK_THROWS_WITH(read_all(bytes, "f"), reasons.at(name));
  }
  CHECK(folder("npz/invalid").size() == reasons.size());
}

TEST_CASE("every prefix of a .npz file is refused, damaged ones give an error or arrays", "[npz]") {
  for (const char* name : {"stored", "deflated", "numpy-savez", "data-descriptors"}) {
    const std::string bytes = corpus("npz/valid/" + std::string(name) + ".npz");
    for (std::size_t size = 0; size < bytes.size(); ++size)
      CHECK_THROWS_AS(read_all(bytes.substr(0, size), "f"), FormatError);
    repeat(2000, [&](Random& random) {
      std::string damaged = bytes;
      for (std::size_t i = 1 + random.below(3); i > 0; --i)
        damaged[random.below(damaged.size())] = static_cast<char>(random.below(256));
      try {
        read_all(damaged, "f");
      } catch (const FormatError&) {
      }
    });
  }
}

}  // namespace
}  // namespace qkcert::test
