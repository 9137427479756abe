#include <algorithm>
#include <filesystem>
#include <qkcert/core/errors.hpp>
#include <qkcert/io/folder.hpp>
#include <qkcert/reports/table_spec.hpp>

#include "support.hpp"

namespace qkcert::test {
namespace {

const std::string small = R"(
caption = "A table"
label = "tab:a"
bounds = "counting"
[grid]
family = ["permutation", "matching"]
vertices = [8, 9]
d_model = 2
weight_bits = [2, 8, "real"]
)";

std::string error_of(const std::string& text, const std::string& source) {
  try {
    read_table_spec(text, source);
  } catch (const FormatError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("every mistake in a table's spec has its place", "[tables]") {
  const auto names = list_folder(std::string(QKCERT_TEST_DATA) + "/tables/invalid");
  CHECK(names.size() >= 50);
  for (const std::string& name : names) {
    const std::string text = corpus("tables/invalid/" + name);
    const std::string first = text.substr(2, text.find('\n') - 2);  // `# LINE:COLUMN: words`
    const std::size_t words = first.find(": ");
    const std::string error = error_of(text, name);
    INFO(error);
    CHECK(error.starts_with(name + ":" + first.substr(0, words + 2)));
    CHECK(error.find(first.substr(words + 2)) != std::string::npos);
  }
}

TEST_CASE("a spec without its optional keys has their defaults", "[tables]") {
  const TableSpec spec = read_table_spec(small, "small");
  CHECK(spec.rows == std::vector<std::size_t>{0, 1, 3});  // the axes that vary
  CHECK(spec.columns.empty());
  CHECK((spec.digits == 2 && spec.ratios && !spec.class_size && spec.failure_bits == 0));
  CHECK(spec.bounds == std::vector<std::string>{"counting"});
  CHECK(spec.grid.back().values == std::vector<std::string>{"2", "8", "real"});
}

TEST_CASE("a point's instance follows from its values", "[tables]") {
  const TableSpec spec = read_table_spec(small, "small");
  const TableInstance first = table_instance(spec, {0, 0, 0, 0});
  CHECK(first.family.to_string() == "permutation 8");
  CHECK((first.d_model == 2 && first.weight_max == Integer(1)));
  const TableInstance second = table_instance(spec, {1, 1, 0, 1});
  CHECK(second.family.to_string() == "matching 9 4");
  CHECK(second.weight_max == Integer(127));
  CHECK_FALSE(table_instance(spec, {0, 0, 0, 2}).weight_max);
  CHECK(point_text(spec, {1, 1, 0, 2}) ==
        "family matching, vertices 9, d_model 2, weight_bits real");
}

TEST_CASE("a method's parameters are read", "[tables]") {
  const TableSpec spec = read_table_spec(small + R"(
[[upper]]
name = "fit"
method = "fit"
embedding = "gaussian"
embedding_bits = 9
embedding_seed = 2
graph_seed = 3
seed = 4
heads = 2
key_dimension = [4, 3]
patience = 5
)",
                                         "small");
  const TableUpper& upper = spec.uppers.at(0);
  CHECK((upper.source == TableUpper::Source::method && upper.where == "fit" && !upper.one_hot));
  CHECK((upper.embedding_bits == 9 && upper.embedding_seed == 2 && upper.graph_seed == 3));
  CHECK((upper.seed == 4 && upper.heads == 2U && !upper.head_dim && upper.patience == 5));
  CHECK(upper.key_dimensions == std::vector<std::size_t>{4, 3});
  CHECK_FALSE(upper.optional);
}

}  // namespace qkcert::test
