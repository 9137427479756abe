#include <qkcert/bounds/registry.hpp>
#include <qkcert/core/errors.hpp>
#include <qkcert/reports/bibliography.hpp>

#include "support.hpp"

namespace qkcert::test {

TEST_CASE("every source of a bound has its entry", "[tables]") {
  for (const BoundKind& kind : bound_kinds()) {
    std::set<std::string> keys;
    std::string key;
    for (const char c : std::string(kind.sources) + " ") {
      if (c != ' ') {
        key += c;
        continue;
      }
      keys.insert(key);
      key.clear();
    }
    const std::string text = bibliography(keys);
    for (const std::string& each : keys) CHECK(text.find("{" + each + ",\n") != std::string::npos);
  }
}

TEST_CASE("a bibliography is sorted, and its braces balance", "[tables]") {
  const std::string text = bibliography({"warren1968", "adler2026", "schlaefli1901", "qkcert"});
  CHECK(text.find("adler2026") < text.find("qkcert"));
  CHECK(text.find("qkcert") < text.find("schlaefli1901"));
  CHECK(std::count(text.begin(), text.end(), '{') == std::count(text.begin(), text.end(), '}'));
  CHECK(bibliography({}).empty());
  CHECK_THROWS_AS(bibliography({"nobody2000"}), ShapeError);
}

}  // namespace qkcert::test
