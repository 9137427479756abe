#include <qkcert/core/errors.hpp>
#include <qkcert/search/record_cells.hpp>
#include <qkcert/search/records_state.hpp>

#include "support.hpp"

namespace qkcert::test {
namespace {

const std::string cell = "permutation-m16-d8-a127";

Record some_record(Architecture split, std::uint64_t seed = 1) {
  return {"fit", split, seed, 1, "0.1.0", "2026-01-31", std::string(64, 'a')};
}

const RecordsState some_state = {
    {cell, {some_record({4, 2, 1}), some_record({1, 8}, 18446744073709551615U)}},
    {"antonyms-512-a1", {}}};

std::string refusal(const std::string& bytes) {
  try {
    parse_records(bytes, "records.json");
  } catch (const FormatError& error) {
    return error.what();
  }
  return "";
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

}  // namespace

TEST_CASE("a state is read as it was written", "[records]") {
  for (const RecordsState& state : {RecordsState{}, some_state})
    CHECK(parse_records(format_records(state), "x") == state);
  const std::vector<Cell> cells = record_cells();
  repeat(30, [&](Random& random) {
    RecordsState state;
    for (std::size_t i = random.below(10); i > 0; --i) {
      CellHistory& history = state[cells[random.below(cells.size())].name];
      history.clear();
      for (std::size_t dim = 1 + random.below(20); dim > 0; dim -= 1 + random.below(dim)) {
        const std::size_t heads = 1 + random.below(9);
        history.push_back(some_record({9, dim, 0}, random.below(1000)));
        if (dim == 1) history.back().architecture = {heads, 1, random.below(heads)};
        if (history.size() > 1 &&
            history.back().key_dimension() >= history.end()[-2].key_dimension())
          history.pop_back();
      }
    }
    CHECK(parse_records(format_records(state), "x") == state);
  });
}

TEST_CASE("a bad state names the file, the place and what was expected", "[records]") {
  const std::string good = format_records(some_state);
  const std::string at = "records.json: cells." + cell;
  const std::tuple<std::string, std::string, std::string> faults[] = {
      {"\"qkcert-records\": 1", "\"qkcert-records\": 2",
       "records.json: qkcert-records: expected an integer from 1 to 1, found '2'"},
      {"\"qkcert-records\"", "\"records\"", "records.json: expected an object with qkcert-records"},
      {"\"cells\"", "\"cell\"", "records.json: expected an object with cells"},
      {"antonyms-512-a1", "antonyms-512-a2", "records.json: expected the name of a cell"},
      {"\"antonyms-512-a1\": []", "\"antonyms-512-a1\": {}", "expected an array of records"},
      {"\"heads\": 4", "\"heads\": 0", at + "[0].heads: expected an integer from 1 to 1048576"},
      {"\"heads\": 4", "\"heads\": 4.0", at + "[0].heads: expected an integer"},
      {"\"heads\": 4", "\"heads\": \"4\"", at + "[0].heads: expected an integer"},
      {"\"heads\": 4", "\"heads\": 1048577", at + "[0].heads: expected an integer"},
      {"\"heads\": 4", "\"head\": 4", at + "[0]: expected an object with heads"},
      {"\"wider\": 1", "\"wider\": 4", at + "[0].wider: expected an integer from 0 to 3"},
      {"\"wider\": 1", "\"wider\": -1", at + "[0].wider: expected an integer"},
      {"18446744073709551615", "18446744073709551616", at + "[1].seed: expected an integer"},
      {"\"key_dimension\": 9", "\"key_dimension\": 8",
       at + "[0].key_dimension: expected heads·head_dim + wider = 9"},
      {"\"head_dim\": 8", "\"head_dim\": 9", at + "[1].key_dimension: expected heads"},
      {"\"fit\"", "\"magic\"", at + "[0].method: expected the name of a method"},
      {"\"0.1.0\"", "\"\"", at + "[0].version: expected a version"},
      {"2026-01-31", "31.01.2026", at + "[0].date: expected a date"},
      {"aaaa\"", "aaaA\"", at + "[0].sha256: expected 64 hexadecimal digits"},
      {"aaaa\"", "aaa\"", at + "[0].sha256: expected 64 hexadecimal digits"},
      {"\"cells\": {", "\"cells\": [", "records.json: expected JSON: "},
      {"{", "", "records.json: expected JSON: "},
      {"\"method\"", "\"more\": 1, \"method\"", "records.json: line "},
      {"\"method\"", "\"method\": \"fit\", \"method\"", "records.json: line "},
      {"\n ", "\n  ", "records.json: line 2: expected the spelling"},
  };
  for (const auto& [what, by, message] : faults) {
    INFO(what << " -> " << by);
    CHECK_THAT(refusal(replaced(good, what, by)), Catch::Contains(message));
  }
  for (const std::string bytes : {"", "[]", "1", "null", "{}", "\xff", "{\"cells\": \"\xff\"}"})
    CHECK_THAT(refusal(bytes), Catch::StartsWith("records.json: expected "));
  CHECK_FALSE(refusal(good.substr(0, good.size() - 1)).empty());
  CHECK_FALSE(refusal(good + "\n").empty());
}

TEST_CASE("a state whose D_K do not fall is refused", "[records]") {
  for (const Architecture second : {Architecture{9, 1}, Architecture{5, 2}}) {
    const RecordsState state = {{cell, {some_record({4, 2, 1}), some_record(second)}}};
    CHECK_THAT(refusal(format_records(state)), Catch::Contains("expected less than 9"));
  }
}

}  // namespace qkcert::test
